import { describe, expect, test } from 'vitest';
import { isWhole } from '../base/in-short.testing.ts';
import { createRandom } from '../base/random.ts';
import { emulated } from './arithmetic.ts';
import { decodePair, encodePair, highOf, lowOf, pairOf } from './pair.ts';
import { pairPrecision } from './pairs.ts';

const { add, multiply } = pairPrecision.host(emulated);

function product(x: number, y: number): number {
  const out = new Float64Array(1);
  multiply(Float64Array.of(x), Float64Array.of(y), { m: 1, k: 1, n: 1 }, out);
  return out[0];
}

const SCALE = 300; // numbers and the parts of pairs are whole multiples of 2^-300
const units = (x: number): bigint => BigInt(x * 2 ** SCALE);
const value = (pair: number): bigint => units(highOf(pair)) + units(lowOf(pair));
const size = (x: bigint): bigint => (x < 0n ? -x : x);

/** Returns |error| / |exact| in units of u², u = 2^-24. */
function inSquares(found: bigint, exact: bigint): number {
  const error = size(found - exact);
  if (error === 0n) return 0;
  return exact === 0n ? Number.POSITIVE_INFINITY : Number((error << 68n) / size(exact)) * 2 ** -20;
}

const random = createRandom(7, 0, 'fine');
/** Draws a pair whose low part is as large as possible, or smaller. */
function drawn(exponent: number): number {
  const high = Math.fround(random.sign() * (1 + random.uniform01()) * 2 ** exponent);
  const most = 2 ** (Math.floor(Math.log2(Math.abs(high))) - 24);
  const low =
    random.sign() * most * (random.int(0, 2) === 0 ? 1 - 2 ** -24 * random.int(1, 9) : random.uniform01());
  return encodePair(high + Math.fround(low));
}

/** Draws summands that cancel to a small number, or to the error of the low parts. */
function cancelling(): readonly [number, number] {
  const a = drawn(0);
  const [high, low] = [highOf(a), lowOf(a)];
  const other = high * (1 + random.int(-3, 3) * 2 ** -23);
  return [a, encodePair(-other + Math.fround(-low * (1 + random.int(-4, 4) * 2 ** -random.int(2, 23))))];
}

const draws: Readonly<Record<string, () => readonly [number, number]>> = {
  'of one exponent': () => [drawn(0), drawn(0)],
  'of exponents apart': () => [drawn(0), drawn(random.int(-50, 50))],
  'that cancel': cancelling,
};

const CASES = isWhole ? 10_000 : 2500;

describe.each(Object.entries(draws))('pairs %s', (_, draw) => {
  test('are added with an error of at most 3u², and multiplied with one of at most 7u²', () => {
    const worst = { sum: 0, product: 0 };
    for (let i = 0; i < CASES; i++) {
      const [a, b] = draw();
      const [x, y] = [value(a), value(b)];
      worst.sum = Math.max(worst.sum, inSquares(value(add(a, b)), x + y));
      worst.product = Math.max(worst.product, inSquares(value(product(a, b)) << BigInt(SCALE), x * y));
    }
    expect(worst.sum).toBeLessThan(3 + 13 * 2 ** -24);
    expect(worst.product).toBeLessThan(7);
    // and the draws are such that this is not luck
    expect(worst.product).toBeGreaterThan(1);
  });

  test('give results whose low part is at most half a unit in the last place of the high part', () => {
    for (let i = 0; i < CASES / 10; i++) {
      const [a, b] = draw();
      for (const result of [add(a, b), product(a, b)]) {
        const [high, low] = [highOf(result), lowOf(result)];
        if (Math.fround(high + low) !== high) expect.fail(`${high} + ${low}`);
      }
    }
  });
});

test('whole numbers are added and multiplied exactly up to 2^44', () => {
  const most = 2 ** 44;
  for (let i = 0; i < CASES; i++) {
    const x = Math.floor(random.uniform(-most, most));
    const y = Math.floor(random.uniform(Math.max(-most, -most - x), Math.min(most, most - x)));
    const bits = random.int(1, 43);
    const p = Math.floor(random.uniform(-(2 ** bits), 2 ** bits));
    const q = Math.floor(random.uniform(-(2 ** (44 - bits)), 2 ** (44 - bits)));
    const [sum, times] = [add(encodePair(x), encodePair(y)), product(encodePair(p), encodePair(q))];
    if (decodePair(sum) !== x + y) expect.fail(`${x} + ${y} became ${decodePair(sum)}`);
    if (decodePair(times) !== p * q) expect.fail(`${p} · ${q} became ${decodePair(times)}`);
  }
});

test('a product of two binary32 numbers is exact', () => {
  for (let i = 0; i < CASES; i++) {
    const [x, y] = [0, 0].map(() => Math.fround(random.sign() * (1 + random.uniform01())));
    if (decodePair(product(pairOf(x, 0), pairOf(y, 0))) !== x * y) expect.fail(`${x} · ${y}`);
  }
});

test('products on a device that flushes are those of its operations, one after the other', () => {
  const flushing = { ...emulated, subnormals: { operands: true, below: 2 ** -126 } };
  const host = pairPrecision.host(flushing);
  const different: string[] = [];
  for (let exponent = -126; exponent <= 126; exponent++) {
    const [x, y] = [drawn(-exponent), drawn(exponent + random.int(-30, 0))];
    const out = new Float64Array(1);
    host.multiply(Float64Array.of(x), Float64Array.of(y), { m: 1, k: 1, n: 1 }, out);
    if (!Object.is(out[0], host.multiplyAdd(x, y, 0))) different.push(`2^${-exponent}`);
  }
  expect(different).toEqual([]);
});
