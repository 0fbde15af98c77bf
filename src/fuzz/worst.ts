import type { CaseResult } from '../gate/results.ts';
import { objectives } from './objective.ts';

/** Cases of each kernel that are kept for each objective, and for each reason why nothing could judge them. */
const KEPT = 3;

/** Keeps the results with the largest errors of each kernel: a campaign judges too many to keep all. */
export class Worst {
  private readonly kept = new Map<string, CaseResult[]>();

  add(result: CaseResult): void {
    if (result.verdict === 'fail') return;
    const { kernel, precision, verdict, reason } = result;
    if (verdict === 'inconclusive') {
      const key = [kernel, precision, reason.replace(/\d.*/, '')].join();
      this.kept.set(key, [...(this.kept.get(key) ?? []), result].slice(0, KEPT));
      return;
    }
    for (const { name, of } of objectives) {
      const key = [kernel, precision, name].join();
      const size = (one: CaseResult) => of(one) ?? 0;
      const best = [...(this.kept.get(key) ?? []), result].filter((one) => size(one) > 0);
      best.sort((x, y) => size(y) - size(x));
      this.kept.set(key, best.slice(0, KEPT));
    }
  }

  /** Each once. */
  results(): CaseResult[] {
    return [...new Set([...this.kept.values()].flat())];
  }
}
