import type { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWhole } from '../base/in-short.testing.ts';
import { readEpilogue } from './chain.ts';
import { decimalReals, digitsOf } from './decimal-reals.ts';
import { doubleReals } from './double-reals.ts';
import { epilogueSteps } from './epilogues.ts';
import { exactResults } from './evaluate.ts';
import type { Interval } from './interval.ts';

const decimals = decimalReals(60);

/** True if an interval has the exact value, which is known to 60 digits. */
const holds = (found: Interval, exact: Interval<Decimal>) =>
  exact.hi.gte(digitsOf(found.lo)) && exact.lo.lte(digitsOf(found.hi));

/** Parameters for steps that need some. */
const needed: Readonly<Record<string, object>> = {
  bias: { values: 0.3 },
  residual: { values: { rows: 1, cols: 2, data: Float64Array.of(0.7, -0.2) } },
  scale: { values: 0.1 },
  clamp: { low: -0.4, high: 1.3 },
  round: { to: 'f32' },
  requantize: { to: 'int8', scale: 0.05 },
};

const tiny = fc.double({ min: 2 ** -1000, max: 2 ** -20, noNaN: true });
const entry = fc.oneof(
  fc.double({ min: -8, max: 8, noNaN: true }),
  fc.double({ min: -45, max: 45, noNaN: true }),
  fc.double({ min: -1e4, max: 1e4, noNaN: true }),
  tiny,
  tiny.map((x) => -x),
);

describe.each(epilogueSteps.names)('%s', (name) => {
  const epilogue = readEpilogue([{ step: name, ...needed[name] }], { m: 1, n: 2, batch: 1 });
  const run = { numRuns: isWhole ? 300 : 20, seed: 44 };

  it('encloses the exact values of numbers, closely', () => {
    fc.assert(
      fc.property(entry, entry, (x, y) => {
        const found = exactResults(epilogue, doubleReals, (_, j) => doubleReals.of([x, y][j]))(0, 0);
        const exact = exactResults(epilogue, decimals, (_, j) => decimals.of([x, y][j]))(0, 0);
        expect(holds(found, exact), `${x}, ${y}`).toBe(true);
        const size = Math.max(Math.abs(found.lo), Math.abs(found.hi));
        expect(found.hi - found.lo, `${x}, ${y}`).toBeLessThanOrEqual(size * 2 ** -40 + 2 ** -980);
      }),
      run,
    );
  });

  it('encloses the exact values of intervals', () => {
    fc.assert(
      fc.property(
        entry,
        fc.double({ min: 0, max: 3, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (x, width, at) => {
          const ends = { lo: x, hi: x + width };
          const inside = Math.min(x + width, x + width * at);
          const found = exactResults(epilogue, doubleReals, () => ends)(0, 0);
          const exact = exactResults(epilogue, decimals, () => decimals.of(inside))(0, 0);
          expect(holds(found, exact), `${x}, ${width}, ${inside}`).toBe(true);
        },
      ),
      run,
    );
  });

  it.each([
    [-3, 1],
    [-1, -0.5],
    [-2, -1.1],
    [0.2, 9],
  ])('encloses a dense sample of %d to %d', (lo, hi) => {
    const of = (ends: Interval) => exactResults(epilogue, doubleReals, () => ends)(0, 0);
    const all = of({ lo, hi });
    for (let x = lo; x <= hi; x += (hi - lo) / 256) {
      const one = of({ lo: x, hi: x });
      expect(all.lo <= one.lo && one.hi <= all.hi, `${x}`).toBe(true);
    }
  });
});
