import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { roundSum } from '../src/base/rounding.ts';
import { bf16, type Format, f16, f32, tf32 } from '../src/precision/format.ts';
import { law } from './law.ts';

/**
 * The law: a format rounds every double, and every sum of two, to its nearest number, ties to the even one, overflow to
 * infinity.
 *
 * Why: that is IEEE 754-2019, §4.3.1, said here a second time with whole numbers of any length: a double is an integer
 * times 2^-1074.
 */
const UNIT = 1074;

const double = new DataView(new ArrayBuffer(8));

/** A finite double in units of 2^-1074. */
function units(x: number): bigint {
  double.setFloat64(0, x);
  const bits = double.getBigUint64(0);
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & 0xfffffffffffffn;
  const size = exponent === 0n ? fraction : (fraction | 0x10000000000000n) << (exponent - 1n);
  return bits >> 63n === 1n ? -size : size;
}

/** The number of a format nearest to an exact one, in units of 2^-1074. */
function nearest(exact: bigint, { precision, minSubnormal, maxFinite }: Format): number {
  const size = exact < 0n ? -exact : exact;
  const bits = BigInt(size.toString(2).length);
  const [own, least] = [bits - BigInt(precision), BigInt(UNIT + Math.log2(minSubnormal))];
  const drop = own > least ? own : least;
  const kept = size >> drop;
  const twice = 2n * (size - (kept << drop));
  const up = twice > 1n << drop || (twice === 1n << drop && kept % 2n === 1n);
  const rounded = (kept + (up ? 1n : 0n)) << drop;
  const sign = exact < 0n ? -1 : 1;
  return rounded > units(maxFinite)
    ? sign * Number.POSITIVE_INFINITY
    : sign * Number(rounded >> drop) * 2 ** (Number(drop) - UNIT);
}

/** Doubles of any exponent the format has or nearly has, many of them ties or beside ties, some near overflow. */
function doubles({ precision, minSubnormal, maxFinite }: Format): fc.Arbitrary<number> {
  const [low, high] = [Math.log2(minSubnormal) - 2, Math.floor(Math.log2(maxFinite)) + 1];
  return fc
    .record({
      sign: fc.constantFrom(1, -1),
      exponent: fc.oneof(
        fc.integer({ min: low, max: high }),
        fc.integer({ min: low, max: low + precision + 4 }),
        fc.constantFrom(high, high - 1),
      ),
      leading: fc.oneof(
        fc.nat(2 ** precision - 1),
        fc.constantFrom(0, 1, 2 ** precision - 1, 2 ** precision - 2),
      ),
      rest: fc.oneof(fc.constant(0), fc.constantFrom(1, -1), fc.integer({ min: -(2 ** 20), max: 2 ** 20 })),
    })
    .map(
      ({ sign, exponent, leading, rest }) =>
        sign * (1 + leading * 2 ** -precision + rest * 2 ** -52) * 2 ** exponent,
    );
}

describe.each([f16, bf16, tf32, f32].map((format) => [format.name, format] as const))('%s', (_, format) => {
  const number = doubles(format);

  law('rounds to nearest, ties to even', 3000, number, (x) => {
    expect(format.round(x)).toBe(nearest(units(x), format));
  });

  const beside = fc.tuple(number, number, fc.nat(110), fc.boolean()).map(([x, y, apart, swap]) => {
    const small = y * 2 ** (Math.floor(Math.log2(Math.abs(x))) - Math.floor(Math.log2(Math.abs(y))) - apart);
    return swap ? [small, x] : [x, small];
  });
  law('rounds sums once', 2000, beside, ([x, y]) => {
    const exact = units(x) + units(y);
    // the sign of a zero is the addition's own
    expect(roundSum(x, y, format.round) + 0).toBe((exact === 0n ? x + y : nearest(exact, format)) + 0);
  });
});
