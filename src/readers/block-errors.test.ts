import { expect, it } from 'vitest';
import { classical } from '../algorithms/classical.ts';
import { inShort } from '../base/in-short.testing.ts';
import { createRandom } from '../base/random.ts';
import { exactProduct } from '../exact/exact.ts';
import { type Matrix, matrix } from '../matrix/dense.ts';
import { plainGemm } from '../matrix/gemm.ts';
import { compile } from '../plan/compile.ts';
import { kindsOfPrecisions } from '../precision/kinds.testing.ts';
import { applyClaims, type ClaimedArithmetic } from '../precision/precision.ts';
import { precisions } from '../precision/precisions.ts';
import { analyze } from './analysis.ts';
import { inAnyConvention } from './any-convention.ts';
import { blockErrors } from './block-errors.ts';
import { blockedOperand } from './blocked-operand.ts';
import type { ScalingConvention } from './convention.ts';
import { inResults, upToSums } from './result-rounding.ts';

const shape = { m: 5, k: 29, n: 12 };
const { m, k, n } = shape;

/** Returns random entries with widely spread exponents, rounded as the precision stores them. */
const drawn = (rows: number, cols: number, seed: number, precision: ReturnType<typeof precisions.find>) => {
  const random = createRandom(seed, 1);
  // A walk rounds coded numbers when it loads them.
  const { round } = precision.coded === undefined ? precision.a : precision.multiplied;
  const entry = () => round((random.uniform01() - 0.3) * 2 ** (random.int(0, 9) - 4));
  return matrix(rows, cols, Float64Array.from({ length: rows * cols }, entry));
};

const claims: readonly (ClaimedArithmetic & ScalingConvention)[] = [
  {},
  { order: 'pairwise' },
  { order: 'data-dependent' },
  { beta: 'last' },
  { arithmetic: { rounding: 'toward-zero' } },
  { order: 'signs-apart' },
];

/** Precisions for comparison. Whole numbers have no errors, and the entries of this test exceed the range of the narrowest formats. */
const compared = kindsOfPrecisions.filter(
  ({ a, accumulated }) => accumulated.unitRoundoff > 0 && a.maxFinite > 2 ** 4.5,
);

/** One precision with rounded results, and some of all. */
const names = ['f16-f32-f16', ...inShort(compared, 9).map(({ name }) => name)];

it.each([...new Set(names)])(
  'sums of bounds and variances of %s are those that a walk of the plan finds',
  (name) => {
    const precision = precisions.find(name);
    // Blocks know results after rounding, a walk before.
    const near = 0.001 + (precision.d === precision.accumulated ? 0 : 3 * precision.d.unitRoundoff);
    for (const [at, claim] of claims.entries()) {
      for (const [alpha, beta] of [
        [1, 0],
        [-0.5, 0],
        [1.5, 2],
        [0, 1],
      ]) {
        const [a, b, c] = [
          drawn(m, k, at, precision),
          drawn(k, n, at + 9, precision),
          drawn(m, n, at + 5, precision),
        ];
        const computation = applyClaims(precision, claim);
        const gemm = { ...plainGemm(shape), alpha, beta };
        const sums = upToSums(computation);
        const own = analyze(compile({ algorithm: classical, shape }), a, b, sums);
        const isPlain = alpha === 1 && beta === 0;
        const scaled = isPlain ? own : inAnyConvention(own, { a, b, c }, gemm, sums, 0, claim);
        const whole = inResults(scaled, computation);
        for (const width of [1, 5, n]) {
          const squares = {
            product: inBlocks(own.model, width, (x) => x * x),
            value: inBlocks(whole.model, width, (x) => x * x),
          };
          const found = blockErrors({ a, b, c }, { gemm, computation, convention: claim, width, squares });
          const bounds = inBlocks(whole.bound, width, (x) => x);
          const sigmas = inBlocks(whole.sigma, width, (x) => x * x).map(Math.sqrt);
          const most = (of: (e: number) => number) => Math.max(...Array.from(bounds, (_, e) => of(e)));
          expect(most((e) => bounds[e] / found.bound[e])).toBeLessThanOrEqual(1 + 2 ** -45);
          // Underflow counts for each entry of a whole block, also in the last.
          expect(most((e) => found.bound[e] / bounds[e])).toBeLessThan(width === 1 ? 1 + near : 3);
          // For whole blocks, it is a conservative model of surplus and order.
          expect(most((e) => sigmas[e] / found.sigma[e])).toBeLessThan(
            width === 1 ? 1 / (1 - near) : 1 / 0.7,
          );
          expect(most((e) => found.sigma[e] / sigmas[e])).toBeLessThan(width === 1 ? 1 + near : 6);
        }
      }
    }
  },
);

