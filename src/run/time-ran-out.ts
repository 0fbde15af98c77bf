import { counted } from '../report/numbers.ts';

/** The next step where a machine was too slow. */
const MORE_TIME = 'Give more time with --budget, or ask a fixed number with --cases.';

/**
 * Says that a verdict is missing for time alone, how far the run came, and what to do.
 * @param lacks what a pass would need: a clause.
 * @param next what to do. @defaultValue more time, or a number of cases
 */
export const timeRanOut = (
  { run, planned }: { readonly run: number; readonly planned: number },
  lacks?: string,
  next = MORE_TIME,
): string =>
  `Time ran out after ${run} of ${counted(planned, 'case')}${lacks === undefined ? '' : `; ${lacks}`}. ${next}`;
