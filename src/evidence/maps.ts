import type { Query } from './checks/check.ts';
import { placeOf } from './compared.ts';
import { type HeatMap, heatMapOf, type ProductMaps } from './heat-map.ts';

/** Those of a batch lie one below the other. */
export const maps: Query<ProductMaps> = {
  name: 'maps',
  what: 'pictures of A, B, C and of the errors, as a report shows them of failures',
  ask({ operands: { a, b }, outcomes, reference }) {
    const [{ c }] = outcomes;
    const errors = new Map<number, number>();
    for (let t = 0; t < reference.value.length; t++) {
      const e = placeOf(reference, t);
      const [value, low] = [reference.value[t], reference.low[t]];
      errors.set(e, worst(outcomes.map((found) => difference(found?.c.data[e], value, low))));
    }
    return present({
      a: heatMapOf(a, (e) => a.data[e]),
      b: heatMapOf(b, (e) => b.data[e]),
      c: heatMapOf(c, (e) => c.data[e]),
      error: heatMapOf(c, (e) => errors.get(e)),
    });
  },
};

/** NaN and infinities where they belong are no error. */
const difference = (found = 0, value: number, low: number): number =>
  Object.is(found, value) ? -low : found - value - low;

/** The one farthest from 0; NaN is farther than any. */
const worst = (errors: readonly number[]): number =>
  errors.reduce((one, other) => (Math.abs(other) <= Math.abs(one) || Number.isNaN(one) ? one : other));

const present = (all: Record<keyof ProductMaps, HeatMap | undefined>): ProductMaps =>
  Object.fromEntries(Object.entries(all).filter(([, map]) => map !== undefined));
