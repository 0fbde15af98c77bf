import { describe, expect, it } from 'vitest';
import {
  awayIn,
  blocksOf,
  cutIn,
  grouped,
  productsOf,
  reversed,
  type SumFunction,
} from '../lab/honest/sums.ts';
import { inShort } from '../src/base/in-short.testing.ts';
import { createRandom } from '../src/base/random.ts';
import { judgeProduct } from '../src/evidence/judge-product.ts';
import type { Claims } from '../src/kernels/claims.ts';
import { matrix } from '../src/matrix/dense.ts';
import type { Rounding } from '../src/precision/arithmetic.ts';
import type { Format } from '../src/precision/format.ts';
import { precisions } from '../src/precision/precisions.ts';

/**
 * The law: sums that are not rounded to nearest may stay at the largest number, in any order of addition, and come back from there. An
 * entry that no order gives fails.
 *
 * Why: IEEE 754-2019, §7.4: an overflow gives the largest number where the direction of rounding is not away from zero, and a number is
 * next to it on one side.
 */
const random = createRandom(12, 4);

/** Roundings to a format that keep a claim. */
const kept: Readonly<Record<string, readonly [Rounding, (format: Format) => (x: number) => number]>> = {
  'toward zero': ['toward-zero', cutIn],
  'toward zero, infinite beyond': [
    'toward-zero',
    (format) => (x) => (Math.abs(x) > format.maxFinite ? x * Number.POSITIVE_INFINITY : cutIn(format)(x)),
  ],
  'to either neighbour, that toward zero': ['faithful', cutIn],
  'to either neighbour, the other': ['faithful', awayIn],
  'to either neighbour, in turn': ['faithful', (format) => inTurn([cutIn(format), awayIn(format)])],
  'at random': ['stochastic', (format) => inTurn([cutIn(format), awayIn(format), cutIn(format)])],
};

function inTurn(ways: readonly ((x: number) => number)[]) {
  let at = 0;
  return (x: number) => ways[at++ % ways.length](x);
}

const orders: Readonly<Record<string, (sum: SumFunction) => SumFunction>> = {
  forwards: (sum) => sum,
  backwards: reversed,
  'in blocks': (sum) => grouped(blocksOf(3), sum, sum),
  'in blocks, backwards': (sum) => grouped(blocksOf(2), sum, reversed(sum)),
};

/** Precisions whose results round as their sums are claimed to, and precisions whose sums are rounded once more. */
const PRECISIONS = ['f32', 'f16', 'bf16-f32', 'tf32-f32', 'bf16-f32-bf16'];

function verdictOf(
  name: string,
  c: number,
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  claims: Claims,
  alpha = 1,
) {
  const of = (rows: number, cols: number, data: ArrayLike<number>) =>
    matrix(rows, cols, Float32Array.from(data));
  return judgeProduct(of(1, 1, [c]), of(1, a.length, a), of(b.length, 1, b), {
    precision: name,
    claims,
    alpha,
  });
}

describe.each(PRECISIONS)('in %s', (name) => {
  const { a: stored, multiplied, accumulated, d } = precisions.find(name);
  const top = Math.min(stored.maxFinite, multiplied.maxFinite);
  const draw = () => multiplied.round(random.uniform(-1, 1) * top * (random.uniform01() < 0.5 ? 1 : 0.4));

  it.each(inShort(Object.entries(kept), 1))('sums that are rounded %s pass', (_, [rounding, roundTo]) => {
    const result = d === accumulated ? {} : { result: { rounding } };
    const claims = { arithmetic: { rounding, ...result } };
    for (const [order, inOrder] of Object.entries(orders)) {
      for (let run = 0; run < 100; run++) {
        const k = random.int(2, 9);
        const [x, y] = [
          Array.from({ length: k }, draw),
          Array.from({ length: k }, () => [1, 1, 0.5, 2 ** -9][random.int(0, 3)]),
        ];
        const alpha = [1, 0.25, -1, 2][random.int(0, 3)];
        const to = roundTo(accumulated);
        const sum: SumFunction = (products) => products.reduce((total, each) => to(total + to(each)));
        const complete = inOrder(sum)(productsOf(x, y));
        const found = roundTo(d)(alpha === 1 ? complete : to(alpha * complete));
        const { verdict, reason } = verdictOf(name, found, x, y, claims, alpha);
        expect({ order, x, y, alpha, found, verdict, reason }).not.toMatchObject({ verdict: 'fail' });
      }
    }
  });

  it.each<[string, number, number[]]>([
    ['less than all that is subtracted leaves of the largest number', -0.25, [1, 1, -1]],
    ['more than all terms', 1, [1, 0.5, -0.75]],
    ['half of what overflows', 0.5, [1, 1]],
    ['the largest number of the other sign', -1, [1, 1]],
    ['what no sum that overflows brings', 0.25, [0.5, 0.25, -0.125]],
  ])('%s fails', (_, found, x) => {
    const scaled = x.map((each) => each * top);
    for (const rounding of ['toward-zero', 'faithful'] as const) {
      const result = d === accumulated ? {} : { result: { rounding } };
      const { verdict } = verdictOf(
        name,
        d.round(found * top),
        scaled,
        x.map(() => 1),
        { arithmetic: { rounding, ...result } },
      );
      expect({ rounding, verdict }).toEqual({ rounding, verdict: 'fail' });
    }
  });
});

it('sums of binary64 may stay at the largest number, too', () => {
  const X = Number.MAX_VALUE;
  const of = (rows: number, cols: number, ...data: number[]) => matrix(rows, cols, Float64Array.from(data));
  const judged = (c: number) =>
    judgeProduct(of(1, 1, c), of(1, 3, X, X, -X), of(3, 1, 1, 1, 1), {
      ...{ precision: 'f64', claims: { arithmetic: { rounding: 'toward-zero' } } },
    }).verdict;
  expect([X, 0, -X / 2].map(judged)).toEqual([
    expect.not.stringMatching('fail'),
    expect.not.stringMatching('fail'),
    'fail',
  ]);
});
