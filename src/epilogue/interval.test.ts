import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decimalReals, digitsOf } from './decimal-reals.ts';
import { above, addDown, addUp, below, divideDown, divideUp, multiplyDown, multiplyUp } from './interval.ts';

const reals = decimalReals(1000);
const double = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: -1e3, max: 1e3, noNaN: true }),
  fc.integer({ min: -9, max: 9 }),
);

/** The largest double of a few below, and the smallest of a few above, that the outward rounding may give. */
const isNear = (lo: number, hi: number) => hi <= above(above(above(above(lo)))) || !Number.isFinite(hi - lo);

it.each([
  ['a + b', addDown, addUp, reals.add],
  ['a·b', multiplyDown, multiplyUp, reals.multiply],
  ['a/b', divideDown, divideUp, reals.divide],
] as const)('%s is enclosed closely, and exact where the result is a double', (name, down, up, exactly) => {
  fc.assert(
    fc.property(double, double, (a, b) => {
      fc.pre(name !== 'a/b' || b !== 0);
      const [lo, hi] = [down(a, b), up(a, b)];
      const exact = exactly(reals.of(a), reals.of(b));
      if (Number.isFinite(lo)) expect(exact.hi.gte(digitsOf(lo)), `${a}, ${b}`).toBe(true);
      if (Number.isFinite(hi)) expect(exact.lo.lte(digitsOf(hi)), `${a}, ${b}`).toBe(true);
      expect(isNear(lo, hi), `${a}, ${b}: ${lo}, ${hi}`).toBe(true);
      const isSmall = [a, b].every((x) => Number.isInteger(x) && Math.abs(x) < 10);
      if (isSmall && exact.lo.eq(exact.hi) && exact.lo.eq(digitsOf(Number(exact.lo))))
        expect(lo === hi).toBe(true);
    }),
    { numRuns: 1000, seed: 7 },
  );
});

it('steps below and above every double', () => {
  fc.assert(
    fc.property(double, (x) => below(x) < x && x < above(x)),
    { numRuns: 1000, seed: 8 },
  );
  expect([below(Infinity), above(-Infinity)]).toEqual([Number.MAX_VALUE, -Number.MAX_VALUE]);
});
