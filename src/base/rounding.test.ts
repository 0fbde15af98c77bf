import { describe, expect, test } from 'vitest';
import { bf16, type Format, f16, f32, f32x2, f64, tf32 } from '../precision/format.ts';
import { itWhole } from './in-short.testing.ts';
import { roundingTo, roundSum } from './rounding.ts';

const word = new DataView(new ArrayBuffer(4));
const single = (pattern: number): number => {
  word.setUint32(0, pattern);
  return word.getFloat32(0);
};

/** Returns the number of a binary16 pattern, by the definition of the format. */
function half(pattern: number): number {
  const exponent = (pattern >>> 10) & 0x1f;
  const fraction = pattern & 0x3ff;
  const size = exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25);
  return pattern >>> 15 === 1 ? -size : size;
}

itWhole(
  'every finite binary16 number is itself, and what lies between two goes to the nearer, ties to even',
  () => {
    for (let pattern = 0; pattern < 0x7c00; pattern++) {
      const [here, next] = [half(pattern), pattern === 0x7bff ? 2 ** 16 : half(pattern + 1)];
      const above = pattern === 0x7bff ? Number.POSITIVE_INFINITY : next;
      const middle = (here + next) / 2;
      const [below, beyond] = [middle * (1 - 2 ** -52), middle * (1 + 2 ** -52)];
      for (const sign of [1, -1]) {
        const given = [here, below, middle, beyond].map((x) => f16.round(sign * x));
        const expected = [here, here, pattern % 2 === 0 ? here : above, above].map((x) => sign * x);
        for (const [at, x] of given.entries()) {
          if (!Object.is(x, expected[at]))
            expect.fail(`pattern ${pattern}, ${at}: ${x}, not ${expected[at]}`);
        }
      }
    }
  },
);

test('rounding to binary32 is Math.fround, on every kind of double', () => {
  const round = roundingTo(24, -126, f32.maxFinite);
  let state = 1;
  const bits = () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 0;
  };
  const double = new DataView(new ArrayBuffer(8));
  const check = (x: number) => {
    if (!Object.is(round(x), Math.fround(x))) expect.fail(`${x} becomes ${round(x)}, not ${Math.fround(x)}`);
  };
  for (let i = 0; i < 100_000; i++) {
    const pattern = bits();
    double.setUint32(0, pattern);
    double.setUint32(4, bits());
    check(double.getFloat64(0));
    check(single(pattern));
    check(single(pattern) * (1 + 2 ** -24));
    check(single(pattern % 2 ** 24) * (1 + (bits() - 2 ** 31) * 2 ** -55));
  }
});

test('near the largest doubles it is what it is elsewhere', () => {
  const round = roundingTo(50, -1022, Number.MAX_VALUE);
  for (let exponent = 900; exponent < 1023; exponent++) {
    for (const fraction of [
      1,
      1 + 2 ** -49,
      1 + 2 ** -50,
      1 + 3 * 2 ** -50,
      1 + 5 * 2 ** -51,
      2 - 2 ** -52,
    ]) {
      expect(round(fraction * 2 ** exponent)).toBe(round(fraction) * 2 ** exponent);
      expect(round(-fraction * 2 ** exponent)).toBe(-round(fraction) * 2 ** exponent);
    }
  }
});

describe.each([f16, bf16, tf32, f32, f32x2, f64].map((format) => [format.name, format] as const))(
  '%s',
  (_, format: Format) => {
    const { round, maxFinite, minNormal, minSubnormal, precision } = format;

    test('keeps zeros, infinities, NaN and the ends of its range', () => {
      for (const x of [0, -0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN]) {
        expect(round(x)).toBe(x);
      }
      for (const x of [maxFinite, minNormal, minNormal - minSubnormal, minSubnormal]) {
        expect([round(x), round(-x)]).toEqual([x, -x]);
      }
    });

    test('has as many bits as it says, and no more', () => {
      const last = 2 ** (1 - precision);
      expect(round(1 + last)).toBe(1 + last);
      if (format === f64) return;
      // The low part of a pair: above half an ulp of the high one it has 24 bits of its own.
      const [given, kept] = format === f32x2 ? [2 ** -25 + 2 ** -50, 2 ** -25] : [last / 2, 0];
      expect(round(1 + given)).toBe(1 + kept);
    });
  },
);

describe.each([f16, bf16, tf32, f32].map((format) => [format.name, format] as const))(
  '%s',
  (_, { round, maxFinite, minNormal, minSubnormal, precision }: Format) => {
    test('overflows from half-way to the next power of two on', () => {
      const limit = maxFinite * (1 + 2 ** -precision / (2 - 2 ** (1 - precision)));
      expect([round(limit), round(-limit)]).toEqual([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
      expect([round(limit * (1 - 2 ** -53)), round(-limit * (1 - 2 ** -53))]).toEqual([
        maxFinite,
        -maxFinite,
      ]);
    });

    test('rounds subnormal numbers to multiples of the smallest, ties to even, with the sign of what is lost', () => {
      const ulps = (x: number) => round(x * minSubnormal) / minSubnormal;
      expect([0.5, 0.75, 1.5, 2.5, 3.25, -0.5, -1.5].map(ulps)).toEqual([0, 1, 2, 2, 3, -0, -2]);
      expect(round(Number.MIN_VALUE)).toBe(0);
      expect(round(-Number.MIN_VALUE)).toBe(-0);
      expect(round(minNormal - minSubnormal / 2)).toBe(minNormal);
    });
  },
);

describe('a sum rounded once', () => {
  // 1 + 2^-11 is a tie in binary16. The part that a double cannot add to it decides.
  const tie = 1 + 2 ** -11;
  const lost = 2 ** -70;

  test('sees what a double loses beside a tie, on either side and for either sign', () => {
    expect(f16.round(tie + lost)).toBe(1);
    expect(roundSum(tie, lost, f16.round)).toBe(1 + 2 ** -10);
    expect(roundSum(tie, -lost, f16.round)).toBe(1);
    expect(roundSum(-tie, -lost, f16.round)).toBe(-1 - 2 ** -10);
    expect(roundSum(-tie, lost, f16.round)).toBe(-1);
    const odd = 1 + 2 ** -10 + 2 ** -11;
    expect(roundSum(odd, -lost, f16.round)).toBe(1 + 2 ** -10);
    expect(roundSum(lost, odd, f16.round)).toBe(1 + 2 ** -9);
  });

  test('crosses from a power of two to the double below it', () => {
    expect(roundSum(1, -lost, (x) => x)).toBe(1 - 2 ** -53);
    expect(roundSum(-1, lost, (x) => x)).toBe(2 ** -53 - 1);
    expect(roundSum(1, lost, (x) => x)).toBe(1 + 2 ** -52);
  });

  test('is the rounded sum where a double holds it, and IEEE’s where it is not finite', () => {
    expect(roundSum(1, 2, f16.round)).toBe(3);
    expect(roundSum(-0, -0, f16.round)).toBe(-0);
    expect(roundSum(1, -1, f16.round)).toBe(0);
    expect(roundSum(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, f16.round)).toBeNaN();
    expect(roundSum(Number.POSITIVE_INFINITY, 1, f16.round)).toBe(Number.POSITIVE_INFINITY);
  });
});
