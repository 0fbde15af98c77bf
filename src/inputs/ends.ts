import type { Matrix } from '../matrix/dense.ts';
import { type Coding, hasOffsets, type Operand } from '../precision/coding/coding.ts';
import { endsOf } from '../precision/coding/fill.ts';
import type { Format } from '../precision/format.ts';
import type { Precision } from '../precision/precision.ts';
import { singlePrecision } from '../precision/single.ts';
import { ACCEPTED, type GenerationContext, type InputShape, inputFamily, reachOfIntegers } from './input.ts';
import { largestSum } from './integer-budget.ts';

/** One row or column in this many is drawn entry by entry. Each of the others is one end throughout. */
const MIXED_EVERY = 4;

/**
 * Returns the least and the largest entry of A or B. Undefined unless these are whole numbers without zero points and minima. The factors of coded
 * operands are then powers of two.
 */
export function endsIn(
  of: Operand,
  { coded, [of]: stored }: Precision,
): { least: number; most: number } | undefined {
  const coding: Coding | undefined = coded?.[of];
  const format: Format = coding?.element ?? stored;
  const isWhole = format.minSubnormal === 1 && format.underflow.kept === 0;
  return isWhole && (coding === undefined || !hasOffsets(coding)) ? endsOf(format) : undefined;
}

function whyNot(shape: InputShape): string | undefined {
  const { precision = singlePrecision, levels = 0, k } = shape;
  const [a, b] = [endsIn('a', precision), endsIn('b', precision)];
  if (a === undefined || b === undefined)
    return `entries of ${precision.name} are not whole numbers of a limited range`;
  if (levels > 0) return 'sums of blocks would leave the range of entries';
  const most = Math.max(-a.least, a.most) * Math.max(-b.least, b.most) * largestSum(k, shape);
  return most <= 2 ** precision.accumulated.integerBits
    ? undefined
    : `with k = ${k}, sums could exceed the range of exact sums`;
}

/** Extreme whole numbers. They break kernels that multiply in too few bits, add products in pairs, or negate the least number. */
export const ends = inputFamily({
  name: 'ends',
  what: 'The smallest and largest whole numbers of the format; most rows and columns repeat one of them.',
  source: 'saturating multiply-adds of CPUs (x86, VPMADDUBSW)',
  catches: 'Pairs of products that overflow 16 bits, sums that overflow 24, and −128 taken for −127.',
  statistics: 'structured',
  exactness: 'integers',
  reachOf: reachOfIntegers,
  accepts: (shape) => {
    const reason = whyNot(shape);
    return reason === undefined ? ACCEPTED : { ok: false, reason };
  },
  make: endsOnLines,
});

/** Makes most rows of A and columns of B one end throughout, and draws the others entry by entry. */
export function endsOnLines({ m, k, n, fitted, random, fill }: GenerationContext): { a: Matrix; b: Matrix } {
  const make = (of: Operand, lines: number, stream: number) => {
    const { least, most } = endsIn(of, fitted) ?? { least: 0, most: 0 };
    const drawn = random(stream);
    const either = () => (drawn.sign() > 0 ? most : least);
    const lineOf = () => (drawn.int(1, MIXED_EVERY) === 1 ? undefined : either());
    const own = Array.from({ length: lines }, lineOf);
    return (line: number) => own[line] ?? either();
  };
  const [x, y] = [make('a', m, 1), make('b', n, 2)];
  return { a: fill(m, k, (i) => x(i)), b: fill(k, n, (_, j) => y(j)) };
}
