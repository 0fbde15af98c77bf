import { expect, test } from 'vitest';
import { type Arithmetic, emulated } from './arithmetic.ts';
import type { HostNumbers } from './precision.ts';
import { precisionNames, precisions } from './precisions.ts';

const numbers = (precision: string, of: Partial<Arithmetic> = {}) =>
  precisions.find(precision).host({ ...emulated, ...of });

/** Returns Σ x_p·y_p, summed like a leaf product. */
function dot(of: HostNumbers, x: readonly number[], y: readonly number[]): number {
  const { create, encode = (v) => v, decode = (v) => v } = of;
  const stored = (values: readonly number[]) => {
    const all = create(values.length);
    for (const [at, v] of values.entries()) all[at] = encode(v);
    return all;
  };
  const out = create(1).fill(Number.NaN);
  of.multiply(stored(x), stored(y), { m: 1, k: x.length, n: 1 }, out);
  return decode(out[0]);
}

const kept: readonly (readonly [string, bits: number])[] = [
  ['f16', 11],
  ['f32', 24],
  ['f16-f32', 24],
  ['bf16-f32', 24],
  ['tf32-f32', 24],
  ['f64', 53],
];

test.each(kept)('%s sums in the order of k, in %i bits', (precision, bits) => {
  // 1 is half a unit in the last place of 2^bits
  const large = 2 ** Math.ceil(bits / 2);
  const [x, y] = [
    [large, 1, 1],
    [2 ** bits / large, 1, 1],
  ];
  expect(dot(numbers(precision), x, y)).toBe(2 ** bits);
  expect(dot(numbers(precision), x.toReversed(), y.toReversed())).toBe(2 ** bits + 2);
  const { add, negate, create } = numbers(precision);
  expect([add(2 ** bits, 1), negate(add(2 ** bits, 3)), negate(0)]).toEqual([
    2 ** bits,
    -(2 ** bits) - 4,
    -0,
  ]);
  expect(create(3)).toBeInstanceOf(precision === 'f64' ? Float64Array : Float32Array);
});

test.each(['f16', 'f64'] as const)('%s rounds products before it adds them', (precision) => {
  const ulp = precision === 'f16' ? 2 ** -10 : 2 ** -52;
  expect(dot(numbers(precision), [1, 1 + ulp], [-1, 1 - ulp])).toBe(0);
});

test('f16 adds the exact product where the device’s fma is fused', () => {
  const ulp = 2 ** -10;
  expect(dot(numbers('f16', { fma: 'once' }), [1, 1 + ulp], [-1, 1 - ulp])).toBe(-(ulp ** 2));
});

test('f16 flushes as the device does', () => {
  const tiny = 2 ** -20;
  expect(dot(numbers('f16'), [tiny], [1])).toBe(tiny);
  expect(dot(numbers('f16', { subnormals: { operands: true, below: 0 } }), [tiny], [1])).toBe(0);
});

test.each([
  ['f16-f32', 11],
  ['tf32-f32', 11],
  ['bf16-f32', 8],
] as const)(
  '%s rounds both operands to %i bits, and neither products nor what is added',
  (precision, bits) => {
    const [odd, ulp] = [1 + 2 ** -bits, 2 ** (1 - bits)];
    const of = numbers(precision);
    expect(dot(of, [odd], [1])).toBe(1);
    expect(dot(of, [1], [odd + ulp])).toBe(1 + 2 * ulp);
    expect(dot(of, [1 + ulp], [1 + ulp])).toBe((1 + ulp) ** 2);
    expect(of.add(odd, 0)).toBe(odd);
  },
);

test('only binary16 operands have its exponents', () => {
  for (const [precision, large, tiny] of [
    ['f16-f32', Number.POSITIVE_INFINITY, 0],
    ['tf32-f32', 2 ** 16, 2 ** -26],
    ['bf16-f32', 2 ** 16, 2 ** -26],
  ] as const) {
    expect(dot(numbers(precision), [2 ** 16], [1])).toBe(large);
    expect(dot(numbers(precision), [2 ** -26], [1])).toBe(tiny);
  }
});

test('operands are left as they are', () => {
  for (const precision of precisionNames) {
    const { multiply, create, encode = (v: number) => v } = numbers(precision);
    const x = create(1).fill(encode(1 / 3));
    const before = x.slice();
    multiply(x, x, { m: 1, k: 1, n: 1 }, create(1));
    expect(x).toEqual(before);
  }
});
