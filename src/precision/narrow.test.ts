import { describe, expect, test } from 'vitest';
import { isWhole } from '../base/in-short.testing.ts';
import { createRandom } from '../base/random.ts';
import { type Arithmetic, emulated } from './arithmetic.ts';
import { f16, tinyOf } from './format.ts';
import { narrowArithmetic } from './narrow.ts';

const TINY16 = tinyOf(f16);
const arithmetic16 = (of: Partial<Arithmetic> = {}) => narrowArithmetic(f16, { ...emulated, ...of });
/** Returns an arithmetic that flushes results below a magnitude. */
const tiny = (below: number) => ({ subnormals: { operands: false, below } });
const UNIT = 24; // binary16 values are integers of units of 2^-24, products of 2^-48

/** Rounds an exact number in units of 2^-48 to binary16, ties to even, in integers only. */
function rounded(units: bigint): number {
  const size = units < 0n ? -units : units;
  const bits = BigInt(size.toString(2).length);
  const drop = bits - 11n > BigInt(UNIT) ? bits - 11n : BigInt(UNIT);
  const kept = size >> drop;
  const twice = (size - (kept << drop)) * 2n;
  const unit = 1n << drop;
  const up = twice > unit || (twice === unit && kept % 2n === 1n) ? 1n : 0n;
  const value = Number(kept + up) * 2 ** (Number(drop) - 2 * UNIT);
  return (units < 0n ? -1 : 1) * (value > f16.maxFinite ? Number.POSITIVE_INFINITY : value);
}

const whole = (x: number): bigint => BigInt(x * 2 ** UNIT);
const exactFma = (a: number, b: number, c: number): bigint =>
  whole(a) * whole(b) + (whole(c) << BigInt(UNIT));

type Triple = readonly [number, number, number];

const random = createRandom(16);
const any = (): number => f16.round(random.sign() * (1 + random.uniform01()) * 2 ** random.int(-24, 14));
/** Returns half a unit in the last place of c as a product, or slightly more or less. */
function besideTie(): Triple {
  const exponent = random.int(-6, 15);
  const c = random.sign() * (1024 + random.int(0, 1023)) * 2 ** (exponent - 10);
  const split = random.int(-2, 2);
  const off = () => 1 + random.int(-1, 1) * 2 ** -10;
  const [a, b] = [2 ** (exponent - 8 + split), 2 ** (-3 - split)];
  return [f16.round(random.sign() * a * off()), f16.round(b * off()), f16.round(c)];
}
const draws: Readonly<Record<string, () => Triple>> = {
  'any numbers': () => [any(), any(), any()],
  'products beside ties': besideTie,
};

describe.each(Object.entries(draws))('on %s', (_, draw) => {
  const triples = Array.from({ length: isWhole ? 20_000 : 5000 }, draw);
  const expectEach = (got: (...x: Triple) => number, want: (...x: Triple) => number) => {
    const wrong = triples.find((x) => got(...x) !== want(...x));
    expect(wrong && { wrong, got: got(...wrong), want: want(...wrong) }).toBeUndefined();
  };

  test('sums and products are rounded once', () => {
    const { add, mul } = arithmetic16();
    expectEach(add, (a, b) => rounded((whole(a) + whole(b)) << BigInt(UNIT)));
    expectEach(mul, (a, b) => rounded(whole(a) * whole(b)));
  });

  test('fma is rounded once where it is fused, else twice', () => {
    expectEach(arithmetic16({ fma: 'once' }).fma, (...x) => rounded(exactFma(...x)));
    expectEach(arithmetic16().fma, (a, b, c) => {
      const product = rounded(whole(a) * whole(b));
      return Number.isFinite(product) ? rounded((whole(product) + whole(c)) << BigInt(UNIT)) : product + c;
    });
  });
});

test('a fused multiply-add goes to the side of the tie that the exact sum lies on', () => {
  const { fma } = arithmetic16({ fma: 'once' });
  // 2^15 + 16 is one
  expect(fma(16 + 2 ** -6, 1 - 2 ** -10, 2 ** 15)).toBe(2 ** 15);
  expect(fma(16 + 2 ** -6, 1 - 2 ** -11, 2 ** 15)).toBe(2 ** 15 + 32);
});

describe('flushing', () => {
  const { minNormal, minSubnormal } = f16;

  test('takes subnormal operands for zeros of their sign', () => {
    const { add, mul, fma } = arithmetic16({ subnormals: { operands: true, below: 0 } });
    expect(add(minSubnormal, minNormal)).toBe(minNormal);
    expect(add(-minSubnormal, -minSubnormal)).toBe(-0);
    expect(mul(-minSubnormal, 1024)).toBe(-0);
    expect(fma(minSubnormal, 1024, minNormal)).toBe(minNormal);
    expect(mul(minNormal, 1024)).toBe(2 ** -4);
  });

  test('of results is by what they are before or after they are rounded', () => {
    // exact products of minNormal·(1 − t): t = 2^-12 rounds up to minNormal even with 11 bits, 2^-11 only as a subnormal
    const product = (t: 11 | 12, flushesBelow: number): number => {
      const [a, b] =
        t === 12 ? [2 ** -7 * (1 - 2 ** -6), 2 ** -7 * (1 + 2 ** -6)] : [2 ** -7 * (1 - 2 ** -11), 2 ** -7];
      return arithmetic16(tiny(flushesBelow)).mul(a, b);
    };
    for (const t of [11, 12] as const) {
      expect(product(t, 0)).toBe(minNormal);
      expect(product(t, TINY16.beforeRounding)).toBe(0);
      expect(product(t, TINY16.afterDenormalizing)).toBe(minNormal);
    }
    expect(product(12, TINY16.afterRounding)).toBe(minNormal);
    expect(product(11, TINY16.afterRounding)).toBe(0);
  });

  test('of a fused sum is by the exact one', () => {
    const { fma } = arithmetic16({ fma: 'once', ...tiny(TINY16.beforeRounding) });
    expect(fma(2 ** -7, 2 ** -7, 0)).toBe(minNormal);
    expect(fma(2 ** -13, 2 ** -13, minNormal)).toBe(minNormal);
    expect(fma(-(2 ** -13), 2 ** -13, minNormal)).toBe(0);
    expect(fma(2 ** -13, 2 ** -13, -minNormal)).toBe(-0);
  });
});
