import { describe, expect, test } from 'vitest';
import { awayIn, cutIn, productsOf, type SumFunction, sumsIn } from '../lab/honest/sums.ts';
import { inShort } from '../src/base/in-short.testing.ts';
import { createRandom } from '../src/base/random.ts';
import { exactProduct } from '../src/exact/exact.ts';
import type { InputFamily, InputPair } from '../src/inputs/input.ts';
import { inputRegistry } from '../src/inputs/inputs.ts';
import type { Claims } from '../src/kernels/claims.ts';
import { claimedPlan } from '../src/kernels/external-kernel.ts';
import type { Matrix } from '../src/matrix/dense.ts';
import { plainGemm } from '../src/matrix/gemm.ts';
import { f32 } from '../src/precision/format.ts';
import { applyClaims, type Precision } from '../src/precision/precision.ts';
import { precisions } from '../src/precision/precisions.ts';
import { analyze } from '../src/readers/analysis.ts';
import { blockErrors } from '../src/readers/block-errors.ts';

/**
 * The law: for any claimed rounding of operands, products, sums or results, and any result that it allows, a kernel's errors keep the
 * bound, and six of the errors expected of it, on every family of random entries.
 *
 * Why: truncation loses bits in one direction, so that on data of one sign losses add up as k, not as √k. Each claimed rounding has an
 * expected mean, or a range of means.
 */
interface Place {
  readonly precision: string;
  readonly claims: Claims['arithmetic'];
  /** Rounds operands; `sum` adds the terms in its order and rounding. */
  readonly enter?: (x: number) => number;
  readonly sum?: SumFunction;
  readonly leave?: (x: number) => number;
}

const random = createRandom(3, 9);
const sums = sumsIn(f32);
const { multiplied: half } = precisions.find('f16-f32');

/** Roundings that a claim allows. If it allows a choice, all results lie on one side. */
const choices = {
  'toward-zero': { down: cutIn },
  faithful: { down: cutIn, up: awayIn },
  stochastic: { random: (format: Precision['d']) => atRandom(cutIn(format), awayIn(format)) },
} as const;
const atRandom = (down: (x: number) => number, up: (x: number) => number) => (x: number) => {
  const [low, high] = [down(x), up(x)];
  return low === high || random.uniform01() >= (x - low) / (high - low) ? low : high;
};
type Rounding = keyof typeof choices;
const roundings = Object.entries(choices).flatMap(([rounding, ways]) =>
  Object.entries(ways).map(([way, to]) => ({
    rounding: rounding as Rounding,
    words: `${rounding}, ${way}`,
    to: to as (format: Precision['d']) => (x: number) => number,
  })),
);
/** Makes sums of rounded products and rounded sums. */
const running =
  (to: (x: number) => number): SumFunction =>
  (products) => {
    let sum = 0;
    for (const x of products) sum = to(sum + to(x));
    return sum;
  };

const flushed = (x: number) => (Math.abs(x) < half.minNormal ? 0 : x);
const places: Readonly<Record<string, Place>> = {
  ...Object.fromEntries(
    ['tf32-f32', 'bf16-f32', 'f16-f32'].map((precision): [string, Place] => [
      `operands cut off, ${precision}`,
      {
        ...{ precision, claims: { operands: { rounding: 'toward-zero' } } },
        enter: cutIn(precisions.find(precision).multiplied),
      },
    ]),
  ),
  'operands flushed, f16-f32': {
    ...{ precision: 'f16-f32', claims: { operands: { subnormals: 'flushed' } } },
    enter: (x) => half.round(flushed(x)),
  },
  'operands cut off and flushed, f16-f32': {
    ...{ precision: 'f16-f32', claims: { operands: { rounding: 'toward-zero', subnormals: 'flushed' } } },
    enter: (x) => cutIn(half)(flushed(x)),
  },
  ...Object.fromEntries(
    roundings.flatMap(({ rounding, words, to }): [string, Place][] => [
      [`products and sums ${words}`, { precision: 'f32', claims: { rounding }, sum: running(to(f32)) }],
      [
        `sums of whole products ${words}`,
        {
          precision: 'f32',
          claims: { rounding, fma: 'once' },
          sum: (products) => products.reduce((sum, x) => to(f32)(sum + x), 0),
        },
      ],
      [
        `factors of rows ${words}`,
        { precision: 'e4m3-row', claims: { rounding }, enter: to(f32), sum: running(to(f32)) },
      ],
      ...['f16-f32-f16', 'bf16-f32-bf16'].map((precision): [string, Place] => {
        const { d } = precisions.find(precision);
        return [
          `results ${words}, ${precision}`,
          { precision, claims: { result: { rounding } }, leave: to(d) },
        ];
      }),
    ]),
  ),
};

