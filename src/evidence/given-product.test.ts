import { describe, expect, it } from 'vitest';
import { itWhole } from '../base/in-short.testing.ts';
import { exactProduct } from '../exact/exact.ts';
import { findInput } from '../inputs/inputs.ts';
import { builtinCaseItems } from '../kernels/case-items.ts';
import { type Matrix, matrix } from '../matrix/dense.ts';
import { type GivenProduct, givenJob, weighGiven } from './given-product.ts';
import { answersOf, verdictOfChecks } from './result-of.ts';
import { worstEntries } from './worst-entries.ts';

const shape = { m: 6, k: 9, n: 5 };
const { a, b } = findInput('uniform').generate({ ...shape, seed: 3 });
const rounded = ({ rows, cols, data }: Matrix) => matrix(rows, cols, Float32Array.from(data));
const product = (x: Matrix, y: Matrix) => rounded(exactProduct(x, y).product);
const mapped = (x: Matrix, of: (value: number, e: number) => number) =>
  matrix(x.rows, x.cols, Float32Array.from(x.data, of));
const c = mapped(product(a, b), (_, e) => (e % 7) - 3);
const stacked = (...parts: readonly Matrix[]) =>
  matrix(
    parts.reduce((rows, part) => rows + part.rows, 0),
    parts[0].cols,
    Float32Array.from(parts.flatMap(({ data }) => [...data])),
  );

async function verdictOn(given: GivenProduct): Promise<string> {
  const evidence = await weighGiven(given, exactProduct);
  return verdictOfChecks(await answersOf(evidence, { sigmas: 6, drift: Number.POSITIVE_INFINITY })).verdict;
}

describe('a given product', () => {
  const d = product(a, b);
  const added = mapped(d, (x, e) => 2 * x + 0.5 * c.data[e]);
  const changed = (x: Matrix, at: number) => mapped(x, (value, e) => value + Number(e === at));
  const [a2, b2] = [mapped(a, (x) => -x / 2), mapped(b, (x, e) => x + (e % 3))];
  const batch = { batch: 2, a: stacked(a, a2), b: stacked(b, b2), d: stacked(d, product(a2, b2)) };

  it.each<[string, GivenProduct]>([
    ['A·B', { a, b, d }],
    ['2·A·B + C/2', { a, b, c, d: added, alpha: 2, beta: 0.5 }],
    ['C that is not read', { a, b, c, d, beta: 0 }],
    ['a batch', batch],
    ['a batch of one A', { ...batch, a, d: stacked(d, product(a, b2)) }],
    ['a batch of one B', { ...batch, b, d: stacked(d, product(a2, b)) }],
    [
      'no terms',
      {
        a: matrix(2, 0, new Float32Array(0)),
        b: matrix(0, 2, new Float32Array(0)),
        d: matrix(2, 2, new Float32Array(4)),
      },
    ],
    ['claims', { a, b, d, claims: { order: 'pairwise' } }],
  ])('passes: %s', async (_, given) => {
    expect(await verdictOn(given)).toBe('pass');
  });

  it.each<[string, GivenProduct]>([
    ['the first entry', { a, b, d: changed(d, 0) }],
    ['the last entry', { a, b, d: changed(d, 29) }],
    ['C left out', { a, b, c, d: mapped(d, (x) => 2 * x), alpha: 2, beta: 0.5 }],
    ['beta left out', { a, b, c, d: mapped(d, (x, e) => 2 * x + c.data[e]), alpha: 2, beta: 0.5 }],
    ['alpha left out', { a, b, c, d: mapped(d, (x, e) => x + 0.5 * c.data[e]), alpha: 2, beta: 0.5 }],
    ['a product of the batch twice', { ...batch, d: stacked(d, d) }],
    ['products of the batch in another order', { ...batch, d: stacked(product(a2, b2), d) }],
    ['the next A of the batch', { ...batch, d: stacked(d, product(a, b2)) }],
    ['a NaN', { a, b, d: mapped(d, (x, e) => (e === 4 ? Number.NaN : x)) }],
    [
      'terms from nowhere',
      {
        a: matrix(2, 0, new Float32Array(0)),
        b: matrix(0, 2, new Float32Array(0)),
        d: matrix(2, 2, Float32Array.of(0, 0, 0, 1)),
      },
    ],
  ])('fails: %s', async (_, given) => {
    expect(await verdictOn(given)).toBe('fail');
  });

  it.each<[string, GivenProduct, RegExp]>([
    ['inner sizes', { a, b: a, d }, /A must have as many columns as B has rows/],
    ['outer sizes', { a, b, d: matrix(5, 6, d.data) }, /D must be 6×5/],
    ['a batch that does not divide D', { a, b, d, batch: 4 }, /D must be/],
    [
      'no C',
      { a, b, d, beta: 1 },
      /The argument C is missing or invalid: .*a 6×5 matrix, since beta is not 0/,
    ],
    [
      'C of another shape',
      { a, b, d, beta: 1, c: a },
      /The argument C is missing or invalid: .*a 6×5 matrix/,
    ],
    ['complex', { a, b, d, precision: 'c32' }, /precision of real matrices/],
    ['unknown', { a, b, d, precision: 'f31' }, /Unknown precision/],
    [
      'claims that contradict the precision',
      { a, b, d, claims: { order: 'pair-wise' as never } },
      /must be one of/,
    ],
  ])('is refused: %s', async (_, given, message) => {
    await expect(weighGiven(given, exactProduct)).rejects.toThrow(message);
  });

  itWhole('too large for every entry is judged by a sample and by random sums', async () => {
    // 4097 × 4096 results are more than are compared one by one.
    const [m, n] = [4097, 4096];
    const [x, y] = [matrix(m, 1, new Float32Array(m).fill(3)), matrix(1, n, new Float32Array(n).fill(5))];
    const data = new Float32Array(m * n).fill(15);
    const sampled = await weighGiven({ a: x, b: y, d: matrix(m, n, data) }, exactProduct);
    expect(sampled.reference.checked).toBeLessThan(1);
    data.fill(16, 0, 5 * n);
    expect(await verdictOn({ a: x, b: y, d: matrix(m, n, data) })).toBe('fail');
  });

  it('of operands in the format that is multiplied has no errors of rounding them', () => {
    const half = mapped(a, (x) => Math.round(8 * x) / 8);
    const other = mapped(b, (x) => Math.round(8 * x) / 8);
    const formatOf = (x: Matrix, y: Matrix) =>
      givenJob({ a: x, b: y, d, precision: 'bf16-f32' }, builtinCaseItems).kernel.precision.a.name;
    expect([formatOf(half, other), formatOf(a, other)]).toEqual(['bf16', 'f32']);
  });
});

