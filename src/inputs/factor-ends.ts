import { exponentOf } from '../base/binary64.ts';
import type { Random } from '../base/random.ts';
import { type Matrix, matrix } from '../matrix/dense.ts';
import { allocateEntries, type CodedMatrix, type QuantizedMatrix } from '../matrix/operands.ts';
import {
  type BlockScale,
  type Coding,
  lineAccessOf,
  type Operand,
  scaleSize,
} from '../precision/coding/coding.ts';
import { decodeCoded } from '../precision/coding/decode-coded.ts';
import { endsOf } from '../precision/coding/fill.ts';
import { type Format, f32 } from '../precision/format.ts';
import { acceptIf, type GenerationContext, type InputPair, inputFamily } from './input.ts';

/** The factors of one operand, and whether those of the other compensate as far as they can. */
interface Mode {
  readonly of: Operand;
  readonly end: 'low' | 'high';
  readonly isMadeGood: boolean;
}

type Codings = { readonly [of in Operand]?: Coding | undefined };

/** Returns the mode of a seed, which takes all choices in turn. If only weights are coded, the operand is B. */
function modeOf(seed: number, coded: Codings): Mode {
  const of = coded.a !== undefined && seed % 2 === 0 ? 'a' : 'b';
  return { of, end: (seed >> 1) % 2 === 0 ? 'low' : 'high', isMadeGood: (seed >> 2) % 2 === 0 };
}

/** True if a seed gives the smallest factors, and nothing compensates for them: a product of two factors may then be flushed. */
export function mayVanish(seed: number): boolean {
  const { end, isMadeGood } = modeOf(seed, {});
  return end === 'low' && !isMadeGood;
}

/** True if the other operand compensates for the factors of a seed. */
export const isCompensated = (seed: number): boolean => modeOf(seed, {}).isMadeGood;

/** Largest binary exponent of sums and of their multiplied parts, in binary32, whatever is multiplied first. */
const MOST = 126;
/** Binary exponent of the product of compensated factors. */
const NEAR = -16;
/** Number of values at an end from which factors are drawn. */
const DRAWN = 4;

/** Returns the smallest factors. In binary32 they are normal, since subnormal ones may be flushed. */
function lowest({ bytes, minNormal, minSubnormal }: Format): number[] {
  const isOfPowers = bytes === 4 || minSubnormal === minNormal;
  const least = bytes === 4 ? minNormal : minSubnormal;
  return Array.from({ length: DRAWN }, (_, at) => least * (isOfPowers ? 2 ** at : 2 * at + 1));
}

/** Returns the largest factors up to a power of two. */
function highest({ maxFinite }: Format, most: number): number[] {
  const top = Math.min(most, exponentOf(maxFinite));
  const powers = Array.from({ length: DRAWN }, (_, at) => 2 ** (top - at));
  return exponentOf(maxFinite) <= most ? [maxFinite, ...powers] : powers;
}

const make = (request: GenerationContext): Omit<InputPair, 'hasSpecials'> => {
  const { k, fitted, seed, sharedSeed = seed } = request;
  const coded = fitted.coded ?? {};
  const mode = modeOf(sharedSeed, coded);
  const own = coded[mode.of] as Coding;
  const largest = mode.end === 'low' ? endsOf(own.element).most : 1;
  const room = MOST - Math.ceil(Math.log2(Math.max(1, k) * largest));
  const random = request.random(1);
  const levels = own.scales.flatMap(({ subtracted }, at) => (subtracted === true ? [] : [at]));
  const level = levels[random.int(0, levels.length - 1)];
  const { format } = own.scales[level];
  const atEnd =
    mode.end === 'low' ? lowest(format) : highest(format, room - exponentOf(endsOf(own.element).most));
  const good = mode.isMadeGood ? Math.min(room, Math.max(-room, NEAR - exponentOf(atEnd[0]))) : 0;
  const factors = {
    own: factorsOf(level, (line) => (line % 2 === 0 ? atEnd[0] : atEnd[random.int(0, DRAWN - 1)])),
    other: (coding: Coding) => widest(coding, good),
  };
  const made = (of: Operand): Partial<QuantizedMatrix> & { decoded: Matrix } => {
    const size = of === 'a' ? { rows: request.m, cols: k } : { rows: k, cols: request.n };
    const coding = coded[of];
    if (coding === undefined) return { decoded: powers(size, 2 ** good, fitted[of], request.random(2)) };
    const isOwn = of === mode.of;
    const element = isOwn ? largest : 1;
    const all = codesOf(
      coding,
      of,
      size,
      element,
      isOwn ? factors.own : factors.other(coding),
      request.random(2),
    );
    return { coded: all, decoded: decodeCoded(all, of, coding) };
  };
  const [a, b] = [made('a'), made('b')];
  const hasSubnormals = [a, b].some(({ decoded }) => decoded.data.some((x) => Math.abs(x) < f32.minNormal));
  return { a: a.decoded, b: b.decoded, coded: { a: known(a), b: known(b) }, hasSubnormals };
};

