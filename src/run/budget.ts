import { type Clock, DURATIONS, parseSeconds, stillClock, wallClock } from '../base/time.ts';
import type { Extent } from '../problem/covering-design.ts';

/** A limit that counts cases, and so does not depend on a clock. */
interface Count {
  readonly cases: number;
}

/** The limit of the cases of each kernel: seconds, or a count of cases. */
export type RunLimit = number | Count;

export const isCounted = (budget: object | number | undefined): budget is Count =>
  typeof budget === 'object' && 'cases' in budget;

/** Returns the seconds of a limit: infinity where it counts cases. */
export const secondsIn = (budget: RunLimit = Number.POSITIVE_INFINITY): number =>
  isCounted(budget) ? Number.POSITIVE_INFINITY : budget;

/** Returns the clock of the time limits of a run: `clock`, or one that stands still where the budget counts cases. */
export const clockOf = (budget: object | number | undefined, clock: Clock = wallClock): Clock =>
  isCounted(budget) ? stillClock : clock;

/** Time limit for the cases of each kernel, and the amount of cases drawn for it. */
export interface Budget {
  readonly name: string;
  /** Seconds after which no case of a kernel starts. A case that would take longer than the time left does not start either. */
  readonly seconds: number;
  /** Number of covering designs. */
  readonly rounds: number;
  /** Extent of the products of a design. */
  readonly extent: Extent;
  /** Multiplications of the largest shape outside the designs. */
  readonly largest: number;
  /** Largest size up to which every size of each dimension is tested. */
  readonly sizes: number;
  /** Number of whole programs for an external kernel. */
  readonly programs: number;
  /** Number of sweeps of small sizes for an external kernel. */
  readonly sweeps: number;
}

/** The built-in budgets, from the shortest to the longest. */
export const budgets: readonly Budget[] = [
  {
    name: 'quick',
    seconds: 10,
    rounds: 1,
    extent: { products: 2 ** 24, entries: 2 ** 21 },
    largest: 2 ** 28,
    sizes: 64,
    programs: 2,
    sweeps: 4,
  },
  {
    name: 'usual',
    seconds: 60,
    rounds: 1,
    extent: { products: 2 ** 24, entries: 2 ** 21 },
    largest: 2 ** 32,
    sizes: 256,
    programs: 8,
    sweeps: 16,
  },
  {
    name: 'thorough',
    seconds: 600,
    rounds: 8,
    extent: { products: 2 ** 27, entries: 2 ** 22 },
    largest: 2 ** 34,
    sizes: 512,
    programs: 24,
    sweeps: 64,
  },
  {
    name: 'nightly',
    seconds: 3600,
    rounds: 40,
    extent: { products: 2 ** 27, entries: 2 ** 22 },
    largest: 2 ** 34,
    sizes: 1024,
    programs: 96,
    sweeps: 256,
  },
];

/** Most seconds for an untrusted kernel where no budget is named: those of `quick`, extended up to this limit for what a pass needs. */
export const JUDGED_AT_MOST = 60;

/** The accepted budgets, for messages. */
export const BUDGETS = `${budgets.map(({ name }) => name).join(', ')}, or ${DURATIONS}`;

/**
 * Reads a budget from its name or from a duration such as `90s`. A duration draws as much as the longest named budget that fits in it.
 * Returns undefined for other texts.
 */
export function budgetOf(text: string): Budget | undefined {
  const known = budgets.find(({ name }) => name === text);
  const seconds = parseSeconds(text);
  if (known !== undefined || seconds === undefined) return known;
  const kind = budgets.findLast((budget) => budget.seconds <= seconds) ?? budgets[0];
  return { ...kind, name: text, seconds };
}
