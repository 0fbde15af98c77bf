import { describe, expect, test } from 'vitest';
import { findAlgorithm } from '../src/algorithms/algorithms.ts';
import { inShort } from '../src/base/in-short.testing.ts';
import { createRandom } from '../src/base/random.ts';
import { exactProduct } from '../src/exact/exact.ts';
import { embedLeft, embedRight } from '../src/matrix/complex.ts';
import { matrix } from '../src/matrix/dense.ts';
import { compile } from '../src/plan/compile.ts';
import { applyClaims } from '../src/precision/precision.ts';
import { precisions } from '../src/precision/precisions.ts';
import { analyzeThreeProducts } from '../src/readers/three-products.ts';

/**
 * The law: no complex product by three real ones exceeds the bound of `3m`, for any choice of the three, and none its expected error by
 * much.
 *
 * Why: libraries say "3M" of Higham's, Gauss's and Knuth's products alike, whose terms are not the same.
 */
type Pair = readonly [re: number, im: number];

/** A table: the factors of each product, and its coefficients in the real and imaginary part. */
interface Three {
  readonly factors: readonly (readonly [a: Pair, b: Pair])[];
  readonly re: readonly number[];
  readonly im: readonly number[];
}

const FACTORS: readonly Pair[] = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
];
const SIGNS = [-1, 0, 1];
const [RE, IM] = [
  [1, 0, 0, -1],
  [0, 1, 1, 0],
];

/** Lists every three products of factors x and x ± y whose sums, with factors of ±1, are the real and imaginary part. */
function allThrees(): Three[] {
  const products = FACTORS.flatMap((a) => FACTORS.map((b) => [a, b] as const));
  const terms = products.map(([a, b]) => [a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]]);
  const weights = SIGNS.flatMap((x) => SIGNS.flatMap((y) => SIGNS.map((z) => [x, y, z])));
  const found: Three[] = [];
  for (let p = 0; p < products.length; p++) {
    for (let q = p + 1; q < products.length; q++) {
      for (let r = q + 1; r < products.length; r++) {
        const three = [p, q, r];
        const making = (part: readonly number[]) =>
          weights.find((w) =>
            part.every((x, t) => three.reduce((s, at, i) => s + w[i] * terms[at][t], 0) === x),
          );
        const [re, im] = [making(RE), making(IM)];
        if (re !== undefined && im !== undefined)
          found.push({ factors: three.map((at) => products[at]), re, im });
      }
    }
  }
  return found;
}

/** Real and imaginary parts of a row of A, or of a column of B. */
type Line = readonly [re: Float32Array, im: Float32Array];

const { fround } = Math;

/** Computes the product of a row and a column by a table in binary32, with sums forwards, or those of every second product backwards. */
function computed({ factors, re, im }: Three, a: Line, b: Line, turned: boolean): Pair {
  const sums = factors.map(([x, y], at) => {
    const of = ([p, q]: Pair, [r, i]: Line, e: number) => fround(p * r[e] + q * i[e]);
    let sum = 0;
    for (let step = 0; step < a[0].length; step++) {
      const e = turned && at % 2 === 1 ? a[0].length - 1 - step : step;
      sum = fround(sum + fround(of(x, a, e) * of(y, b, e)));
    }
    return sum;
  });
  const added = (by: readonly number[]) => by.reduce((sum, factor, at) => fround(sum + factor * sums[at]), 0);
  return [added(re), added(im)];
}

const computation = applyClaims(precisions.find('c32'));

/** Returns the errors of the real and imaginary part in units of the bound, and of the expected error. */
function used(three: Three, a: Line, b: Line, turned: boolean): { bound: number; sigma: number } {
  const k = a[0].length;
  const row = (x: Float32Array) => matrix(1, k, x);
  const column = (x: Float32Array) => matrix(k, 1, x);
  const [left, right] = [embedLeft(row(a[0]), row(a[1])), embedRight(column(b[0]), column(b[1]))];
  const plan = compile({
    algorithm: findAlgorithm('3m'),
    shape: { m: 2, k: 2 * k, n: 1 },
    depth: { levels: 1 },
  });
  const { bound, sigma } = analyzeThreeProducts(plan, left, right, computation);
  const { product, low } = exactProduct(left, right);
  const errors = computed(three, a, b, turned).map((x, e) => Math.abs(x - product.data[e] - low[e]));
  const most = (by: Float64Array) => Math.max(...errors.map((error, e) => (error === 0 ? 0 : error / by[e])));
  return { bound: most(bound.data), sigma: most(sigma.data) };
}

/** The unit roundoff u, and the smallest step away from 1. */
const [U, STEP] = [2 ** -24, 2 ** -23];

/**
 * Makes a row and a column with one large part each. Each term after the first is about half a unit in the last place of the first. It is
 * slightly more in one sum and slightly less in another, depending on the other part. So one sum drops all of them, and another rounds all
 * of them up.
 */
function stagnating(k: number, [ofA, ofB]: Pair, [more, less]: Pair): [Line, Line] {
  const line = (large: number, by: number, entry: (e: number) => number): Line => {
    const own = Float32Array.from({ length: k }, (_, e) => entry(e));
    const other = own.map((x, e) => (e === 0 ? 0 : by * STEP * x));
    return large === 0 ? [own, other] : [other, own];
  };
  return [line(ofA, more, (e) => (e === 0 ? 1 : U)), line(ofB, less, () => 1)];
}

const RUNS = inShort(Array.from({ length: 40 }), 4).length;
const BITS = [0, 1];
const pairsOf = (values: readonly number[]) => values.flatMap((x) => values.map((y): Pair => [x, y]));

const tables = allThrees();

test('there are twelve tables of three products', () => expect(tables).toHaveLength(12));

describe.each(
  inShort(
    tables.map((three, at) => [at, three] as const),
    5,
  ),
)('three products, table %i', (_, three) => {
  test.each(inShort([64, 1024, 8], 3))('keep the bound on sums of %i terms that stagnate', (k) => {
    let worst = 0;
    for (const parts of pairsOf(BITS))
      for (const by of pairsOf([-1, 0, 1]))
        for (const turned of [false, true])
          worst = Math.max(worst, used(three, ...stagnating(k, parts, by), turned).bound);
    expect(worst).toBeLessThanOrEqual(1);
    expect(worst).toBeGreaterThan(0.2);
  });

  test.each(['centred', 'positive', 'conjugated', 'one part large'])('keep what is expected, %s', (kind) => {
    const random = createRandom(12, kind.length);
    const draw = (k: number, by = 1) =>
      Float32Array.from(
        { length: k },
        () => by * random.uniform(kind === 'positive' || kind === 'conjugated' ? 0 : -1, 1),
      );
    for (let run = 0; run < RUNS; run++) {
      const k = 1 + random.int(0, 63);
      const small = kind === 'one part large' ? 2 ** -12 : 1;
      const [re, im] = run % 2 === 0 ? [1, small] : [small, 1];
      const a: Line = [draw(k, re), draw(k, kind === 'conjugated' ? -im : im)];
      const b: Line = [draw(k, im), draw(k, re)];
      const { bound, sigma } = used(three, a, b, run % 3 === 0);
      expect(bound).toBeLessThanOrEqual(1);
      expect(sigma).toBeLessThan(6);
    }
  });
});