const known = ({
  coded,
  decoded,
}: Partial<QuantizedMatrix> & { decoded: Matrix }): QuantizedMatrix | undefined =>
  coded && { coded, decoded };

type Factor = (line: number, level: number) => number;

/** Returns factors of 1 at each level except the chosen one. */
const factorsOf =
  (chosen: number, at: (line: number) => number): Factor =>
  (line, level) =>
    level === chosen ? at(line) : 1;

/** Returns the nearest power of two at the level with the widest range, and 1 at others. */
function widest({ scales }: Coding, exponent: number): Factor {
  const reach = ({ format }: BlockScale) => exponentOf(format.maxFinite);
  const chosen = scales.reduce((best, one, level) => (reach(one) > reach(scales[best]) ? level : best), 0);
  const { maxFinite, minNormal } = scales[chosen].format;
  const held = Math.min(exponentOf(maxFinite), Math.max(exponentOf(minNormal), exponent));
  return (_, level) => (level === chosen ? 2 ** held : 1);
}

/** Returns codes with elements of one magnitude. Lines have one sign, where elements have signs. Zero points are 0 or as low as they go. */
function codesOf(
  coding: Coding,
  of: Operand,
  size: Pick<Matrix, 'rows' | 'cols'>,
  element: number,
  factor: Factor,
  random: Random,
): CodedMatrix {
  const { lines, entries, at } = lineAccessOf(size, of);
  const data = new Float32Array(lines * entries);
  const zero = coding.zero === undefined ? 0 : Math.max(0, endsOf(coding.zero).least);
  const isSigned = coding.element.round(-element) === -element;
  for (let line = 0; line < lines; line++) {
    const sign = isSigned ? random.sign() : 1;
    for (let entry = 0; entry < entries; entry++) data[at(line, entry)] = sign * element;
  }
  const scales = coding.scales.map((block, level) => {
    const { rows, cols } = scaleSize(size, of, block);
    const chosen = Array.from({ length: rows * cols }, (_, e) =>
      block.subtracted === true ? 0 : factor(Math.floor(e / cols), level),
    );
    return { rows, cols, data: Float32Array.from(chosen) };
  });
  const zeros = { ...scales[0], data: new Float32Array(scales[0].data.length).fill(zero) };
  return { elements: { ...size, data }, scales, ...(coding.zero === undefined ? {} : { zeros }) };
}

/** Returns an operand without codes: a power of two of either sign. */
function powers(
  { rows, cols }: Pick<Matrix, 'rows' | 'cols'>,
  size: number,
  format: Format,
  random: Random,
): Matrix {
  return matrix(
    rows,
    cols,
    allocateEntries(format, rows * cols).map(() => random.sign() * size),
  );
}

/** Block factors that a kernel may take for zero or cut off, since such small or large ones are rare. */
export const factorEnds = inputFamily({
  name: 'factor-ends',
  what: 'Block factors of one operand are the smallest or largest of the format; those of the other compensate or are 1. Elements are 1 or the largest.',
  source: 'code 0 of e8m0, 2^-127, decoded as 0 (NVIDIA TransformerEngine, pull request 3262)',
  catches: 'Smallest factors taken for 0 or for normal ones, and truncated exponents of factors.',
  statistics: 'structured',
  exactness: 'none',
  accepts: ({ precision }) =>
    acceptIf(precision?.coded !== undefined, `operands of ${precision?.name ?? 'f32'} have no factors`),
  make,
});
