import * as z from 'zod/mini';
import { fromJsonNumber } from '../base/numbers.ts';
import type { CaseResult } from '../evidence/case-result.ts';

export const BASELINES_SCHEMA = 'gemm-paranoia/baselines/1';

const baseline = z.object({ maxError: z.number(), meanError: z.number() });

/** The recorded baselines of one adapter, by case. */
export const baselines = z.object({
  schema: z.literal(BASELINES_SCHEMA),
  adapter: z.string(),
  cases: z.record(z.string(), baseline),
});
export type Baselines = z.infer<typeof baselines>;

/** A case with a planted fault, which gets no baseline. */
const PLANTED = /(^|;)fault=/;

/** Adds the missing baselines of cases that passed. Recorded baselines stay as they are. */
export function withMissing(
  known: Baselines,
  cases: readonly CaseResult[],
): { updated: Baselines; added: number } {
  const merged = new Map(Object.entries(known.cases));
  let added = 0;
  for (const { case: name, verdict, exact } of cases) {
    if (verdict !== 'pass' || exact === undefined || merged.has(name)) continue;
    if (PLANTED.test(name)) continue;
    const [maxError, meanError] = [fromJsonNumber(exact.maxError), fromJsonNumber(exact.meanError)];
    if (!Number.isFinite(maxError)) continue;
    merged.set(name, { maxError, meanError });
    added++;
  }
  const sorted = Object.fromEntries([...merged].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { updated: { ...known, cases: sorted }, added };
}

/** Returns empty baselines for the fingerprint of an adapter. */
export function noBaselines(adapter: string): Baselines {
  return { schema: BASELINES_SCHEMA, adapter, cases: {} };
}
