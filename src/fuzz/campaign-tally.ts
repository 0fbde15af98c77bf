import { CoverageTally } from './coverage.ts';
import type { Judged } from './judge.ts';
import type { Target } from './target.ts';
import { Worst } from './worst.ts';

/** Cases run, what came of them, and how many were compared with the mirror and equal to it. */
export interface Counts {
  readonly run: number;
  readonly pass: number;
  readonly fail: number;
  readonly inconclusive: number;
  readonly mirrored: number;
  readonly mirrorEqual: number;
}

/** What is kept of all cases of a campaign. */
export class CampaignTally {
  readonly coverage = new CoverageTally();
  readonly worst = new Worst();
  readonly count = { run: 0, pass: 0, fail: 0, inconclusive: 0, mirrored: 0, mirrorEqual: 0 };
  /** Cases of each target that passed or failed. */
  readonly decided: Map<Target, number>;

  constructor(targets: readonly Target[]) {
    this.decided = new Map(targets.map((target) => [target, 0]));
  }

  add(judged: Judged, target: Target): void {
    const { verdict, mirrorEqual } = judged.result;
    this.count.run++;
    this.count[verdict]++;
    if (mirrorEqual !== undefined) this.count.mirrored++;
    if (mirrorEqual === true) this.count.mirrorEqual++;
    if (verdict !== 'inconclusive') this.decided.set(target, (this.decided.get(target) ?? 0) + 1);
    this.coverage.add(judged, target);
    this.worst.add(judged.result);
  }
}
