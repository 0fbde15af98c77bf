import type { CaseResult } from '../../evidence/case-result.ts';
import type { Batch, WorkCase } from '../work.ts';

/** A batch of which every case is judged or left out. */
export interface Settled {
  readonly batch: Batch;
  /** In the order of the batch. */
  readonly cases: CaseResult[];
  readonly leftOut: string[];
}

/** Cases of batches, as they are judged in whatever order. */
export interface Settling {
  add(place: number, result: CaseResult): void;
  leaveOut(place: number): void;
  /** When all that was begun with settled batches has ended. @throws what that throws */
  finished(): Promise<void>;
}

/** Tells of each batch when all its cases are settled. @param cases those of the campaign. */
export function settling(
  batches: readonly Batch[],
  cases: readonly WorkCase[],
  finish: (settled: Settled) => Promise<void>,
): Settling {
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
    const leftOut = all.filter((at) => !results.has(at)).map((at) => cases[at].case);
    for (const at of all) results.delete(at);
    const end = finish({ batch, cases: judged, leftOut });
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
