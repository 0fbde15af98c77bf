import { mapNumbers } from '../../../src/base/numbers.ts';
import type { RealArray, Shape } from '../../../src/matrix/dense.ts';
import type { Format } from '../../../src/precision/format.ts';
import { ALIGNED_LEAST, exponentIn } from './exponents.ts';

/**
 * An adder of some products and the running sum at once. Each term is truncated toward zero at so many bits after the largest
 * exponent among them. The rest is added exactly, and the sum is converted to the format of results. The exponent of a product is
 * the sum of its factors' exponents. Its own may be one more, or less if a factor is subnormal, since products are not normalized
 * first (Fasi, Higham, Mikaitis, Pranesh, *Numerical behavior of NVIDIA tensor cores*, 2021; Xie et al., *MMA-Sim*, arXiv
 * 2511.10909).
 */
export interface BlockAdder {
  readonly a: Format;
  readonly b: Format;
  readonly result: Format;
  /** The number of products of one addition; the last one of a longer k may have fewer. */
  readonly terms: number;
  /** The number of bits kept after the largest exponent. */
  readonly fraction: number;
  /** Converts the sum to the format of results. */
  readonly rounded: (x: number) => number;
  /** Converts operands before they are multiplied, if the unit does not read all of their bits. */
  readonly operand?: ((x: number) => number) | undefined;
}

/**
 * Computes D = A·B + C by an adder, as `MatrixUnit.multiply` specifies. Non-finite sums are those in double: infinity, or NaN if
 * infinities of both signs meet. All steps but the last rounding are exact in double: products have at most 22 bits, terms and
 * the sum are truncated to at most 28, and double holds 2^24 such terms.
 */
export function multiplyByBlocks(
  adder: BlockAdder,
  a: RealArray,
  b: RealArray,
  c: RealArray | undefined,
  { m, k, n }: Shape,
): Float32Array {
  const { terms, fraction, rounded, operand = (x: number) => x } = adder;
  const x = mapNumbers(a, operand);
  const y = mapNumbers(transposed(b, k, n), operand);
  const [ofX, ofY] = [mapNumbers(x, exponentIn(adder.a)), mapNumbers(y, exponentIn(adder.b))];
  const ofSum = exponentIn(adder.result);
  const products = new Float64Array(terms);
  const out = new Float32Array(m * n);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum = c === undefined ? 0 : c[i * n + j];
      for (let from = 0; from < k; from += terms) {
        const count = Math.min(terms, k - from);
        const [left, right] = [i * k + from, j * k + from];
        let largest = Math.max(ALIGNED_LEAST, ofSum(sum));
        let inDoubles = sum;
        for (let p = 0; p < count; p++) {
          products[p] = x[left + p] * y[right + p];
          inDoubles += products[p];
          const exponent = ofX[left + p] + ofY[right + p];
          if (exponent > largest) largest = exponent;
        }
        // No zero is negative, whether a sum or a rounded tiny number.
        sum = Number.isFinite(inDoubles)
          ? rounded(aligned(products, count, sum, 2 ** (fraction - largest))) + 0
          : inDoubles;
      }
      out[i * n + j] = sum;
    }
  }
  return out;
}

/** Sums terms, each truncated to multiples of the last kept place; `scale` of these make one. */
function aligned(products: Float64Array, count: number, before: number, scale: number): number {
  let units = Math.trunc(before * scale);
  for (let p = 0; p < count; p++) units += Math.trunc(products[p] * scale);
  return units / scale;
}

/** Returns B in column-major order. */
function transposed(b: RealArray, k: number, n: number): Float64Array {
  const columns = new Float64Array(k * n);
  for (let p = 0, at = 0; p < k; p++) for (let j = 0; j < n; j++) columns[j * k + p] = b[at++];
  return columns;
}
