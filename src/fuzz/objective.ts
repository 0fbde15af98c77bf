import { fromReal } from '../base/real.ts';
import type { CaseResult } from '../evidence/case-result.ts';

/** What a search makes as large as it can. */
export interface Objective {
  readonly name: string;
  /** What the number is, in words. */
  readonly unit: string;
  /** Undefined where a case has no such number. */
  readonly of: (result: CaseResult) => number | undefined;
}

export const objectives: readonly Objective[] = [
  {
    name: 'sigmas',
    unit: 'sigmas',
    of: ({ checks }) => {
      const found = checks.find(({ name }) => name === 'sigma')?.found;
      return found === undefined ? undefined : fromReal(found);
    },
  },
  {
    name: 'bound',
    unit: 'of the running bound',
    of: ({ runningBound }) =>
      runningBound === undefined || runningBound.vacuous ? undefined : fromReal(runningBound.used),
  },
];
