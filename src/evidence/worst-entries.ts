import * as z from 'zod/mini';
import { toJsonNumber } from '../base/numbers.ts';
import { real } from './case-result.ts';
import { allowedSigmas } from './checks/sigma.ts';
import { resultIndexOf } from './compared.ts';
import type { Evidence } from './evidence.ts';

export const worstEntry = z.object({
  /** Row and column of D; the products of a batch lie one below the other. */
  i: z.int().check(z.gte(0)),
  j: z.int().check(z.gte(0)),
  found: real,
  expected: real,
  /** found − expected, before either is rounded. */
  error: real,
  /** The largest error allowed; absent where the product is too large for bounds of entries. */
  allowed: z.optional(real),
});
export type WorstEntry = z.infer<typeof worstEntry>;

/**
 * Returns the compared entries whose errors are the largest multiples of what is allowed, the worst first; no entry without an error.
 * @param sigmas the largest error allowed in sigmas, for random operands.
 */
export function worstEntries(evidence: Evidence, most: number, sigmas: number | undefined): WorstEntry[] {
  const { outcomes, reference, analysis, machine } = evidence;
  const { data, cols } = outcomes[0].c;
  const { value, low, size } = reference;
  const limit = sigmas === undefined ? Number.POSITIVE_INFINITY : allowedSigmas(sigmas, value.length);
  const bounds = analysis?.bound.data ?? size;
  const sigmasAt = analysis?.sigma.data;
  const allowedAt = (t: number) =>
    sigmasAt === undefined ? bounds[t] : Math.min(bounds[t], limit * sigmasAt[t]);
  const errorAt = (t: number) => {
    const found = data[resultIndexOf(reference, t)];
    return !Number.isFinite(found) && Object.is(found, value[t]) ? 0 : found - value[t] - low[t];
  };
  const ratioAt = (t: number) => {
    const error = Math.abs(errorAt(t));
    const ratio = error === 0 ? 0 : error / allowedAt(t);
    return Number.isNaN(ratio) ? Number.POSITIVE_INFINITY : ratio;
  };
  const worst: { readonly t: number; readonly ratio: number }[] = [];
  // Nearly all entries err by a smaller share than the worst ones, so a product decides them.
  let least = 0;
  for (let t = 0; t < value.length; t++) {
    const error = Math.abs(data[resultIndexOf(reference, t)] - value[t] - low[t]);
    if (error <= least * allowedAt(t)) continue;
    const ratio = ratioAt(t);
    if (ratio === 0 || (worst.length === most && ratio <= worst[most - 1].ratio)) continue;
    const at = worst.findIndex((one) => one.ratio < ratio);
    worst.splice(at < 0 ? worst.length : at, 0, { t, ratio });
    worst.length = Math.min(worst.length, most);
    if (worst.length === most && worst[most - 1].ratio < Number.POSITIVE_INFINITY)
      least = worst[most - 1].ratio;
  }
  return worst.map(({ t }) => {
    const place = resultIndexOf(reference, t);
    return {
      ...{ i: Math.floor(place / cols), j: place % cols },
      found: toJsonNumber(data[place]),
      expected: toJsonNumber(machine.precision.d.round(value[t])),
      error: toJsonNumber(errorAt(t)),
      ...(analysis === undefined ? {} : { allowed: toJsonNumber(allowedAt(t)) }),
    };
  });
}
