import { exp2 } from '../base/binary64.ts';
import { makeNumbers } from '../base/numbers.ts';
import type { Random } from '../base/random.ts';
import { singlePrecision } from '../precision/single.ts';
import { acceptIf, inputFamily, whileSmooth } from './input.ts';

/** Fewest significand bits: their last place, for numbers near 1013, is within the deviation. */
const LEAST_BITS = 7;

/** Measured data that are not centered: pressures, times of a clock, coordinates of a map. */
export const measurements = inputFamily({
  name: 'measurements',
  what: 'A is normal with mean 1013 and deviation 9, B uniform on [−1, 1].',
  source: 'raw air pressures in hectopascals',
  catches: 'Operands kept in too few bits: entries differ only far behind their first digits.',
  statistics: 'random',
  randomUpTo: whileSmooth,
  exactness: 'none',
  reach: { entries: 11, sums: 21 },
  accepts: ({ precision = singlePrecision }) =>
    acceptIf(
      precision.multiplied.precision >= LEAST_BITS,
      `${precision.multiplied.name} cannot distinguish entries this close`,
    ),
  make: ({ m, k, n, random, fill, uniform }) => {
    const ra = random(1);
    return { a: fill(m, k, () => 1013 + 9 * ra.normal()), b: uniform(k, n, -1, 1, 2) };
  },
});

/** Operands of searches in texts and pictures: directions, whose products are cosines. */
export const unitRows = inputFamily({
  name: 'unit-rows',
  what: 'Normal entries; every row of A and every column of B is divided by its length.',
  source: 'embeddings whose inner products are cosines',
  catches: 'Kernels that expect the length of a row or column to grow with its number of entries.',
  statistics: 'random',
  exactness: 'none',
  make: ({ m, k, n, random, fill }) => {
    const [ra, rb] = [random(1), random(2)];
    const [a, b] = [makeNumbers(m * k, () => ra.normal()), makeNumbers(k * n, () => rb.normal())];
    const lengthOf = (values: Float64Array, from: number, step: number) => {
      let squares = 0;
      for (let p = 0; p < k; p++) squares += values[from + p * step] ** 2;
      return Math.sqrt(squares);
    };
    const ofRows = makeNumbers(m, (i) => lengthOf(a, i * k, 1));
    const ofColumns = makeNumbers(n, (j) => lengthOf(b, j, n));
    return {
      a: fill(m, k, (i, p) => a[i * k + p] / ofRows[i]),
      b: fill(k, n, (p, j) => b[p * n + j] / ofColumns[j]),
    };
  },
});

/** Correlation of an entry with its neighbor. */
const KEPT = 0.98;

/** Returns a mean-reverting random walk of variance 1: each entry is near the one before. */
function walk(random: Random): () => number {
  let at = random.normal();
  return () => {
    at = KEPT * at + Math.sqrt(1 - KEPT ** 2) * random.normal();
    return at;
  };
}

/** Smooth data: sounds, prices, lines of pictures, and filters of them. */
export const signals = inputFamily({
  name: 'signals',
  what: 'Rows of A and columns of B are random walks that return to zero: neighbors along k are nearly equal.',
  source: 'autoregressive processes of order 1, correlation 0.98',
  catches: 'Kernels that recognize operands by their differences, and code paths for smooth data.',
  statistics: 'structured',
  exactness: 'none',
  make: ({ m, k, n, random, fill }) => {
    const [ra, rb] = [random(1), random(2)];
    const rows = Array.from({ length: m }, () => walk(ra));
    const columns = Array.from({ length: n }, () => walk(rb));
    return { a: fill(m, k, (i) => rows[i]()), b: fill(k, n, (_, j) => columns[j]()) };
  },
});

/** Number of plane rotations in which each axis takes part, on average. */
const TURNS = 6;

/** Returns the columns of a product of random plane rotations (Givens) of `axes` axes: orthonormal. */
export function drawRotation(axes: number, random: Random): Float64Array {
  const all = new Float64Array(axes * axes);
  for (let i = 0; i < axes; i++) all[i * axes + i] = 1;
  for (let turn = 0; turn < TURNS * axes && axes > 1; turn++) {
    const p = random.int(0, axes - 1);
    const q = (p + random.int(1, axes - 1)) % axes;
    // By the tangent of half the angle: engines may round trigonometric functions differently.
    const t = random.uniform(-1, 1);
    const [cos, sin] = [(1 - t * t) / (1 + t * t), (2 * t) / (1 + t * t)];
    for (let i = 0; i < axes; i++) {
      const [x, y] = [all[i * axes + p], all[i * axes + q]];
      all[i * axes + p] = cos * x - sin * y;
      all[i * axes + q] = sin * x + cos * y;
    }
  }
  return all;
}

/** Most axes that are rotated together. Larger matrices have blocks of this size along the diagonal. */
const MOST = 32;

/** Transformations of coordinates: rotations, changes of basis, transforms. */
export const rotations = inputFamily({
  name: 'rotations',
  what: `A is uniform on [−1, 1]; columns of B are orthonormal, in blocks of ${MOST} along the diagonal.`,
  source: 'products of Givens rotations by random angles',
  catches: 'Kernels that recognize changes of coordinates and multiply them with less precision.',
  statistics: 'structured',
  exactness: 'none',
  make: ({ m, k, n, random, fill, uniform }) => {
    const drawn = random(2);
    const blocks = Array.from({ length: Math.ceil(k / MOST) }, (_, at) => {
      const axes = Math.min(MOST, k - at * MOST);
      return { axes, entries: drawRotation(axes, drawn) };
    });
    const b = fill(k, n, (p, j) => {
      // Columns beyond k repeat, as they must.
      const column = k === 0 ? 0 : j % k;
      const { axes, entries } = blocks[Math.floor(p / MOST)];
      const isInside = Math.floor(column / MOST) === Math.floor(p / MOST);
      return isInside ? entries[(p % MOST) * axes + (column % MOST)] : 0;
    });
    return { a: uniform(m, k, -1, 1, 1), b };
  },
});

/** Sharpness of rows, in turn: attention is spread over many places, or over few. */
const SHARPNESS = [1, 2];

/** Operands of attention: rows of weights that sum to 1, e^x or e^2x of normal numbers x over their sum. */
export const softmax = inputFamily({
  name: 'softmax',
  what: 'Rows of A are softmax(x), or softmax(2x) in every other row, for normal numbers x; B is uniform on [0, 1).',
  source: 'after Vaswani et al. 2017, Attention is all you need, equation 1',
  catches: 'Errors of weighted means: partial sums of one sign with small terms.',
  statistics: 'random',
  randomUpTo: whileSmooth,
  exactness: 'none',
  make: ({ m, k, n, random, fill, uniform }) => {
    const drawn = random(1);
    const sharpness = (at: number) => SHARPNESS[Math.floor(at / k) % SHARPNESS.length];
    const weights = makeNumbers(m * k, (at) => exp2(drawn.normal() * sharpness(at) * Math.LOG2E));
    const sums = Array.from({ length: m }, (_, i) =>
      weights.subarray(i * k, (i + 1) * k).reduce((sum, x) => sum + x, 0),
    );
    return { a: fill(m, k, (i, p) => weights[i * k + p] / sums[i]), b: uniform(k, n, 0, 1, 2) };
  },
});
