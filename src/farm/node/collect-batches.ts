import type { CaseResult } from '../../evidence/case-result.ts';
import type { Batch, WorkCase } from '../work.ts';

/** A settled batch: every case of it is judged or left out. */
export interface SettledBatch {
  readonly batch: Batch;
  /** Results in the order of the batch. */
  readonly cases: CaseResult[];
  readonly skipped: string[];
}

/** Collects cases into batches, in whatever order they are judged. */
export interface BatchCollector {
  add(place: number, result: CaseResult): void;
  leaveOut(place: number): void;
  /** Waits for all work on settled batches. @throws errors of that work */
  finished(): Promise<void>;
}

/** Calls `finish` for each batch once all its cases are settled. @param cases those of the campaign */
export function collectBatches(
  batches: readonly Batch[],
  cases: readonly WorkCase[],
  finish: (settled: SettledBatch) => Promise<void>,
): BatchCollector {
  const open = new Map<number, { readonly batch: Batch; readonly left: Set<number> }>();
  for (const batch of batches) {
    const one = { batch, left: new Set(batch.places) };
    for (const place of batch.places ?? []) open.set(place, one);
  }
  const results = new Map<number, CaseResult>();
  const finishing: Promise<void>[] = [];
  const settle = (place: number) => {
    const one = open.get(place);
    if (one === undefined || !one.left.delete(place) || one.left.size > 0) return;
    const { batch } = one;
    const all = batch.places ?? [];
    const judged = all.flatMap((at) => results.get(at) ?? []);
    const skipped = all.filter((at) => !results.has(at)).map((at) => cases[at].case);
    for (const at of all) results.delete(at);
    const end = finish({ batch, cases: judged, skipped });
    end.catch(() => {});
    finishing.push(end);
  };
  return {
    add(place, result) {
      results.set(place, result);
      settle(place);
    },
    leaveOut: settle,
    async finished() {
      await Promise.all(finishing);
    },
  };
}
