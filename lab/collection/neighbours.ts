import type { BlockGrid } from '../../src/algorithms/algorithm.ts';
import type { Random } from '../../src/base/random.ts';

/** A mutable table: rows of `u`, `v` and `w` as a list of three, with dyadic coefficients. */
export interface Draft {
  readonly base: BlockGrid;
  readonly parts: readonly [number[][], number[][], number[][]];
}

/** Undoes a step. */
export type UndoStep = () => void;

/** Limits of steps: the largest coefficient, and whether halves are allowed. */
export interface StepLimits {
  readonly most: number;
  readonly halves: boolean;
}

/**
 * Makes a flip (Kauers and Moosbauer 2022; over the integers: Arai, Ichikawa, Hukushima 2024). Two products that share a factor
 * up to its sign σ exchange parts of the other factors:
 *
 *     a⊗b⊗c + σa⊗b'⊗c' = a⊗(b + τb')⊗c + σa⊗b'⊗(c' − στc).
 *
 * The table still multiplies matrices, with as many products. The pair and τ are drawn.
 * @returns the undo function; undefined if no product shares a factor, or a coefficient would exceed the limits
 */
export function flip({ parts }: Draft, random: Random, allowed: StepLimits): UndoStep | undefined {
  const products = parts[0].length;
  const [shared, added, taken] = random.permutation(3);
  const r = random.int(0, products - 1);
  const others: number[] = [];
  for (let s = 0; s < products; s++)
    if (s !== r && signOf(parts[shared][r], parts[shared][s]) !== 0) others.push(s);
  if (others.length === 0) return undefined;
  const s = others[random.int(0, others.length - 1)];
  const sign = signOf(parts[shared][r], parts[shared][s]);
  const tau = factorOf(random, allowed);
  const sum = combined(parts[added][r], parts[added][s], tau, allowed);
  const rest = combined(parts[taken][s], parts[taken][r], -sign * tau, allowed);
  if (sum === undefined || rest === undefined) return undefined;
  const [oldSum, oldRest] = [parts[added][r], parts[taken][s]];
  parts[added][r] = sum;
  parts[taken][s] = rest;
  return () => {
    parts[added][r] = oldSum;
    parts[taken][s] = oldRest;
  };
}

/** The matrices that have a dimension as rows or columns: A's rows, the inner dimension, B's columns. */
const DIMENSIONS = [
  { of: 'm', holders: [0, 2], isRow: [true, true] },
  { of: 'k', holders: [0, 1], isRow: [false, true] },
  { of: 'n', holders: [1, 2], isRow: [false, false] },
] as const;

/**
 * Changes the basis of one dimension (de Groote 1978): in one matrix with the dimension, index b gets τ times index a added; in
 * the other, a gets τ times b subtracted. The dimension, the indices and τ are drawn.
 * @returns the undo function; undefined if nothing can be drawn, or a coefficient would exceed the limits
 */
export function shear({ base, parts }: Draft, random: Random, allowed: StepLimits): UndoStep | undefined {
  const { of, holders, isRow } = DIMENSIONS[random.int(0, 2)];
  if (base[of] < 2) return undefined;
  const [a, b] = random.permutation(base[of]);
  const tau = factorOf(random, allowed);
  const widths = [base.k, base.n, base.n];
  const first = sheared(parts[holders[0]], widths[holders[0]], isRow[0], [b, a], tau, allowed);
  const second = first && sheared(parts[holders[1]], widths[holders[1]], isRow[1], [a, b], -tau, allowed);
  if (first === undefined || second === undefined) return undefined;
  const old = [[...parts[holders[0]]], [...parts[holders[1]]]];
  const put = (at: number, rows: readonly number[][]) => parts[at].splice(0, rows.length, ...rows);
  put(holders[0], first);
  put(holders[1], second);
  return () => {
    put(holders[0], old[0]);
    put(holders[1], old[1]);
  };
}

/** Adds `tau` times line `from` of blocks to line `to`, in each row. */
function sheared(
  rows: readonly number[][],
  width: number,
  isRow: boolean,
  [to, from]: readonly [number, number],
  tau: number,
  allowed: StepLimits,
): number[][] | undefined {
  const changed: number[][] = [];
  for (const row of rows) {
    const next = [...row];
    const length = isRow ? width : row.length / width;
    for (let x = 0; x < length; x++) {
      const at = (line: number) => (isRow ? line * width + x : x * width + line);
      const value = row[at(to)] + tau * row[at(from)];
      if (!isAllowed(value, allowed)) return undefined;
      next[at(to)] = value;
    }
    changed.push(next);
  }
  return changed;
}

function factorOf(random: Random, { halves }: StepLimits): number {
  const sign = random.int(0, 1) === 0 ? 1 : -1;
  return halves ? sign * 2 ** random.int(-1, 1) : sign;
}

/** x + τy; undefined if it is empty, or a coefficient exceeds the limits. */
function combined(
  x: readonly number[],
  y: readonly number[],
  tau: number,
  allowed: StepLimits,
): number[] | undefined {
  const sum = x.map((value, at) => value + tau * y[at]);
  return sum.every((value) => isAllowed(value, allowed)) && sum.some((value) => value !== 0)
    ? sum
    : undefined;
}

const isAllowed = (value: number, { most, halves }: StepLimits): boolean =>
  Math.abs(value) <= most && Number.isInteger(halves ? 8 * value : value);

/** The sign σ = ±1 with x = σy; 0 if there is none. */
function signOf(x: readonly number[], y: readonly number[]): number {
  const at = x.findIndex((value) => value !== 0);
  const sign = y[at] === x[at] ? 1 : y[at] === -x[at] ? -1 : 0;
  return sign !== 0 && x.every((value, e) => y[e] === sign * value) ? sign : 0;
}
