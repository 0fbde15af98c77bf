import type { Case } from '../problem/case.ts';

/** A case of a campaign; those of the growth series are also fitted. */
export interface PlannedCase extends Case {
  readonly series: boolean;
  /** Cases that are computed before it, in a kernel that has computed nothing else. Default: it is judged as it comes. */
  readonly after?: readonly Case[];
  /** Whether the result shows where its errors lie and how often they are how large. Default: no. */
  readonly detailed?: boolean;
  /** Whether it was drawn from the seed of the run, so that no other run is compared with it. Default: no. */
  readonly drawn?: boolean;
  /** Whether there is no pass without it. Default: no. */
  readonly needed?: boolean;
}
