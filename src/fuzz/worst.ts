import { type CaseResult, fromReal } from '../gate/results.ts';

/** Cases of each kernel that are kept for either reason. */
const KEPT = 3;

/** What cases are kept for: those with the largest of these are the most telling. */
const measures: readonly ((result: CaseResult) => number)[] = [
  (result) => fromReal(result.checks.find(({ name }) => name === 'sigma')?.found ?? 0),
  (result) => (result.runningBound?.vacuous === false ? fromReal(result.runningBound.used) : 0),
];

/** Keeps the results with the largest errors of each kernel: a campaign judges too many to keep all. */
export class Worst {
  private readonly kept = new Map<string, CaseResult[]>();

  add(result: CaseResult): void {
    if (result.verdict === 'fail') return;
    const { kernel, precision } = result;
    measures.forEach((measure, at) => {
      const key = [kernel, precision, at].join();
      const best = [...(this.kept.get(key) ?? []), result].filter((one) => measure(one) > 0);
      best.sort((x, y) => measure(y) - measure(x));
      this.kept.set(key, best.slice(0, KEPT));
    });
  }

  /** Each once. */
  results(): CaseResult[] {
    return [...new Set([...this.kept.values()].flat())];
  }
}
