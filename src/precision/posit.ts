import { roundSum } from '../base/rounding.ts';
import type { RealArray } from '../matrix/dense.ts';
import type { Format } from './format.ts';
import { posit16 } from './formats/posit.ts';
import { i32 } from './formats/whole-formats.ts';
import { type HostNumbers, type Precision, setStoredFormat } from './precision.ts';

/** The inverse of the smallest posit of 16 bits, 2^-56, of which all others are multiples. */
const PER_OPERAND = 1 / posit16.minSubnormal;

/**
 * The quire of 256 bits: a sign, 31 carry bits, 112 integer bits and 112 fraction bits. It holds sums of 2^31 products exactly. Doubles
 * hold them to 53 bits, and an odd last bit marks that there are more.
 */
const quire16: Format = {
  name: 'quire16',
  precision: 255,
  integerBits: 53,
  unitRoundoff: 0,
  minNormal: posit16.minSubnormal ** 2,
  minSubnormal: posit16.minSubnormal ** 2,
  maxFinite: 2 ** 31 * posit16.maxFinite ** 2,
  bytes: 8,
  // NaR is a NaN that all sums keep.
  exceptions: true,
  underflow: { kept: 0, flushed: 0 },
  round: (x) => x,
};

/** Converts operands to units of the smallest posit; undefined for NaR and numbers that the quire cannot take. */
const inUnits = (x: RealArray): readonly (bigint | undefined)[] =>
  Array.from(x, (value) => value * PER_OPERAND).map((units) =>
    Number.isInteger(units) ? BigInt(units) : undefined,
  );

/** Reads a quire to 53 bits; the last is odd if there are more. Rounding the result to fewer bits then equals rounding the quire once. */
function read(quire: bigint): number {
  const size = quire < 0n ? -quire : quire;
  const beyond = BigInt(Math.max(0, size.toString(2).length - 53));
  const kept = size >> beyond;
  const last = kept << beyond === size ? 0n : 1n;
  return Math.sign(Number(quire)) * Number((kept | last) << beyond) * quire16.minSubnormal;
}

const numbers: HostNumbers = {
  create: (length) => new Float64Array(length),
  // Posits have no −0.
  negate: (a) => 0 - a,
  add: (a, b) => roundSum(a, b, quire16.round),
  multiplyAdd: (c, x, sum) => roundSum(c * x, sum, quire16.round),
  multiply(x: RealArray, y: RealArray, { m, k, n }, out: RealArray) {
    const [left, right] = [inUnits(x), inUnits(y)];
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < n; j++) {
        let quire: bigint | undefined = 0n;
        for (let p = 0; p < k && quire !== undefined; p++) {
          const [a, b] = [left[i * k + p], right[p * n + j]];
          quire = a === undefined || b === undefined ? undefined : quire + a * b;
        }
        out[i * n + j] = quire === undefined ? Number.NaN : read(quire);
      }
    }
  },
};

/** Posits of 16 bits, whose products are summed in a quire. Cost of the bit-exact model: 0.1 μs a product. */
export const positPrecision: Precision = {
  name: posit16.name,
  what: 'posit16 entries and results, sums exact in a quire of 256 bits',
  source: posit16.source,
  ...setStoredFormat(posit16),
  multiplied: posit16,
  accumulated: quire16,
  // Alpha and beta are integers: numbers that a quire can add repeatedly.
  factors: i32,
  host: () => numbers,
  wgsl: 'no built-in shader sums in a quire',
};
