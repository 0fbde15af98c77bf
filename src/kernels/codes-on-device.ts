import {
  codedNumeric,
  type DeviceCodedMatrices,
  type DeviceCodedMatrix,
  isDecodable,
} from '../gpu/wgsl/codes/coded-words.ts';

import type { Leaf } from '../gpu/wgsl/leaves/leaf.ts';
import type { Matrix } from '../matrix/dense.ts';
import type { Gemm } from '../matrix/gemm.ts';
import type { StackedOperands } from '../matrix/members.ts';
import type { Plan } from '../plan/plan.ts';
import type { Coding, Operand } from '../precision/coding/coding.ts';
import { kernelOperandsOf } from '../precision/coding/kernel-operands.ts';
import type { CodedFormat, Format } from '../precision/format.ts';
import type { Precision } from '../precision/precision.ts';
import type { Numeric } from '../precision/wgsl/numeric.ts';

/**
 * Returns the codings of a precision that built-in kernels decode on the device. They include entries in formats of few bits, which have
 * no factors. Other operands are uploaded as the numbers that they stand for.
 */
function codingsOf({ coded = {}, a, b }: Precision): { readonly [of in Operand]?: Coding } {
  const codings = { a: coded.a ?? plain(a), b: coded.b ?? plain(b) };
  return {
    ...(codings.a && isDecodable(codings.a) && { a: codings.a }),
    ...(codings.b && isDecodable(codings.b) && { b: codings.b }),
  };
}

/** Returns the coding of entries without factors. */
const plain = (format: Format): Coding | undefined =>
  isCoded(format) ? { element: format, scales: [] } : undefined;

const isCoded = (format: Format): format is CodedFormat => format.code !== undefined && 'holds' in format;

/** True if a format holds all entries, signs of zeros included; edited entries may be others. */
const isOf = ({ round }: Format, { data }: Matrix): boolean =>
  data.every((x: number) => Object.is(round(x), x));

/** Returns the codes of operands for the device to decode: those of all operands that have a coding, or undefined. */
export function codesOnDevice(
  operands: StackedOperands,
  gemm: Gemm,
  precision: Precision,
): DeviceCodedMatrices | undefined {
  const codings = codingsOf(precision);
  const elements = kernelOperandsOf(operands, gemm, precision);
  const codesOf = (of: Operand, coding: Coding): DeviceCodedMatrix | undefined => {
    const factors = elements.factors[of];
    if (factors !== undefined) return { coding, elements: elements[of], ...factors };
    const isHeld = isOf(coding.element, operands[of]);
    return isHeld ? { coding, elements: operands[of], scales: [], members: 1 } : undefined;
  };
  const codes = { a: codings.a && codesOf('a', codings.a), b: codings.b && codesOf('b', codings.b) };
  const isAll = (['a', 'b'] as const).every(
    (of) => (codings[of] === undefined) === (codes[of] === undefined),
  );
  return isAll && (codes.a ?? codes.b) !== undefined ? codes : undefined;
}

/** Returns the numeric type of a leaf that decodes as it loads; undefined where a plan or a leaf takes numbers. */
export function onLoadNumeric(
  { levels, style }: Plan,
  { tiling: { family } }: Leaf,
  numeric: Numeric,
  precision: Precision,
): Numeric | undefined {
  const { a, b } = codingsOf(precision);
  const isOnLoad = levels === 0 && style === 'scheduled' && family !== 'column';
  return isOnLoad && (a !== undefined || b !== undefined) ? codedNumeric(numeric, { a, b }) : undefined;
}
