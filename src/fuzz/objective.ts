import { fromJsonNumber } from '../base/numbers.ts';
import type { CaseResult } from '../evidence/case-result.ts';

/** Quantity that a search maximizes. */
export interface Objective {
  readonly name: string;
  /** The unit of the number, in words. */
  readonly unit: string;
  /** Returns the number of a case. Undefined where it has none. */
  readonly of: (result: CaseResult) => number | undefined;
}

export const objectives: readonly Objective[] = [
  {
    name: 'sigmas',
    unit: 'sigmas',
    of: ({ checks }) => {
      const found = checks.find(({ name }) => name === 'sigma')?.found;
      return found === undefined ? undefined : fromJsonNumber(found);
    },
  },
  {
    name: 'bound',
    unit: 'of the running bound',
    of: ({ runningBound }) =>
      runningBound === undefined || runningBound.vacuous ? undefined : fromJsonNumber(runningBound.used),
  },
];
