import { createRandom } from '../base/random.ts';
import type { Matrix } from '../matrix/dense.ts';
import type { Gemm } from '../matrix/gemm.ts';
import type { CodedOperands, QuantizedMatrix } from '../matrix/operands.ts';
import type { Operand } from '../precision/coding/coding.ts';
import { joinCodes } from '../precision/coding/kernel-operands.ts';
import { quantize } from '../precision/coding/quantize.ts';
import type { Precision } from '../precision/precision.ts';
import type { InputPair } from './input.ts';

/** Random streams that nothing else uses. */
const STREAMS: Readonly<Record<Operand, number>> = { a: 0x5ca1e0, b: 0x5ca1e1 };

/**
 * Returns a pair as a precision stores it. Where the precision codes its operands, the numbers are the decoded ones. A pair that a family
 * made of codes is left as it is.
 */
export function codedPair(pair: InputPair, { coded }: Precision, seed: number): InputPair {
  if (coded === undefined || pair.coded !== undefined) return pair;
  const coding = (of: Operand): QuantizedMatrix | undefined => {
    const own = coded[of];
    return own && quantize(pair[of], of, own, createRandom(seed, STREAMS[of]));
  };
  const [a, b] = [coding('a'), coding('b')];
  // The ideal product of a formula is that of the numbers before coding.
  const { ideal: _, ...rest } = pair;
  return {
    ...rest,
    a: a?.decoded ?? pair.a,
    b: b?.decoded ?? pair.b,
    coded: { a, b },
    uncoded: { a: pair.a, b: pair.b },
  };
}

/** True if coding changed some numbers of a pair. */
export const isChangedByCoding = ({ a, b, uncoded }: Pick<InputPair, 'a' | 'b' | 'uncoded'>): boolean =>
  uncoded !== undefined && (differs(a, uncoded.a) || differs(b, uncoded.b));

const differs = (one: Matrix, other: Matrix) => one.data.some((x, e) => !Object.is(x + 0, other.data[e] + 0));

/** Stacks the codes of the pairs of a batch like the matrices, one below the other. */
export function stackedCodes(
  pairs: readonly Pick<InputPair, 'coded'>[],
  decoded: { readonly a: Matrix; readonly b: Matrix },
  gemm: Gemm,
): CodedOperands {
  const all = (of: Operand): QuantizedMatrix | undefined => {
    const stored = pairs.slice(0, gemm[of].stride === 0 ? 1 : pairs.length);
    const parts = stored.flatMap((pair) => pair.coded?.[of]?.coded ?? []);
    return parts.length === 0 ? undefined : { coded: joinCodes(parts), decoded: decoded[of] };
  };
  return { a: all('a'), b: all('b') };
}
