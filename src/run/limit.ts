import * as z from 'zod/mini';
import { type Clock, stillClock, wallClock } from '../base/time.ts';

/** The limit of the cases of each kernel: seconds, or a count of cases that does not depend on a clock. */
export const limit = z.union([z.number(), z.object({ cases: z.int().check(z.gte(1)) })]);
export type RunLimit = z.infer<typeof limit>;
type Count = Exclude<RunLimit, number>;

/** True if a budget counts cases. */
export const isCounted = (budget: object | number | undefined): budget is Count =>
  typeof budget === 'object' && 'cases' in budget;

/** Returns the seconds of a limit: infinity where it counts cases. */
export const secondsIn = (budget: RunLimit = Number.POSITIVE_INFINITY): number =>
  isCounted(budget) ? Number.POSITIVE_INFINITY : budget;

/** Returns the clock of the time limits of a run: `clock`, or one that stands still where the budget counts cases. */
export const clockOf = (budget: object | number | undefined, clock: Clock = wallClock): Clock =>
  isCounted(budget) ? stillClock : clock;