it('losses of alpha·A by underflow count in blocks, whether sums of B are known or not', () => {
  const precision = precisions.find('f32');
  const computation = applyClaims(precision);
  const tiny = (x: Matrix) =>
    matrix(
      x.rows,
      x.cols,
      Float32Array.from(x.data, (entry) => entry * 2 ** -146),
    );
  const [a, b] = [tiny(drawn(m, k, 3, precision)), drawn(k, n, 4, precision)];
  const gemm = { ...plainGemm(shape), alpha: 0.3 };
  const own = analyze(compile({ algorithm: classical, shape }), a, b, computation);
  const whole = inAnyConvention(own, { a, b, c: undefined }, gemm, computation, 0, {});
  for (const width of [1, 5]) {
    const squares = {
      product: inBlocks(own.model, width, (x) => x * x),
      value: inBlocks(whole.model, width, (x) => x * x),
    };
    const task = { gemm, computation, width, squares };
    const found = blockErrors({ a, b }, task);
    const bounds = inBlocks(whole.bound, width, (x) => x);
    const shares = Array.from(bounds, (bound, e) => bound / found.bound[e]);
    expect(Math.max(...shares)).toBeLessThanOrEqual(1 + 2 ** -45);
    expect(Math.min(...shares)).toBeGreaterThan(width === 1 ? 1 - 2 ** -40 : 0.2);
    expect(blockErrors({ a, b }, { ...task, y: blockedOperand(b, width, undefined) })).toEqual(found);
  }
});

function inBlocks({ rows, cols, data }: Matrix, width: number, of: (x: number) => number): Float64Array {
  const blocks = Math.ceil(cols / width);
  const sums = new Float64Array(rows * blocks);
  data.forEach((x, e) => {
    sums[Math.floor(e / cols) * blocks + Math.floor((e % cols) / width)] += of(x);
  });
  return sums;
}

it('sizes of blocks are not below |A||B|, however often sums of doubles round down', () => {
  const random = createRandom(4, 1);
  const precision = precisions.find('f64');
  const abs = (rows: number, cols: number) =>
    matrix(
      rows,
      cols,
      Float64Array.from({ length: rows * cols }, () => random.uniform01()),
    );
  for (let run = 0; run < 20; run++) {
    const [a, b] = [abs(1, k), abs(k, 4)];
    const squares = { product: new Float64Array(2), value: new Float64Array(2) };
    const task = {
      gemm: plainGemm({ m: 1, k, n: 4 }),
      computation: applyClaims(precision),
      width: 2,
      squares,
    };
    const { size, largest } = blockErrors({ a, b }, task);
    for (const block of [0, 1]) {
      const column = (j: number) => Array.from({ length: k }, (_, p) => b.data[4 * p + 2 * block + j]);
      const sizeOf = (left: number[], right: number[]) =>
        exactProduct(
          matrix(1, left.length, Float64Array.from(left)),
          matrix(right.length, 1, Float64Array.from(right)),
        ).product.data[0];
      const row = [...a.data];
      expect(size[block]).toBeGreaterThanOrEqual(sizeOf([...row, ...row], [...column(0), ...column(1)]));
      const most = column(0).map((x, p) => Math.max(x, column(1)[p]));
      expect(largest[block]).toBeGreaterThanOrEqual(sizeOf(row, most));
    }
  }
});
