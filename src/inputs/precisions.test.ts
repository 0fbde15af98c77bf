import { describe, expect, test } from 'vitest';
import { exactProduct } from '../exact/exact.ts';
import { kindNames } from '../precision/kinds.testing.ts';
import { precisions } from '../precision/precisions.ts';
import type { Acceptance, InputPair } from './input.ts';
import { findInput, inputs } from './inputs.ts';

const shape = { m: 9, k: 12, n: 9 };
const square = { m: 12, k: 12, n: 12 };

const shapeFor = (name: string) => (name === 'inverse-pair' ? square : shape);

function make(name: string, precision: string, seed = 1): InputPair {
  return findInput(name).generate({ ...shapeFor(name), seed, precision: precisions.find(precision) });
}

const accepts = (name: string, precision: string): Acceptance =>
  findInput(name).accepts({ ...shapeFor(name), precision: precisions.find(precision) });

const entries = ({ a, b }: InputPair): number[] => [...a.data, ...b.data];

describe.each(kindNames)('in %s', (name) => {
  const { a: stored, b: other } = precisions.find(name);
  const families = inputs.filter((family) => accepts(family.name, name).ok).map((family) => family.name);

  test.each(families)('the entries of %s are numbers of the stored format', (family) => {
    const pair = make(family, name);
    const foreign = [...pair.a.data].filter((x) => !Object.is(stored.round(x), x));
    expect([...foreign, ...[...pair.b.data].filter((x) => !Object.is(other.round(x), x))]).toEqual([]);
    // Codes are stored by the width of their own numbers.
    const wide = [stored, pair.coded === undefined ? stored : other].map(({ bytes }) => bytes > 4);
    expect([pair.a, pair.b].map(({ data }) => data instanceof Float64Array)).toEqual(wide);
    expect(entries(make(family, name))).toEqual(entries(pair));
  });
});

/** Returns the number of significant bits of a number. */
const bitsOf = (x: number): number => {
  let bits = 1;
  for (let odd = Math.abs(x); !Number.isInteger(odd * 2 ** (bits - 1 - Math.floor(Math.log2(odd)))); ) bits++;
  return bits;
};

// Numbers on [−1, 1] are multiples of 2^-23, or of 2^-52.
test.each([
  ['uniform', 'f16', 11],
  ['uniform', 'f32', 23],
  ['uniform', 'f64', 52],
  ['inverse-pair', 'f16', 11],
  ['inverse-pair', 'f64', 53],
  ['uniform-2-5', 'f64', 53],
  ['ill-conditioned', 'f64', 52],
] as const)('%s fills the bits of %s', (family, precision, bits) => {
  const most = Math.max(...entries(make(family, precision)).map((x) => (x === 0 ? 0 : bitsOf(x))));
  expect(most).toBe(bits);
});

test('pairs use more bits than binary32, and no more than pairs have', () => {
  const found = entries(make('uniform', 'f32x2')).map(bitsOf);
  expect(found.filter((bits) => bits > 40).length).toBeGreaterThan(found.length / 2);
});

test.each([
  ['scaled-rows', 'f16', 'its entries reach 2^20, beyond the range of f16'],
  ['scaled-rows', 'f16-f32', 'its entries reach 2^20, beyond the range of f16-f32'],
  ['wide-exponents', 'f16', 'its entries reach 2^62, beyond the range of f16'],
  ['subnormals', 'bf16-f32', 'its operands are rounded before they are multiplied, or are pairs'],
  ['subnormals', 'f32x2', 'its operands are rounded before they are multiplied, or are pairs'],
] as const)('%s in %s is refused, and says why', (family, precision, reason) => {
  expect(accepts(family, precision)).toEqual({ ok: false, reason });
  expect(() => make(family, precision)).toThrow(reason);
});

test('what bfloat16 and TensorFloat-32 can hold is not refused', () => {
  for (const family of ['scaled-rows', 'wide-exponents', 'powers-of-two', 'ill-conditioned']) {
    for (const precision of ['bf16-f32', 'tf32-f32'] as const) {
      expect(accepts(family, precision)).toEqual({ ok: true });
    }
  }
});

test('integers that binary16 cannot add are refused by its name', () => {
  const request = { ...shape, k: 4096, seed: 1, precision: precisions.find('f16') };
  expect(() => findInput('integers').generate(request)).toThrow('the exact range of f16');
});

test('the inverse pair is nearer to a pair of inverses the wider its entries are', () => {
  const worst = (['f16', 'f32', 'f64'] as const).map((precision) => {
    const { a, b } = make('inverse-pair', precision);
    const { product } = exactProduct(a, b);
    return Math.max(...product.data.map((c, at) => Math.abs(c - (at % 13 === 0 ? 1 : 0))));
  });
  expect(worst[0]).toBeGreaterThan(2 ** 10 * worst[1]);
  expect(worst[1]).toBeGreaterThan(2 ** 25 * worst[2]);
});

test('the identity looks for its prime where 2^12 divisions tell one, in every precision', () => {
  for (const precision of kindNames) {
    // Elements of two bits beside a minimum hold too few whole numbers.
    if (precision.startsWith('q2_K')) continue;
    expect(accepts('identity', precision)).toEqual({ ok: true });
    const { ideal } = make('identity', precision);
    // Its entries count on and on, except for the prime.
    const entries = [2 ** 28, 2 ** 30, 2 ** 32].map((row) => ideal?.(row, 0));
    expect(Math.max(...(entries as number[]))).toBeLessThanOrEqual(2 ** 24);
  }
});
