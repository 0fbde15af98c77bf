import type { Registry } from '../base/registry.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import type { Check } from '../evidence/checks/check.ts';
import type { CaseOutcome } from '../run/scheduler.ts';
import { CoverageTally } from './coverage.ts';
import { objectives } from './objective.ts';
import type { Target } from './target.ts';

/** Counts of cases: run, by outcome, compared with the model, and equal to it. */
export interface CaseCounts {
  readonly run: number;
  readonly pass: number;
  readonly fail: number;
  readonly inconclusive: number;
  readonly comparedWithModel: number;
  readonly equalToModel: number;
}

/** Running totals of all cases of a campaign. */
export class CampaignTally {
  readonly coverage: CoverageTally;
  readonly worst = new WorstResults();
  readonly count = { run: 0, pass: 0, fail: 0, inconclusive: 0, comparedWithModel: 0, equalToModel: 0 };
  /** Number of cases of each target that passed or failed. */
  readonly decided: Map<Target, number>;

  constructor(targets: readonly Target[], checks: Registry<Check>) {
    this.coverage = new CoverageTally(checks);
    this.decided = new Map(targets.map((target) => [target, 0]));
  }

  add(judged: CaseOutcome, target: Target): void {
    const { verdict, equalsModel } = judged.result;
    this.count.run++;
    this.count[verdict]++;
    if (equalsModel !== undefined) this.count.comparedWithModel++;
    if (equalsModel === true) this.count.equalToModel++;
    if (verdict !== 'inconclusive') this.decided.set(target, (this.decided.get(target) ?? 0) + 1);
    this.coverage.add(judged, target);
    this.worst.add(judged.result);
  }
}

/** Number of kept cases of each kernel, for each objective and for each reason of an inconclusive case. */
const KEPT = 3;

/** Store of the results with the largest errors of each kernel: a campaign has too many results to keep all. */
export class WorstResults {
  private readonly kept = new Map<string, CaseResult[]>();

  add(result: CaseResult): void {
    if (result.verdict === 'fail') return;
    const { kernel, precision, verdict, reason } = result;
    if (verdict === 'inconclusive') {
      const key = [kernel, precision, reason.replace(/\d.*/, '')].join();
      this.keep(key, result);
      return;
    }
    if (result.equalsModel === false) this.keep([kernel, precision, 'model'].join(), result);
    for (const { name, of } of objectives) {
      const key = [kernel, precision, name].join();
      const size = (one: CaseResult) => of(one) ?? 0;
      const best = [...(this.kept.get(key) ?? []), result].filter((one) => size(one) > 0);
      best.sort((x, y) => size(y) - size(x));
      this.kept.set(key, best.slice(0, KEPT));
    }
  }

  /** Keeps the first few. */
  private keep(key: string, result: CaseResult): void {
    this.kept.set(key, [...(this.kept.get(key) ?? []), result].slice(0, KEPT));
  }

  /** Returns each result once, in an order that does not depend on when it was judged. */
  results(): CaseResult[] {
    const sorted = [...this.kept].sort(([x], [y]) => (x < y ? -1 : 1));
    return [...new Set(sorted.flatMap(([, results]) => results))];
  }
}
