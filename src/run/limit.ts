import * as z from 'zod/mini';
import { type Clock, stillClock, wallClock } from '../base/clock.ts';

/** The limit of the cases of each kernel: seconds, or a count of cases that no clock changes. */
export const limit = z.union([z.number(), z.object({ cases: z.int().check(z.gte(1)) })]);
export type Limit = z.infer<typeof limit>;
type Count = Exclude<Limit, number>;

/** True if a budget counts cases. */
export const isCounted = (budget: object | number | undefined): budget is Count =>
  typeof budget === 'object' && 'cases' in budget;

/** The seconds of a limit: no end of them where it counts cases. */
export const secondsIn = (budget: Limit = Number.POSITIVE_INFINITY): number =>
  isCounted(budget) ? Number.POSITIVE_INFINITY : budget;

/** The clock by which a run with a budget ends its searches. */
export const clockOf = (budget: object | number | undefined): Clock =>
  isCounted(budget) ? stillClock : wallClock;
