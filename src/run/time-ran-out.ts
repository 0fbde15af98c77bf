import { formatCount } from '../report/numbers.ts';

/** Next step where a machine was too slow. */
const MORE_TIME = 'Give more time with --budget, or set a number of cases with --cases.';

/**
 * Says that a verdict is missing only for lack of time, how far the run came, and what to do.
 * @param lacks what a pass would need: a clause.
 * @param next the next step. @defaultValue more time, or a number of cases
 */
export const describeTimeout = (
  { run, planned }: { readonly run: number; readonly planned: number },
  lacks?: string,
  next = MORE_TIME,
): string =>
  `Time ran out after ${run} of ${formatCount(planned, 'case')}${lacks === undefined ? '' : `; ${lacks}`}. ${next}`;
