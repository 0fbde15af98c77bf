import { describe, expect, test } from 'vitest';
import { createRandom, type Random } from '../../../src/base/random.ts';
import { type Format, f32 } from '../../../src/precision/format.ts';
import { matrixUnits } from './units.ts';

/** The scale of fixed-point integers, in units of 2^-SCALE, that represent all numbers and products of these units. */
const SCALE = 300n;

/**
 * The significand and the exponent as a unit reads them: the number is significand·2^exponent, and `leading` is the exponent of
 * its implicit bit.
 */
function read(x: number, { precision, minNormal }: Format) {
  if (x === 0) return { significand: 0n, exponent: 0n, leading: undefined };
  let leading = Math.ceil(Math.log2(Math.abs(x))) + 1;
  while (2 ** leading > Math.abs(x)) leading--;
  leading = Math.max(leading, Math.log2(minNormal));
  const exponent = leading - (precision - 1);
  return { significand: BigInt(x / 2 ** exponent), exponent: BigInt(exponent), leading };
}

const units = (significand: bigint, exponent: bigint): bigint => significand << (exponent + SCALE);
const sizeOf = (x: bigint): bigint => (x < 0n ? -x : x);
/** Truncates toward zero to multiples of 2^at. */
function cut(x: bigint, at: bigint): bigint {
  const by = at + SCALE;
  const kept = by > 0n ? (sizeOf(x) >> by) << by : sizeOf(x);
  return x < 0n ? -kept : kept;
}

/** Converts units of 2^-SCALE to so many bits, with exponents from `least`; truncated, or to nearest with ties to even. */
function inBits(x: bigint, bits: number, least: number, most: number, isNearest: boolean): number {
  if (x === 0n) return 0;
  const size = sizeOf(x);
  const leading = size.toString(2).length - 1 - Number(SCALE);
  const last = BigInt(Math.max(leading, least) - (bits - 1));
  const by = last + SCALE;
  let kept = size >> by;
  const twice = (size - (kept << by)) * 2n;
  if (isNearest && (twice > 1n << by || (twice === 1n << by && kept % 2n === 1n))) kept++;
  const value = Number(kept) * 2 ** Number(last);
  return (x < 0n ? -1 : 1) * (value > most ? Number.POSITIVE_INFINITY : value);
}

/** Computes one entry from a unit's description, in integer arithmetic only. */
function byIntegers(
  said: { a: Format; b: Format; result: Format; terms: number; fraction: number; bits: number },
  x: readonly number[],
  y: readonly number[],
  c: number,
): number {
  let sum = c;
  for (let from = 0; from < x.length; from += said.terms) {
    // Non-finite sums stay unchanged, since the products are finite.
    if (!Number.isFinite(sum)) return sum;
    const terms = [{ ...read(sum, said.result) }];
    for (let p = from; p < Math.min(x.length, from + said.terms); p++) {
      const [u, v] = [read(x[p], said.a), read(y[p], said.b)];
      const leading = u.leading === undefined || v.leading === undefined ? undefined : u.leading + v.leading;
      terms.push({ significand: u.significand * v.significand, exponent: u.exponent + v.exponent, leading });
    }
    const largest = Math.max(-133, ...terms.flatMap(({ leading }) => leading ?? []));
    const total = terms.reduce(
      (of, { significand, exponent }) =>
        of + cut(units(significand, exponent), BigInt(largest - said.fraction)),
      0n,
    );
    const least = Math.log2(said.result.minNormal);
    sum = inBits(total, said.bits, least, said.result.maxFinite, said.result !== f32);
  }
  return sum;
}

/** Random numbers of a format, over all of its exponents or a few, sometimes zero, subnormal, or the largest. */
function anyOf(random: Random, format: Format, spread: number): number {
  const kind = random.int(0, 11);
  if (kind === 0) return 0;
  if (kind === 1) return format.round(random.uniform(-1, 1) * format.minNormal);
  const [least, most] = [Math.log2(format.minNormal), Math.floor(Math.log2(format.maxFinite))];
  const reach = spread === 0 ? most - least : spread;
  const exponent = random.int(Math.max(least, -(reach >> 1)), Math.min(most, (reach + 1) >> 1));
  const x = format.round(random.sign() * (1 + random.uniform01()) * 2 ** exponent);
  return Number.isFinite(x) ? x : random.sign() * format.maxFinite;
}

/** The numbers in a unit's description: "8 products …, cut off 24 bits behind …, cut off at 24 bits." */
const numbersIn = (what: string) => {
  const [, terms, fraction, bits = '11'] =
    /(\d+) products .*, cut off (\d+) bits behind .*?(?:cut off at (\d+) bits)?\.$/.exec(what) ?? [];
  return { terms: Number(terms), fraction: Number(fraction), bits: Number(bits) };
};

const adders = matrixUnits.items.filter(({ adder }) => adder !== undefined);

