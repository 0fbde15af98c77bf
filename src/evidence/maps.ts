import type { Query } from './checks/check.ts';
import { placeOf } from './compared.ts';
import { type HeatMap, heatMapOf, type ProductMaps, UNKNOWN } from './heat-map.ts';

/** Those of a batch lie one below the other. */
export const maps: Query<ProductMaps> = {
  name: 'maps',
  what: 'pictures of A, B, C and of the errors, as a report shows them of failures',
  ask({ operands: { a, b }, outcomes, reference }) {
    const [{ c }] = outcomes;
    const errors = new Float64Array(c.data.length).fill(UNKNOWN);
    for (let t = 0; t < reference.value.length; t++) {
      const e = placeOf(reference, t);
      // Math.max keeps NaN.
      errors[e] = Math.max(
        ...outcomes.map((found) => distance(found?.c.data[e], reference.value[t], reference.low[t])),
      );
    }
    const sizes = (data: ArrayLike<number>) => (e: number) => Math.abs(data[e]);
    return present({
      a: heatMapOf(a, sizes(a.data)),
      b: heatMapOf(b, sizes(b.data)),
      c: heatMapOf(c, sizes(c.data)),
      error: heatMapOf(c, (e) => errors[e]),
    });
  },
};

/** NaN and infinities where they belong are no error. */
const distance = (found = 0, value: number, low: number): number =>
  Object.is(found, value) ? Math.abs(low) : Math.abs(found - value - low);

const present = (all: Record<keyof ProductMaps, HeatMap | undefined>): ProductMaps =>
  Object.fromEntries(Object.entries(all).filter(([, map]) => map !== undefined));
