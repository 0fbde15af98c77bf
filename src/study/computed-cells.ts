import { toReal } from '../base/real.ts';
import type { StudyCell } from '../run/results.ts';

/** What the study asks of a table of a fast algorithm; the collection's figures have it. */
export interface TableNumbers {
  readonly rank: number;
  readonly nonzeros: number;
  readonly norms: number;
  readonly outputExponent: number;
}

/** How numbers are computed again. */
export interface ComputeOptions {
  /** No size is larger. */
  readonly maxSize: number;
  /** The figures of a table of the catalogue, by its name. @throws ParanoiaError */
  tableOf(name: string): TableNumbers;
}

/** A number that this processor computes again. */
export interface Computed {
  readonly value: number;
  /** Of what is drawn at random: where 95 of 100 numbers of as many random draws as were printed would lie. */
  readonly interval?: readonly [low: number, high: number];
}

/** A published number that needs no device: it follows from a table, or from a simulation. */
export interface ComputedCell extends Pick<StudyCell, 'figure' | 'title' | 'row' | 'column'> {
  readonly published: number;
  /** The size of what is simulated. */
  readonly n?: number;
  /** Decimals that are printed, of a number that is not drawn. */
  readonly decimals?: number;
  /** Why it departs, where that is known. */
  readonly reason?: string;
  compute(options: ComputeOptions): Computed;
}

/** A judged number, and what of it a results file does not say. */
export interface JudgedNumber {
  readonly cell: StudyCell;
  /** Whether it departs and nobody knows why. */
  readonly unexplained: boolean;
  /** Whether it is one of the few that chance puts outside. */
  readonly byChance?: boolean;
}

/** Of numbers that are drawn, so many lie outside their intervals. */
const OUTSIDE = 0.05;
/** So rare that chance is no explanation. */
const RARE = 0.01;

/**
 * Computes published numbers again and judges each. One that is not drawn is close where it rounds to what is printed; one that is drawn
 * where the printed one lies in its interval. Of drawn ones 1 in 20 lies outside: where no more do than chance has it 99 times of 100, they
 * depart for that reason.
 * @param stop asked before each: true leaves the others.
 */
export function judgeComputed(
  cells: readonly ComputedCell[],
  options: ComputeOptions,
  stop: () => boolean = () => false,
): JudgedNumber[] {
  const judged = cells.map((cell) => judgeOne(cell, options, stop));
  const drawn = judged.filter(({ cell }) => cell.interval !== undefined);
  const outside = drawn.filter(({ cell }) => cell.status === 'departs');
  if (outside.length === 0 || chanceOf(outside.length, drawn.length) < RARE) return judged;
  const note = `It lies outside: ${outside.length} of ${drawn.length} do, and 1 in 20 is to be expected.`;
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
  if (n !== undefined && n > options.maxSize)
    return leave(`n = ${n} is more than --max-size, ${options.maxSize}.`);
  if (stop()) return leave('The run ended before it.');
  const { value, interval } = planned.compute(options);
  const close = isClose(planned, value, interval);
  const found = { measured: toReal(value), ratio: toReal(value / published) };
  const within =
    interval === undefined ? {} : { interval: [toReal(interval[0]), toReal(interval[1])] as const };
  const why = reason ?? 'It is not what is printed, and nobody knows why.';
  return {
    cell: {
      ...{ ...about, ...found, ...within },
      ...(close ? { status: 'close' } : { status: 'departs', note: why }),
    } as StudyCell,
    unexplained: !close && reason === undefined,
  };
}

/** Within half a unit of the last decimal, which is itself no double. */
function isClose(
  { published, decimals = 0 }: ComputedCell,
  value: number,
  interval: Computed['interval'],
): boolean {
  if (interval !== undefined) return interval[0] <= published && published <= interval[1];
  return Math.abs(value - published) <= (10 ** -decimals / 2) * (1 + 1e-9);
}

/** How likely it is that of `count` so many or more lie outside: the tail of the binomial distribution. */
export function chanceOf(outside: number, count: number): number {
  let term = (1 - OUTSIDE) ** count;
  let below = 0;
  for (let i = 0; i < outside; i++) {
    below += term;
    term *= ((count - i) / (i + 1)) * (OUTSIDE / (1 - OUTSIDE));
  }
  return Math.max(0, 1 - below);
}