describe.each(adders.map((unit) => [unit.name, unit] as const))('%s', (_, unit) => {
  const said = { ...unit, ...numbersIn(unit.what) };

  test('computes what it says, by whole numbers', () => {
    const random = createRandom(7);
    for (let round = 0; round < 24; round++) {
      const spread = [0, 2, 12, 26][round % 4];
      const [m, k, n] = [2, random.int(1, 2 * said.terms + 3), 3];
      const a = Array.from({ length: m * k }, () => anyOf(random, unit.a, spread));
      const b = Array.from({ length: k * n }, () => anyOf(random, unit.b, spread));
      const c = Array.from({ length: m * n }, () =>
        round % 3 === 0 ? 0 : anyOf(random, unit.result, spread),
      );
      // Cancellation: the same product with the other sign, at another place.
      if (round % 5 === 4 && k > 1) for (let j = 0; j < n; j++) b[(k - 1) * n + j] = -b[j];
      if (round % 5 === 4 && k > 1) for (let i = 0; i < m; i++) a[i * k + k - 1] = a[i * k];
      const d = unit.multiply(Float64Array.from(a), Float64Array.from(b), Float64Array.from(c), { m, k, n });
      for (let at = 0; at < m * n; at++) {
        const [i, j] = [Math.floor(at / n), at % n];
        const column = Array.from({ length: k }, (_, p) => b[p * n + j]);
        expect(d[at]).toBe(byIntegers(said, a.slice(i * k, (i + 1) * k), column, c[at]) + 0);
      }
    }
  });

  test('infinities and NaN are those of the sum, and what does not fit is infinite', () => {
    const dot = (a: number[], b: number[], c = 0) =>
      unit.multiply(Float64Array.from(a), Float64Array.from(b), Float64Array.of(c), {
        m: 1,
        k: a.length,
        n: 1,
      })[0];
    expect(dot([Number.POSITIVE_INFINITY, 1], [2, 3])).toBe(Number.POSITIVE_INFINITY);
    expect(dot([Number.POSITIVE_INFINITY], [0])).toBeNaN();
    expect(dot([Number.POSITIVE_INFINITY], [1], Number.NEGATIVE_INFINITY)).toBeNaN();
    expect(dot([1, Number.NaN], [0, 0])).toBeNaN();
    expect(dot([-0], [1], -0)).toBe(0);
    const most = unit.result.maxFinite;
    const isLarge = unit.a.maxFinite > most * 2 ** -12;
    expect(dot([unit.a.maxFinite], [1], most) > most).toBe(isLarge);
  });
});

/** Computes one entry of a unit's product. */
const dot = (name: string, a: number[], b: number[], c: number) =>
  matrixUnits
    .find(name)
    .multiply(Float64Array.from(a), Float64Array.from(b), Float64Array.of(c), { m: 1, k: a.length, n: 1 })[0];

describe('eight bits by two instructions of sixteen', () => {
  test('C is added to their sum, to nearest', () => {
    expect(dot('hopper-e4m3-mma', [1], [1], 2 ** 24)).toBe(2 ** 24);
    expect(dot('hopper-e4m3-mma', [1], [1.125], 2 ** 24)).toBe(2 ** 24 + 2);
    expect(dot('hopper-e4m3', [1], [1.125], 2 ** 24)).toBe(2 ** 24);
  });

  test('the first has the first two of every four products, the second the others', () => {
    // 2^14 truncates 2^-12 in this addition and in the next, unless it was cancelled before.
    const left = (large: number, back: number, small: number) => {
      const [a, b] = [0, 1].map(() => Array.from({ length: 32 }, () => 0));
      [a[large], a[back], a[small]] = [128, -128, 2 ** -6];
      [b[large], b[back], b[small]] = [128, 128, 2 ** -6];
      return dot('hopper-e4m3-mma', a, b, 0);
    };
    expect(left(0, 1, 2)).toBe(2 ** -12);
    expect(left(0, 5, 30)).toBe(2 ** -12);
    expect(left(0, 1, 4)).toBe(0);
    expect(left(0, 2, 3)).toBe(0);
    expect(left(2, 3, 6)).toBe(0);
  });
});

describe('integers', () => {
  const MOST = 2 ** 31 - 1;

  test('are added exactly', () => {
    const random = createRandom(3);
    const [a, b] = [0, 1].map(() => Array.from({ length: 100 }, () => random.int(-128, 127)));
    const exact = a.reduce((sum, x, p) => sum + BigInt(x) * BigInt(b[p]), -7n);
    for (const name of ['int8-wraps', 'int8-saturates']) expect(dot(name, a, b, -7)).toBe(Number(exact));
    expect(dot('uint8-int8-wraps', [255], [-128], 0)).toBe(-32640);
    expect(Object.is(dot('int8-wraps', [-1], [0], 0), 0)).toBe(true);
  });

  test('beyond 32 bits they wrap, or stay at the last one', () => {
    expect(dot('int8-wraps', [1], [1], MOST)).toBe(-(2 ** 31));
    expect(dot('int8-wraps', [-1], [1], -(2 ** 31))).toBe(MOST);
    expect(dot('int8-saturates', [1], [1], MOST)).toBe(MOST);
    expect(dot('int8-saturates', [-1, 1], [1, 5], -(2 ** 31))).toBe(-(2 ** 31) + 4);
    expect(dot('int8-saturates', [-127], [127], -(2 ** 31))).toBe(-(2 ** 31));
  });
});
