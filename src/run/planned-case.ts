import type { Case } from '../problem/case.ts';

/** A case of a campaign. Cases of the growth series are also fitted. */
export interface PlannedCase extends Case {
  readonly series: boolean;
  /** Cases computed before it, in a kernel that has computed nothing else. @defaultValue none: it is judged in its turn */
  readonly after?: readonly Case[];
  /** True if the result shows the positions and the distribution of errors. @defaultValue false */
  readonly detailed?: boolean;
  /** True if it was drawn from the seed of the run, so that no other run is compared with it. @defaultValue false */
  readonly drawn?: boolean;
  /** True if a pass needs it. @defaultValue false */
  readonly needed?: boolean;
}
