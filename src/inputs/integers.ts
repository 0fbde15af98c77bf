import { createRandom } from '../base/random.ts';
import { OURS } from '../base/registry.ts';
import type { Matrix } from '../matrix/dense.ts';
import { type Coding, hasOffsets, type Operand } from '../precision/coding/coding.ts';
import { endsOf } from '../precision/coding/fill.ts';
import { type Format, isWholeFormat } from '../precision/format.ts';
import type { Precision } from '../precision/precision.ts';
import { singlePrecision } from '../precision/single.ts';
import {
  ACCEPTED,
  type Acceptance,
  acceptIf,
  acceptWhole,
  type GenerationContext,
  type InputShape,
  inputFamily,
  reachOfIntegers,
} from './input.ts';
import { integerBudget, largestSum, operandLimit } from './integer-budget.ts';

/**
 * Whole numbers other than 0, small enough that every sum of an algorithm with the requested levels is exact. None is 0, so that every
 * term counts.
 */
export const integers = inputFamily({
  name: 'integers',
  what: 'Small random whole numbers other than 0; all sums stay exact through all levels.',
  source: OURS,
  catches: 'Any wrong index, tail, dropped term or sign, at zero tolerance.',
  statistics: 'structured',
  exactness: 'integers',
  reachOf: reachOfIntegers,
  accepts: (shape) =>
    acceptWhole(
      integerBudget(shape.k, shape) >= 1 && operandLimit(shape) >= 1,
      shape,
      `with ${shape.levels ?? 0} levels and k = ${shape.k}, even sums of ±1 could exceed the exact range of ${(shape.precision ?? singlePrecision).name}`,
    ),
  make: (request) => {
    const { maxA, maxB } = integerMagnitudes(request);
    const { m, k, n, random, fill } = request;
    const [ra, rb] = [random(1), random(2)];
    return {
      a: fill(m, k, () => ra.sign() * ra.int(1, maxA)),
      b: fill(k, n, () => rb.sign() * rb.int(1, maxB)),
    };
  },
});

/** Returns the largest magnitudes of entries of A and B, near each other, whose sums stay exact for the shape. */
export function integerMagnitudes(shape: InputShape): { maxA: number; maxB: number } {
  const budget = integerBudget(shape.k, shape);
  const limit = operandLimit(shape);
  const maxB = Math.min(limit, Math.floor(Math.sqrt(budget)));
  return { maxA: Math.min(limit, Math.floor(budget / maxB)), maxB };
}

const LARGEST_BYTE = 255;

const weightsOf = (shape: InputShape): number =>
  Math.min(
    operandLimit(shape) < LARGEST_BYTE ? 0 : LARGEST_BYTE,
    Math.floor(integerBudget(shape.k, shape) / LARGEST_BYTE),
  );

/** The entries of pictures and of quantized activations: whole numbers of one sign that fill eight bits. */
export const bytes = inputFamily({
  name: 'bytes',
  what: 'A holds whole numbers from 0 to 255, B small ones of both signs; all sums stay exact.',
  source: 'pixels of images, and weights of filters',
  catches: 'Bytes read as signed or kept in seven bits, at zero tolerance.',
  statistics: 'structured',
  exactness: 'integers',
  reachOf: reachOfIntegers,
  accepts: (shape) =>
    acceptWhole(
      weightsOf(shape) >= 1,
      shape,
      `with k = ${shape.k}, sums of bytes could exceed the range of exact sums`,
    ),
  make: (request) => {
    const most = weightsOf(request);
    const { m, k, n, random, fill } = request;
    const [ra, rb] = [random(1), random(2)];
    return { a: fill(m, k, () => ra.int(0, LARGEST_BYTE)), b: fill(k, n, () => rb.sign() * rb.int(1, most)) };
  },
});

/** One row or column in this many is drawn entry by entry. Each of the others is one end throughout. */
const MIXED_EVERY = 4;

/**
 * Returns the least and the largest entry of A or B. Undefined unless these are whole numbers without zero points and minima. The factors of coded
 * operands are then powers of two.
 */
function endsIn(
  of: Operand,
  { coded, [of]: stored }: Precision,
): { least: number; most: number } | undefined {
  const coding: Coding | undefined = coded?.[of];
  const format: Format = coding?.element ?? stored;
  const isWhole = format.minSubnormal === 1 && format.underflow.kept === 0;
  return isWhole && (coding === undefined || !hasOffsets(coding)) ? endsOf(format) : undefined;
}

const BLOCKS_LEAVE: Acceptance = { ok: false, reason: 'sums of blocks would leave the range of entries' };

function acceptEnds(shape: InputShape): Acceptance {
  const { precision = singlePrecision, levels = 0, k } = shape;
  const [a, b] = [endsIn('a', precision), endsIn('b', precision)];
  if (a === undefined || b === undefined)
    return { ok: false, reason: `entries of ${precision.name} are not whole numbers of a limited range` };
  if (levels > 0) return BLOCKS_LEAVE;
  const most = Math.max(-a.least, a.most) * Math.max(-b.least, b.most) * largestSum(k, shape);
  return acceptIf(
    most <= 2 ** precision.accumulated.integerBits,
    `with k = ${k}, sums could exceed the range of exact sums`,
  );
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
  accepts: acceptEnds,
  make: endsOnLines,
});

/** Makes most rows of A and columns of B one end throughout, and draws the others entry by entry. */
function endsOnLines({ m, k, n, fitted, random, fill }: GenerationContext): { a: Matrix; b: Matrix } {
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

/** The largest sum of 32 bits, and the most that entries of C lie below it. */
const [LARGEST_SUM, BELOW] = [2 ** 31 - 1, 2 ** 10];
/** A random stream that nothing else uses. */
const STREAM = 1001;

/** Overflow of 32-bit sums: by many terms, by alpha, or by beta times an addend near the end. */
export const overflows = inputFamily({
  name: 'overflows',
  what: 'Entries at the limits of their formats, and of C near those of 32 bits, so that sums overflow.',
  source: 'NVIDIA, PTX ISA, mma: .satfinite clamps a 32-bit integer, else it wraps',
  catches: 'Sums that saturate although the claim is wrapping, and vice versa.',
  statistics: 'structured',
  exactness: 'none',
  leavesRange: true,
  reach: { entries: 8, sums: 15 },
  accepts({ precision = singlePrecision, levels = 0 }) {
    const hasEnds = endsIn('a', precision) !== undefined && endsIn('b', precision) !== undefined;
    if (isWholeFormat(precision.accumulated) && hasEnds) return levels > 0 ? BLOCKS_LEAVE : ACCEPTED;
    return { ok: false, reason: `sums of ${precision.name} are not 32-bit integers` };
  },
  make: endsOnLines,
  editAddend(c, seed) {
    const random = createRandom(seed, STREAM);
    for (let e = 0; e < c.data.length; e++) c.data[e] = random.sign() * (LARGEST_SUM - random.int(0, BELOW));
  },
});
