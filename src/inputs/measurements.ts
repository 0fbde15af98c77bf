import { singlePrecision } from '../precision/single.ts';
import { ACCEPTED, inputFamily, whileSmooth } from './input.ts';

/** Fewest significand bits: their last place, for numbers near 1013, is within the deviation. */
const LEAST_BITS = 7;

/** Measured data that are not centered: pressures, times of a clock, coordinates of a map. */
export const measurements = inputFamily({
  name: 'measurements',
  what: 'Entries of A are normal of mean 1013 and deviation 9, those of B uniform on [−1, 1].',
  source: 'air pressures in hectopascals, as raw data hold them',
  catches: 'Operands that are kept in fewer bits: what tells them apart lies far behind their first digits.',
  statistics: 'random',
  randomUpTo: whileSmooth,
  exactness: 'none',
  reach: { entries: 11, sums: 21 },
  accepts: ({ precision = singlePrecision }) =>
    precision.multiplied.precision >= LEAST_BITS
      ? ACCEPTED
      : {
          ok: false,
          reason: `${precision.multiplied.name} tells entries so close to each other no more apart`,
        },
  make: ({ m, k, n, random, fill, uniform }) => {
    const ra = random(1);
    return { a: fill(m, k, () => 1013 + 9 * ra.normal()), b: uniform(k, n, -1, 1, 2) };
  },
});
