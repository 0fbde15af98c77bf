import { singlePrecision } from '../precision/single.ts';
import { ACCEPTED, inputFamily, whileSmooth } from './input.ts';

/** Fewest significand bits: their last place, for numbers near 1013, is within the deviation. */
const LEAST_BITS = 7;

/** Measured data that are not centered: pressures, times of a clock, coordinates of a map. */
export const measurements = inputFamily({
  name: 'measurements',
  what: 'A is normal with mean 1013 and deviation 9, B uniform on [−1, 1].',
  source: 'raw air pressures in hectopascals',
  catches: 'Operands kept in too few bits: entries differ only far behind their first digits.',
  statistics: 'random',
  randomUpTo: whileSmooth,
  exactness: 'none',
  reach: { entries: 11, sums: 21 },
  accepts: ({ precision = singlePrecision }) =>
    precision.multiplied.precision >= LEAST_BITS
      ? ACCEPTED
      : {
          ok: false,
          reason: `${precision.multiplied.name} cannot distinguish entries this close`,
        },
  make: ({ m, k, n, random, fill, uniform }) => {
    const ra = random(1);
    return { a: fill(m, k, () => 1013 + 9 * ra.normal()), b: uniform(k, n, -1, 1, 2) };
  },
});