const families: readonly InputFamily[] = [
  ...inputRegistry.items.filter(({ statistics }) => statistics === 'random'),
  small('subnormal-f16', 2 ** -15),
  small('last-of-f16', 2 ** -22),
];

/** Makes a family with entries of A uniform on [0, most]. */
function small(name: string, most: number): InputFamily {
  const uniform = inputRegistry.find('uniform-0-1');
  return {
    ...{ ...uniform, name },
    generate: (request) => {
      const pair = uniform.generate(request);
      const { round } = (request.precision ?? precisions.find('f32')).a;
      return { ...pair, a: { ...pair.a, data: pair.a.data.map((x) => round(x * most)) } };
    },
  };
}

const SIDE = 8;

/** Returns the operands of a family in a precision; undefined where it has none of this size, or where sums are too long to be random. */
function operandsOf(family: InputFamily, precision: Precision, k: number): InputPair | undefined {
  const shape = { m: SIDE, k, n: SIDE };
  if (!family.accepts({ ...shape, precision }).ok || family.randomUpTo(precision) < k) return undefined;
  return family.generate({ ...shape, precision, seed: 1 });
}

/** Returns the worst errors relative to the expected ones, by entry and by row, and relative to the bound. */
function standing(
  { claims, enter = (x) => x, sum = sums.sequential, leave = (x) => x }: Place,
  precision: Precision,
  a: Matrix,
  b: Matrix,
) {
  const [k, computation] = [a.cols, applyClaims(precision, { arithmetic: claims })];
  const plan = claimedPlan({}, { m: SIDE, k, n: SIDE });
  const { sigma, bound, model } = analyze(plan, a, b, computation);
  const exact = exactProduct(a, b);
  const [rows, columns] = [a.data, b.data].map((data) => Array.from(data, enter));
  const errors = Array.from(sigma.data, (_, e) => {
    const [i, j] = [Math.floor(e / SIDE), e % SIDE];
    const column = Array.from({ length: k }, (__, p) => columns[p * SIDE + j]);
    const computed = leave(sum(productsOf(rows.slice(i * k, (i + 1) * k), column)));
    return computed - exact.product.data[e] - exact.low[e];
  });
  const squares = (values: ArrayLike<number>) =>
    Float64Array.from({ length: SIDE }, (_, i) =>
      Array.from(values)
        .slice(i * SIDE, (i + 1) * SIDE)
        .reduce((total, x) => total + x * x, 0),
    );
  const ofRows = blockErrors(
    { a, b },
    {
      ...{ gemm: plainGemm({ m: SIDE, k, n: SIDE }), computation, width: SIDE },
      squares: { product: squares(exact.product.data), value: squares(model.data) },
    },
  );
  return {
    sigmas: Math.max(...errors.map((error, e) => (error === 0 ? 0 : Math.abs(error) / sigma.data[e]))),
    ofRows: Math.max(...squares(errors).map((q, i) => (q === 0 ? 0 : Math.sqrt(q) / ofRows.sigma[i]))),
    used: Math.max(...errors.map((error, e) => (error === 0 ? 0 : Math.abs(error) / bound.data[e]))),
  };
}

describe.each(inShort(Object.entries(places), 3))('%s', (_, place) => {
  const precision = precisions.find(place.precision);

  test.each(families.map((family) => [family.name, family] as const))('of %s', (__, family) => {
    for (const k of [1, 16, 128, 1024]) {
      const pair = operandsOf(family, precision, k);
      if (pair === undefined) continue;
      const found = standing(place, precision, pair.a, pair.b);
      expect(found.used).toBeLessThanOrEqual(1);
      expect(found.sigmas).toBeLessThan(6);
      expect(found.ofRows).toBeLessThan(3);
    }
  });
});
