import { toJsonNumber } from '../base/numbers.ts';
import type { StudyCell } from '../run/results.ts';

/** The numbers of a fast algorithm's table that a study needs. The figures of the collection contain them. */
export interface TableNumbers {
  readonly rank: number;
  readonly nonzeros: number;
  readonly norms: number;
  readonly outputExponent: number;
}

export interface ComputeOptions {
  readonly maxSize: number;
  /** Returns the figures of a fast algorithm table, by its name. @throws ParanoiaError */
  tableOf(name: string): TableNumbers;
}

/** A published number, computed again. */
export interface RecomputedNumber {
  readonly value: number;
  /** The 95 % interval of a number from as many random draws as the published one; absent where it is not random. */
  readonly interval?: readonly [low: number, high: number];
}

/** A published number that needs no device: it follows from a table, or from a simulation. */
export interface ComputedCell extends Pick<StudyCell, 'figure' | 'title' | 'row' | 'column'> {
  readonly published: number;
  /** The size of the simulation. */
  readonly n?: number;
  /** Published decimals, of a number that is not random. */
  readonly decimals?: number;
  /** The reason why the number departs, where it is known. */
  readonly reason?: string;
  compute(options: ComputeOptions): RecomputedNumber;
}

/** A judged number, with facts that a results file does not hold. */
export interface JudgedNumber {
  readonly cell: StudyCell;
  /** True if it departs for an unknown reason. */
  readonly unexplained: boolean;
  /** True if it is one of the few that chance puts outside. */
  readonly byChance?: boolean;
}

/** Expected share of random numbers outside their intervals. */
const OUTSIDE = 0.05;
/** Probability below which chance is no explanation. */
const RARE = 0.01;

/**
 * Computes published numbers again and judges each. A number that is not random is close if it rounds to the published one. A random number
 * is close if the published one lies in its interval. 1 in 20 of the random ones is expected outside. If their number has a probability of
 * at least 1 %, they depart by chance.
 * @param stop called before each: true leaves out the others.
 */
export function judgeComputed(
  cells: readonly ComputedCell[],
  options: ComputeOptions,
  stop: () => boolean = () => false,
): JudgedNumber[] {
  const judged = cells.map((cell) => judgeOne(cell, options, stop));
  const drawn = judged.filter(({ cell }) => cell.interval !== undefined);
  const outside = drawn.filter(({ cell }) => cell.status === 'departs');
  if (outside.length === 0 || chanceOutside(outside.length, drawn.length) < RARE) return judged;
  const note = `It lies outside the interval, as do ${outside.length} of ${drawn.length}; chance puts about 1 in 20 there.`;
  return judged.map((one) =>
    outside.includes(one) ? { cell: { ...one.cell, note }, unexplained: false, byChance: true } : one,
  );
}

function judgeOne(planned: ComputedCell, options: ComputeOptions, stop: () => boolean): JudgedNumber {
  const { figure, title, row, column, published, decimals, n, reason } = planned;
  const about = { figure, title, row, column, published, ...(decimals === undefined ? {} : { decimals }) };
  const leave = (note: string): JudgedNumber => ({
    cell: { ...about, status: 'not-measured', note },
    unexplained: false,
  });
  if (n !== undefined && n > options.maxSize) return leave(`n = ${n} exceeds --max-size ${options.maxSize}.`);
  if (stop()) return leave('The run ended first.');
  const { value, interval } = planned.compute(options);
  const close = isClose(planned, value, interval);
  const found = { measured: toJsonNumber(value), ratio: toJsonNumber(value / published) };
  const within =
    interval === undefined
      ? {}
      : { interval: [toJsonNumber(interval[0]), toJsonNumber(interval[1])] as const };
  const why = reason ?? 'It differs from the published value for no known reason.';
  return {
    cell: {
      ...{ ...about, ...found, ...within },
      ...(close ? { status: 'close' } : { status: 'departs', note: why }),
    } as StudyCell,
    unexplained: !close && reason === undefined,
  };
}

/**
 * True if the published number lies in the interval or, without one, within half a unit of its last decimal. Since that unit is no double,
 * a small excess is allowed.
 */
function isClose(
  { published, decimals = 0 }: ComputedCell,
  value: number,
  interval: RecomputedNumber['interval'],
): boolean {
  if (interval !== undefined) return interval[0] <= published && published <= interval[1];
  return Math.abs(value - published) <= (10 ** -decimals / 2) * (1 + 1e-9);
}

/** Returns the probability that at least so many of `count` lie outside: the tail of the binomial distribution. */
export function chanceOutside(outside: number, count: number): number {
  let term = (1 - OUTSIDE) ** count;
  let below = 0;
  for (let i = 0; i < outside; i++) {
    below += term;
    term *= ((count - i) / (i + 1)) * (OUTSIDE / (1 - OUTSIDE));
  }
  return Math.max(0, 1 - below);
}
