import { OURS } from '../base/registry.ts';
import type { RealArray } from '../matrix/dense.ts';
import { f32, f64 } from '../precision/format.ts';
import { singlePrecision } from '../precision/single.ts';
import { realsFor } from './fitted.ts';
import {
  acceptIf,
  acceptWhole,
  type InputShape,
  inputFamily,
  reachOfIntegers,
  reachOfUnits,
} from './input.ts';
import { integerBudget, operandLimit } from './integer-budget.ts';

/**
 * A counts its entries, 1, 2, 3, … row by row, modulo a prime; B is the identity (ones on the main diagonal of a
 * k×n matrix). C repeats A, cut or filled with zeros to n columns. The modulus is a prime, so that no two blocks, whose sizes are
 * round numbers, hold the same entries. With L levels the prime is so small that their growth stays exact: a column
 * of B has one entry only, hence the budget of an inner dimension of 1.
 */
export const identity = inputFamily({
  name: 'identity',
  what: 'Consecutive whole numbers times the identity.',
  source: OURS,
  catches: 'Wrong layout: the value of a misplaced entry of C tells its origin.',
  statistics: 'structured',
  exactness: 'integers',
  hasIdeal: true,
  reachOf: reachOfIntegers,
  accepts: (shape) =>
    acceptWhole(
      modulus(shape) >= 2,
      shape,
      `with ${shape.levels ?? 0} levels, no two different whole numbers stay exact in ${(shape.precision ?? singlePrecision).name}`,
    ),
  make: (request) => {
    const { m, k, n, fill } = request;
    const prime = modulus(request);
    const count = (i: number, t: number) => 1 + ((i * k + t) % prime);
    return {
      a: fill(m, k, count),
      b: fill(k, n, (t, j) => (t === j ? 1 : 0)),
      ideal: (i, j) => (j < k ? count(i, j) : 0),
    };
  },
});

/** Upper limit of entries. With the budget of a wider format, finding a prime would take longer than multiplying. */
const ENOUGH = 2 ** 24;

/** Returns the largest prime within the budget, 0 when that is below 2. */
function modulus(limits: InputShape): number {
  for (let p = Math.min(integerBudget(1, limits), operandLimit(limits), ENOUGH); p >= 2; p--) {
    if (isPrime(p)) return p;
  }
  return 0;
}

function isPrime(p: number): boolean {
  for (let d = 2; d * d <= p; d++) {
    if (p % d === 0) return false;
  }
  return true;
}

/**
 * Each row of A has a single 1, in a column of its own as long as there are columns (they repeat when m > k); B is
 * uniform on [−1, 1]. Row i of C is a row of B: exact for a classical product.
 */
export const permutation = inputFamily({
  name: 'permutation',
  what: 'A permutation matrix times random entries.',
  source: OURS,
  catches: 'Wrong rows, transposed operands, and inputs that lose precision: C must repeat B bit for bit.',
  statistics: 'structured',
  exactness: 'classical',
  hasIdeal: true,
  reachOf: reachOfUnits,
  accepts: ({ precision = singlePrecision }) =>
    acceptIf(
      precision.multiplied === precision.b,
      'B is rounded before it is multiplied, so C cannot repeat it',
    ),
  make: ({ m, k, n, random, fill, uniform }) => {
    const order = random(1).permutation(k);
    const b = uniform(k, n, -1, 1, 2);
    return {
      a: fill(m, k, (i, t) => (order[i % k] === t ? 1 : 0)),
      b,
      ideal: (i, j) => (k === 0 ? 0 : b.data[order[i % k] * n + j]),
    };
  },
});

/** Longest sums without stagnation, by the bits of the accumulation format. */
const STAGNATES = [
  { precision: 11, above: 128 },
  { precision: 24, above: 1024 },
];

/**
 * A = I + uvᵀ and B = A⁻¹ = I − uvᵀ/(1 + vᵀu), u_i = 1/(n+1−i), v_i = √i, i = 1 … n: the pair of the error
 * tables (Figures 30–35 and 43) of the 2011 paper on Strassen's method on a GPU. Its ideal product is I.
 *
 * Measured with the model in binary32, the worst error is 2 to 4 sigmas up to n = 1024; at n = 2048 it is 11 (classical,
 * fused) to 20 (Winograd, one level): sums of smooth terms stagnate beside the one product that is near 1. In binary16 it
 * is 4 sigmas at n = 128 and 7.6 at n = 256.
 */
export const inversePair = inputFamily({
  name: 'inverse-pair',
  what: 'I + uvᵀ times its inverse (Sherman and Morrison), with u_i = 1/(n+1−i) and v_i = √i.',
  source: 'Li, Ranka, Sahni 2011, Figures 30 to 35 and 43',
  catches: 'Errors under cancellation. Published tables use it.',
  statistics: 'random',
  randomUpTo: ({ accumulated: working }) =>
    STAGNATES.find(({ precision }) => working.precision <= precision)?.above ?? 2 ** 15,
  exactness: 'none',
  hasIdeal: true,
  accepts: ({ m, k, n }) => acceptIf(m === k && k === n, 'a matrix and its inverse are square: m = k = n'),
  make: ({ n, precision: { a: stored }, init = stored.bytes > 4 ? 'f64' : 'f32' }) => {
    const [a, b] = [realsFor(stored, n * n), realsFor(stored, n * n)];
    fillInversePair(n, (init === 'f32' ? f32 : f64).round, stored.round, a, b);
    return {
      a: { rows: n, cols: n, data: a },
      b: { rows: n, cols: n, data: b },
      ideal: (i, j) => (i === j ? 1 : 0),
    };
  },
});

/**
 * Fills both n×n matrices. Every operation is rounded by `round`, and every entry once more by `store`. The order is part of the published
 * numbers: vᵀu is summed in index order, its reciprocal r = 1/(1 + vᵀu) is taken once, and B = I − (u_i·v_j)·r. With a division by
 * 1 + vᵀu instead, the classical maximum at n = 2048 is 8.30e-5, where 7.9e-5 is printed (and 7.92e-5 found this way).
 */
function fillInversePair(
  n: number,
  round: (x: number) => number,
  store: (x: number) => number,
  a: RealArray,
  b: RealArray,
): void {
  const u = Float64Array.from({ length: n }, (_, i) => round(1 / (n - i)));
  const v = Float64Array.from({ length: n }, (_, i) => round(Math.sqrt(i + 1)));
  let sum = 0;
  for (let i = 0; i < n; i++) sum = round(sum + round(v[i] * u[i]));
  const reciprocal = round(1 / round(1 + sum));
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const at = i * n + j;
      const one = i === j ? 1 : 0;
      const p = round(u[i] * v[j]);
      a[at] = store(round(one + p));
      b[at] = store(round(one - round(p * reciprocal)));
    }
  }
}