describe('the worst entries', () => {
  const worst = async (given: Partial<GivenProduct>, sigmas?: number) =>
    worstEntries(await weighGiven({ a, b, d: product(a, b), ...given }, exactProduct), 3, sigmas);
  const d = product(a, b);

  it('are the largest multiples of what is allowed, the worst first', async () => {
    const off = { 7: 0.5, 21: -2, 29: 0.125 } as Readonly<Record<number, number>>;
    const found = await worst({ d: mapped(d, (x, e) => x + (off[e] ?? 0)) });
    expect(found.map(({ i, j }) => [i, j])).toEqual([
      [4, 1],
      [1, 2],
      [5, 4],
    ]);
    const [{ error, expected, found: value, allowed }] = found;
    expect(error).toBeCloseTo(-2, 4);
    expect(expected).toBe(d.data[21]);
    expect(value).toBe(Math.fround(d.data[21] - 2));
    expect(Number(allowed)).toBeLessThan(1e-4);
  });

  it('have their rows counted through a batch', async () => {
    const stack = stacked(
      d,
      mapped(d, (x, e) => x + Number(e === 3)),
    );
    expect(await worst({ batch: 2, d: stack, a: stacked(a, a) })).toMatchObject([{ i: 6, j: 3 }, {}, {}]);
  });

  it('are allowed less where operands are random', async () => {
    const long = findInput('uniform').generate({ m: 2, k: 400, n: 2, seed: 3 });
    const given = { ...long, d: product(long.a, long.b) };
    const [[any], [random]] = [await worst(given), await worst({ ...given, isRandom: true }, 6)];
    expect(Number(random.allowed)).toBeLessThan(Number(any.allowed));
  });

  it('are none where nothing errs, and NaN comes before all numbers', async () => {
    const whole = mapped(a, (x) => Math.round(4 * x));
    const other = mapped(b, (x) => Math.round(4 * x));
    expect(await worst({ a: whole, b: other, d: product(whole, other) })).toEqual([]);
    const broken = mapped(d, (x, e) => (e === 11 ? Number.NaN : x + 1e6));
    expect(await worst({ d: broken })).toMatchObject([{ i: 2, j: 1, found: 'NaN' }, {}, {}]);
  });
});
