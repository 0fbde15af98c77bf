import { Decimal } from 'decimal.js';
import { type Matrix, matrix, productShape } from '../matrix/dense.ts';

/**
 * Computes the product in decimal arithmetic: every entry is the exact inner product correctly rounded to binary64. It is slow, for
 * small matrices and to check the other references, with which it shares no arithmetic.
 *
 * **Why nothing rounds before the end.** A finite double is N·2^e with integer N, and a product of two is a multiple of 2^g, g the sum
 * of the lowest exponents e of A and of B. With abs(entries) < 2^s in A and < 2^t in B, a sum of up to k products is below 2^h, h = s +
 * t + ⌈log2 k⌉. Let also g ≤ −1075 and h ≥ 1025, so that doubles, the points halfway between them and their distances from such a sum
 * are multiples of 2^g below 2^(h+1) too. Any such number is N·2^g with abs(N) < 2^(h+1−g), and as g < 0 it is N·5^(−g)·10^g: N·5^(−g)
 * is an integer of at most ⌈(h+1−g)·log10 2 − g·log10 5⌉ + 1 digits. At that precision all of these operations are exact, and the only
 * rounding is the last: to the double nearest to the exact sum.
 *
 * A NaN or infinite operand gives the IEEE 754 answer; an exact zero is +0; a negative value that rounds to zero is −0.
 * @param a m×k, f32 or f64. @param b k×n, f32 or f64. @returns m×n.
 * @throws ParanoiaError `shapes-differ`.
 */
export function goldProduct(a: Matrix, b: Matrix): Matrix<Float64Array> {
  const { m, k, n } = productShape(a, b);
  const data = new Float64Array(m * n);
  const partsA = Array.from(a.data, integerTimesPowerOf2);
  const partsB = Array.from(b.data, integerTimesPowerOf2);
  const Exact = decimalsFor(goldPrecision(partsA, partsB, k));
  const rowsOfA = partsA.map((part) => toDecimal(Exact, part));
  const rowsOfB = partsB.map((part) => toDecimal(Exact, part));
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum: Decimal | number = new Exact(0);
      for (let t = 0; t < k; t++) {
        const x = rowsOfA[i * k + t];
        const y = rowsOfB[t * n + j];
        if (x === undefined || y === undefined) {
          const special = a.data[i * k + t] * b.data[t * n + j];
          sum = typeof sum === 'number' ? sum + special : special;
        } else if (typeof sum !== 'number') {
          sum = sum.plus(x.times(y));
        }
      }
      data[i * n + j] = typeof sum === 'number' ? sum : nearestDouble(Exact, sum);
    }
  }
  return matrix(m, n, data);
}

/** A finite double as n·2^e, n an integer of at most 53 bits; undefined for NaN and infinities. */
type Parts = { readonly n: number; readonly e: number } | undefined;

/** Decomposes x by doubling and halving, which are exact here: it halves only numbers of at least 2^53. */
function integerTimesPowerOf2(x: number): Parts {
  if (!Number.isFinite(x)) return undefined;
  let n = x;
  let e = 0;
  while (Math.abs(n) >= 2 ** 53) {
    n /= 2;
    e++;
  }
  while (!Number.isInteger(n)) {
    n *= 2;
    e--;
  }
  return { n, e };
}

/** Returns the digits with which no operation rounds: see {@link goldProduct}. */
function goldPrecision(a: readonly Parts[], b: readonly Parts[], k: number): number {
  const lowest = (parts: readonly Parts[]) => parts.reduce((least, p) => Math.min(least, p?.e ?? 0), 0);
  const highest = (parts: readonly Parts[]) => parts.reduce((most, p) => Math.max(most, (p?.e ?? 0) + 53), 0);
  const g = Math.min(-1075, lowest(a) + lowest(b));
  const h = Math.max(1025, highest(a) + highest(b) + Math.ceil(Math.log2(Math.max(k, 1))));
  return Math.ceil((h + 1 - g) * Math.log10(2) - g * Math.log10(5)) + 1;
}

function decimalsFor(precision: number): typeof Decimal {
  return Decimal.clone({ precision, rounding: Decimal.ROUND_HALF_EVEN, minE: -9e15, maxE: 9e15 });
}

/** Returns exactly n·2^e. A decimal made directly from a fraction would stand for its shortest decimal instead. */
function toDecimal(Exact: typeof Decimal, parts: Parts): Decimal | undefined {
  return parts && new Exact(parts.n).times(powerOf2(Exact, parts.e));
}

function powerOf2(Exact: typeof Decimal, e: number): Decimal {
  return e >= 0 ? new Exact(2).pow(e) : new Exact(5).pow(-e).times(new Exact(`1e${e}`));
}

/**
 * Returns the double nearest to `sum`, ties to even; infinity from half a spacing beyond the largest double. The parser of decimals
 * proposes one; it and its neighbors are then compared exactly.
 */
function nearestDouble(Exact: typeof Decimal, sum: Decimal): number {
  if (sum.isZero()) return 0;
  const magnitude = sum.abs();
  const halfwayToInfinity = powerOf2(Exact, 1024).minus(powerOf2(Exact, 970));
  const sign = sum.isNegative() ? -1 : 1;
  if (magnitude.gte(halfwayToInfinity)) return sign * Number.POSITIVE_INFINITY;
  const guess = Math.min(Number(magnitude.toString()), Number.MAX_VALUE);
  let best = guess;
  let distance = Exact.abs(magnitude.minus(exactly(Exact, guess)));
  for (const step of [-1n, 1n]) {
    const near = neighbor(guess, step);
    if (!(near >= 0 && near <= Number.MAX_VALUE)) continue;
    const other = Exact.abs(magnitude.minus(exactly(Exact, near)));
    if (other.lt(distance) || (other.eq(distance) && isEven(near))) {
      best = near;
      distance = other;
    }
  }
  return sign * best;
}

function exactly(Exact: typeof Decimal, x: number): Decimal {
  return toDecimal(Exact, integerTimesPowerOf2(x)) as Decimal;
}

const bits = new DataView(new ArrayBuffer(8));

/** Returns the double whose bit pattern is `step` away from that of x ≥ 0: NaN for the one below 0. */
function neighbor(x: number, step: bigint): number {
  bits.setFloat64(0, x);
  bits.setBigInt64(0, bits.getBigInt64(0) + step);
  return bits.getFloat64(0);
}

function isEven(x: number): boolean {
  bits.setFloat64(0, x);
  return (bits.getUint8(7) & 1) === 0;
}
