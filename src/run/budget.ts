import { DURATIONS, secondsOf } from '../base/duration.ts';
import type { Extent } from '../problem/covering-design.ts';

/** How long the cases of each kernel may take, and what is drawn of them. */
export interface Budget {
  readonly name: string;
  /** No case of a kernel is begun after so long, and none that would take longer than is left. */
  readonly seconds: number;
  /** Covering designs. */
  readonly rounds: number;
  /** How large the products of a design are. */
  readonly extent: Extent;
  /** Multiplications of the largest shape beside. */
  readonly largest: number;
  /** Every size of each dimension up to it. */
  readonly sizes: number;
  /** Whole programs that a kernel which is not ours is asked for. */
  readonly programs: number;
}

/** From the shortest to the longest. */
export const budgets: readonly Budget[] = [
  {
    name: 'quick',
    seconds: 10,
    rounds: 1,
    extent: { products: 2 ** 24, entries: 2 ** 21 },
    largest: 2 ** 28,
    sizes: 64,
    programs: 2,
  },
  {
    name: 'usual',
    seconds: 60,
    rounds: 1,
    extent: { products: 2 ** 24, entries: 2 ** 21 },
    largest: 2 ** 32,
    sizes: 256,
    programs: 8,
  },
  {
    name: 'thorough',
    seconds: 600,
    rounds: 8,
    extent: { products: 2 ** 27, entries: 2 ** 22 },
    largest: 2 ** 34,
    sizes: 512,
    programs: 24,
  },
  {
    name: 'nightly',
    seconds: 3600,
    rounds: 40,
    extent: { products: 2 ** 27, entries: 2 ** 22 },
    largest: 2 ** 34,
    sizes: 1024,
    programs: 96,
  },
];

/** Seconds that a kernel has which nobody trusts, where no budget is named: those of `quick`, and up to so many for what a pass needs. */
export const JUDGED_AT_MOST = 60;

/** What a budget may be, for messages. */
export const BUDGETS = `${budgets.map(({ name }) => name).join(', ')}, or ${DURATIONS}`;

/** A budget by its name; or a time such as `90s`, with what the longest that is no longer draws. Undefined for other texts. */
export function budgetOf(text: string): Budget | undefined {
  const known = budgets.find(({ name }) => name === text);
  const seconds = secondsOf(text);
  if (known !== undefined || seconds === undefined) return known;
  const kind = budgets.findLast((budget) => budget.seconds <= seconds) ?? budgets[0];
  return { ...kind, name: text, seconds };
}
