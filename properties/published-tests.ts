import { createRandom } from '../src/base/random.ts';

/**
 * Tests 2, 4 and 6 and the grading of J. Demmel and others as NVIDIA publishes them for binary64 (CUDALibrarySamples,
 * cuBLAS/Emulation/gemm_grading, 2025), written anew from their description and independent of the product's. As there, they compare with
 * plain sums in double, not with an exact product.
 */
export type Multiply = (a: Float64Array, b: Float64Array, n: number) => Float64Array;

/** LAPACK's eps; the tolerance is ten of it for every term. */
const EPS = 2 ** -53;
const tolerance = (n: number) => 10 * n * EPS;
const largestExponent = (n: number) => 510 - Math.log2(n);
/** Size at which the recursion of their methods stops. */
const CROSSOVER = 16;

const plain: Multiply = (a, b, n) => {
  const c = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) for (let p = 0; p < n; p++) c[i * n + j] += a[i * n + p] * b[p * n + j];
  return c;
};

/** Test 2: true if inner products without a term are 0. No Strassen-like method passes it. */
function test2(multiply: Multiply, n: number, seed: number): boolean {
  const random = createRandom(seed, 2, 'fine');
  const a = Float64Array.from({ length: n * n }, () => random.normal());
  const b = Float64Array.from({ length: n * n }, () => random.normal());
  const [rows, cols] = [random.permutation(n), random.permutation(n)];
  for (let pair = 0; pair < n / 2; pair++) {
    const [order, split] = [random.permutation(n), random.int(1, n - 1)];
    order.forEach((p, at) => {
      if (at < split) a[rows[pair] * n + p] = 0;
      else b[p * n + cols[pair]] = 0;
    });
  }
  const c = multiply(a, b, n);
  return Array.from({ length: n / 2 }, (_, pair) => c[rows[pair] * n + cols[pair]]).every((x) => x === 0);
}

const agrees = (found: number, expected: number, n: number) =>
  Math.abs(found - expected) <= tolerance(n) * Math.abs(expected);

/** Test 4: true if x·D meets D^-1·x, cyclically shifted, without a loss. No fixed-point method passes it. */
function test4(multiply: Multiply, n: number, seed: number): boolean {
  const random = createRandom(seed, 4, 'fine');
  const [x, top] = [Array.from({ length: n }, () => random.uniform(1, 2)), largestExponent(n)];
  const scales = x.map((_, i) => 2 ** (top - Math.floor((i * 2 * top) / (n - 1))));
  const at = (e: number) => (Math.floor(e / n) + (e % n)) % n;
  const a = Float64Array.from({ length: n * n }, (_, e) => x[at(e)] * scales[at(e)]);
  const b = Float64Array.from({ length: n * n }, (_, e) => x[at(e)] / scales[at(e)]);
  const expected = plain(a, b, n);
  return multiply(a, b, n).every((found, e) => agrees(found, expected[e], n));
}

/** Test 6: as test 4, for a Strassen-like method whose blocks have the same scales. */
function test6(multiply: Multiply, n: number, seed: number): boolean {
  const random = createRandom(seed, 6, 'fine');
  const [order, top] = [random.permutation(CROSSOVER), largestExponent(n)];
  const scale = (p: number) => 2 ** (top - Math.floor((order[p % CROSSOVER] * 2 * top) / (CROSSOVER - 1)));
  const entry = (last: boolean, by: number) => random.uniform(1, 2) * (last ? 2 ** top : by);
  const a = Float64Array.from({ length: n * n }, (_, e) => entry(e >= n * (n - 1), scale(e % n)));
  const b = Float64Array.from({ length: n * n }, (_, e) =>
    entry(e % n === n - 1, 1 / scale(Math.floor(e / n))),
  );
  const [found, expected] = [multiply(a, b, n), plain(a, b, n)];
  return found.every((value, e) => {
    const isAsked = e < n * (CROSSOVER - 1) && e % n < CROSSOVER - 1;
    return !isAsked || agrees(value, expected[e], n);
  });
}

/** Returns the algorithm that the three tests name. */
export function publishedName(multiply: Multiply, n: number, seed: number): string {
  const isFast = !test2(multiply, n, seed);
  const isFloating = (isFast ? test6 : test4)(multiply, n, seed);
  return `${isFast ? 'Strassen-like' : 'classical'} in ${isFloating ? 'floating' : 'fixed'} point`;
}

/** Returns the slope of log(largest error in units of 2^-52·|A||B|) on log n, for uniform operands; grade A where at most 1. */
export function publishedSlope(multiply: Multiply, sizes: readonly number[], seed: number): number {
  const random = createRandom(seed, 1, 'fine');
  const points = sizes.map((n) => {
    const a = Float64Array.from({ length: n * n }, () => random.uniform(0, 1));
    const b = Float64Array.from({ length: n * n }, () => random.uniform(0, 1));
    const [found, expected] = [multiply(a, b, n), plain(a, b, n)];
    const errors = found.map((value, e) => Math.abs(value - expected[e]) / (2 * EPS * expected[e]));
    return [Math.log(n), Math.log(errors.reduce((most, error) => Math.max(most, error), 0))];
  });
  const finite = points.filter(([, y]) => Number.isFinite(y));
  const mean = (at: 0 | 1) => finite.reduce((sum, point) => sum + point[at], 0) / finite.length;
  const [x0, y0] = [mean(0), mean(1)];
  const covered = finite.reduce((sum, [x, y]) => sum + (x - x0) * (y - y0), 0);
  return covered / finite.reduce((sum, [x]) => sum + (x - x0) ** 2, 0);
}
