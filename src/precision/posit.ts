import { exponentOf } from '../base/binary64.ts';
import { roundSum } from '../base/rounding.ts';
import type { RealArray } from '../matrix/dense.ts';
import type { Code } from './coding/code.ts';
import type { CodedFormat, Format } from './format.ts';
import { roundsUp } from './formats/float-code.ts';
import { i32 } from './formats/whole-formats.ts';
import { type HostNumbers, type Precision, setStoredFormat } from './precision.ts';

const EXPONENT_BITS = 2;
const POWERS = 2 ** EXPONENT_BITS;

/** Returns the number of a positive pattern other than NaR, of at most 33 bits. */
function magnitudeOf(pattern: number, bits: number): number {
  const regime = (pattern << (33 - bits)) >>> 0;
  const isLarge = regime >= 2 ** 31;
  const run = Math.clz32(isLarge ? ~regime : regime);
  // A shift by 32 would shift by 0.
  const rest = ((regime << run) << 1) >>> 0;
  const power = POWERS * (isLarge ? run - 1 : -run) + Math.floor(rest / 2 ** (32 - EXPONENT_BITS));
  return (1 + ((rest << EXPONENT_BITS) >>> 0) / 2 ** 32) * 2 ** power;
}

/**
 * Returns the pattern of the largest posit up to a number between the smallest and the largest posit, and the fraction of a unit in the
 * bits after it.
 */
function placeOf(size: number, bits: number): { readonly whole: number; readonly rest: number } {
  const exponent = exponentOf(size);
  const power = Math.floor(exponent / POWERS);
  const [regime, length] = power < 0 ? [1, 1 - power] : [2 ** (power + 2) - 2, power + 2];
  const head = regime * POWERS + exponent - POWERS * power;
  const fraction = size / 2 ** exponent - 1;
  const room = bits - 1 - length - EXPONENT_BITS;
  if (room >= 0) {
    const units = fraction * 2 ** room;
    return { whole: head * 2 ** room + Math.floor(units), rest: units % 1 };
  }
  const unit = 2 ** -room;
  // Here a fraction only decides on which side of a tie a number lies.
  return { whole: Math.floor(head / unit), rest: ((head % unit) + (fraction > 0 ? 0.5 : 0)) / unit };
}

/**
 * Returns the format of posits of `bits` bits, at most 32, with 2 exponent bits. The tie between two posits is the posit of one bit more
 * between them, and goes to the even pattern. Only zero becomes zero, and no number becomes NaR: other numbers are limited to the
 * smallest and the largest posit. NaN and infinities become NaR.
 */
export function positFormat(bits: number): CodedFormat {
  const name = `posit${bits}`;
  const source = 'Standard for Posit Arithmetic (2022)';
  const notReal = 2 ** (bits - 1);
  const most = notReal - 1;
  const [minPositive, maxFinite] = [magnitudeOf(1, bits), magnitudeOf(most, bits)];
  // Near 1 the significand has the bits other than a sign, two bits of regime and the exponent.
  const precision = bits - 2 - EXPONENT_BITS;
  const code: Code = {
    bits,
    decode(pattern) {
      if (pattern === 0) return 0;
      if (pattern === notReal) return Number.NaN;
      return pattern > notReal ? -magnitudeOf(2 ** bits - pattern, bits) : magnitudeOf(pattern, bits);
    },
    encode(x, how = {}) {
      if (!Number.isFinite(x)) return notReal;
      if (x === 0) return 0;
      const size = Math.min(Math.max(Math.abs(x), minPositive), maxFinite);
      const { whole, rest } = placeOf(size, bits);
      const pattern = whole + (roundsUp(whole, rest, x < 0, how) ? 1 : 0);
      return x < 0 ? 2 ** bits - pattern : pattern;
    },
  };
  /** Returns the larger distance of the tie between a posit and the next one from either of them. */
  const lostAfter = (pattern: number) => {
    const tie = magnitudeOf(2 * pattern + 1, bits + 1);
    return Math.max(tie - magnitudeOf(pattern, bits), magnitudeOf(pattern + 1, bits) - tie);
  };
  return {
    ...{ name, source, code, precision, maxFinite },
    what: `posits of ${bits} bits, ${EXPONENT_BITS} of them of the exponent`,
    holds: { negative: true, infinity: false, nan: true },
    integerBits: wholeBits(bits),
    unitRoundoff: 2 ** -precision,
    minNormal: minPositive,
    minSubnormal: minPositive,
    bytes: Math.ceil(bits / 8),
    exceptions: false,
    underflow: { kept: 0, flushed: 0 },
    round: (x) => code.decode(code.encode(x)),
    roundingError(size) {
      if (!(size < maxFinite)) return Math.max(size - maxFinite, lostAfter(most - 1));
      if (size < minPositive) return size === 0 ? 0 : minPositive;
      return lostAfter(placeOf(size, bits).whole);
    },
  };
}

/** Returns the largest exponent up to which posits hold all whole numbers: the fraction has at least as many bits there. */
function wholeBits(bits: number): number {
  const fraction = (exponent: number) => bits - 3 - EXPONENT_BITS - Math.floor(exponent / POWERS);
  let most = 0;
  while (fraction(most) >= most) most++;
  return most;
}

/** The posits of 16 bits. */
export const posit16: CodedFormat = positFormat(16);

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
