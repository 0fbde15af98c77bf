import { type Random, seeded } from '../base/random.ts';
import { fill } from '../inputs/fill.ts';
import type { Matrix } from '../matrix/dense.ts';
import type { Precision } from '../precision/precision.ts';

/** Square operands that tell grades apart. */
export interface GradingOperands {
  readonly name: string;
  /** One clause: the grade that they keep from whom. */
  readonly tells: string;
  /** The exponent of two that entry (i, p) of A is scaled by, of n·n, where s is the precision's {@link spreadOf}. */
  readonly scaleA: Scale;
  readonly scaleB: Scale;
}

type Scale = (row: number, col: number, n: number, s: number, random: Random) => number;

const half = (at: number, n: number, s: number) => (2 * at < n ? -s : s);

/**
 * Entries are ±[½, 1) times powers of two, so that nothing underflows. What is scaled is told in halves: recursion in any
 * number of levels adds one half to the other.
 */
export const gradingOperands: readonly GradingOperands[] = [
  {
    name: 'uniform',
    tells: 'whether the errors are those of the precision at all',
    scaleA: () => 0,
    scaleB: () => 0,
  },
  {
    name: 'rows of A and columns of B scaled',
    tells: 'keeps B from algorithms that add rows or columns, and from one exponent for a whole matrix',
    scaleA: (i, _, n, s) => half(i, n, s),
    scaleB: (_, j, n, s) => half(j, n, s),
  },
  {
    name: 'columns of A and rows of B scaled',
    tells: 'keeps A from algorithms that add blocks, whose scaling of rows and columns changes nothing here',
    scaleA: (_, p, n, s) => -half(p, n, s),
    scaleB: (p, _, n, s) => half(p, n, s),
  },
  {
    name: 'wide exponents',
    tells: 'keeps A from fixed point, and from operands split into too few parts',
    scaleA: (_row, _col, _n, s, random) => random.int(-s, s),
    scaleB: (_row, _col, _n, s, random) => random.int(-s, s),
  },
];

/** Makes A and B, n×n. */
export function makeOperands(
  { scaleA, scaleB }: GradingOperands,
  n: number,
  { precision, seed }: { readonly precision: Precision; readonly seed: number },
): { a: Matrix; b: Matrix } {
  const s = spreadOf(precision);
  const grain = precision.a.bytes > 4 ? 'fine' : 'coarse';
  const made = (scale: Scale, stream: number) => {
    const random = seeded(seed, stream, grain);
    const entry = (i: number, j: number) =>
      random.sign() * random.uniform(0.5, 1) * 2 ** scale(i, j, n, s, random);
    return fill(n, n, entry, precision.a);
  };
  return { a: made(scaleA, 1), b: made(scaleB, 2) };
}

/** Largest exponents of two to scale by: products and their sums stay far from both ends of the operands' range. */
function spreadOf({ multiplied }: Precision): number {
  return Math.min(MOST, Math.floor(-Math.log2(multiplied.minNormal) / 4));
}

const MOST = 10;
