import { inputFamily } from './input.ts';

/** Decimal numbers of everyday tables: prices, temperatures, marks. Their decimal digits have no short binary form. */
export const decimals = inputFamily({
  name: 'decimals',
  what: 'Normal entries of deviation 10, rounded to two decimal digits.',
  source: 'tables of measurements and prices',
  catches: 'Operands kept in too few bits: these hold short binary fractions but no decimal ones.',
  statistics: 'random',
  exactness: 'none',
  reach: { entries: 7, sums: 17 },
  make: ({ m, k, n, random, fill }) => {
    const [ra, rb] = [random(1), random(2)];
    return {
      a: fill(m, k, () => Math.round(1000 * ra.normal()) / 100),
      b: fill(k, n, () => Math.round(1000 * rb.normal()) / 100),
    };
  },
});
