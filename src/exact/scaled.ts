import { lowestBit } from '../base/binary64.ts';
import { makeNumbers } from '../base/numbers.ts';
import type { Matrix } from '../matrix/dense.ts';
import type { Scaling } from '../matrix/factor.ts';
import type { ExactEntry } from './alone.ts';
import { commonUnitExponent, nonFiniteDot } from './alone.ts';
import { integerDot, roundInteger, toIntegers } from './bigint.ts';
import { addExactly, multiplyExactly, roundsAlike } from './double-double.ts';
import type { Certificate } from './exact-product.ts';
import { LineCache } from './operands.ts';
import { ReferenceFault } from './rounded.ts';

/** Exact entries of A·B: each rounded to double, with its remainder. */
interface Entries {
  readonly value: Float64Array;
  readonly low: Float64Array;
}

/** The operands and factors of a scaled product. */
export interface ScaledProduct extends Scaling {
  /**
   * The imaginary parts of alpha and beta, for the real product that stands for a complex one. Rows of its first half are real parts.
   * All entries must then be given.
   */
  readonly imaginary?: Scaling | undefined;
  readonly a: Matrix;
  readonly b: Matrix;
  /** m×n; not read with beta = 0. */
  readonly c?: Matrix | undefined;
}

/** The range of factors: beyond it, halves or products of them could overflow or lose bits. */
const LARGEST = 2 ** 480;
const LEAST = 2 ** -440;
/** The number of entries for each one that is recomputed from the operands. */
const ENTRIES_EACH = 2 ** 12;

/**
 * Computes the exact alpha·A·B + beta·C, correctly rounded, from the exact A·B. It sums alpha·(value + low) + beta·c in two doubles,
 * with an error bound. If the bound leaves the rounding in doubt, as after cancellation, it sums the entry again from the operands
 * without error. With alpha = 0, A and B are not read; with beta = 0, C is not.
 * @param entries the entries of A·B: all, or some.
 * @param place returns the row and column of entry e.
 * @throws ReferenceFault if a recomputed entry differs
 */
export function scaledEntries(
  { value, low }: Entries,
  { worstAbsolute }: Pick<Certificate, 'worstAbsolute'>,
  scaled: ScaledProduct,
  place: (e: number) => readonly [i: number, j: number],
): Entries {
  const { b, c } = scaled;
  const result = { value: new Float64Array(value.length), low: new Float64Array(value.length) };
  const lines = linesOf(scaled);
  for (let e = 0; e < value.length; e++) {
    const [i, j] = place(e);
    const parts = partsOf(scaled, i).map(({ row, alpha, beta }): Part => {
      const at = e + (row - i) * b.cols;
      const product = alpha === 0 ? NOTHING : { value: value[at], low: low[at] };
      return { row, alpha, beta, product, added: beta === 0 ? 0 : (c as Matrix).data[row * b.cols + j] };
    });
    const found = combined(parts, worstAbsolute);
    const alone = () => scaledAlone(parts, lines, j);
    if (found !== undefined && e % ENTRIES_EACH === 0) requireSame(scaled, i, j, found, alone());
    const entry = found ?? alone();
    result.value[e] = entry.value;
    result.low[e] = entry.low;
  }
  return result;
}

const NOTHING: ExactEntry = { value: 0, low: 0 };

/** An entry of A·B and one of C, with their factors. */
interface Part extends Scaling {
  /** The row of both. */
  readonly row: number;
  readonly product: ExactEntry;
  readonly added: number;
}

/**
 * Returns the parts of a row's entry: its own, and in complex products also the entry of the other part, which the imaginary factors
 * multiply.
 */
function partsOf(
  { a, alpha, beta, imaginary }: ScaledProduct,
  i: number,
): readonly (Scaling & { row: number })[] {
  const own = { row: i, alpha, beta };
  if (imaginary === undefined) return [own];
  const sign = i < a.rows / 2 ? -1 : 1;
  const row = (i + a.rows / 2) % a.rows;
  return [own, { row, alpha: sign * imaginary.alpha, beta: sign * imaginary.beta }];
}

/** An entry, with a bound on the error of its remainder. */
interface Combined extends ExactEntry {
  readonly error: number;
}

/** Sums the parts of an entry in two doubles. @returns undefined if the rounding is in doubt. */
function combined(parts: readonly Part[], error: number): Combined | undefined {
  const terms = parts.flatMap(({ alpha, product, beta, added }) => [
    { factor: alpha, of: product, error: alpha === 0 ? 0 : error },
    { factor: beta, of: { value: added, low: 0 }, error: 0 },
  ]);
  if (!terms.every(({ factor, of }) => isHandy(factor) && isHandy(of.value))) return undefined;
  let [sum, sumLows, lows, lost, worst] = [0, 0, 0, 0, 0];
  let isExact = true;
  for (const { factor, of, error: own } of terms) {
    const [product, productLow] = multiplyExactly(factor, of.value);
    const [next, sumLow] = addExactly(sum, product);
    sum = next;
    sumLows += sumLow;
    lows += productLow + factor * of.low;
    lost += Math.abs(sumLow) + Math.abs(productLow) + Math.abs(factor * of.low);
    worst += Math.abs(factor) * own;
    isExact &&= of.low === 0 && own === 0 && productLow === 0;
  }
  // The sum of two terms is exact; with more terms, the remainders of their sums are added with rounding.
  isExact &&= terms.length === 2 || sumLows === 0;
  const [high, left] = addExactly(sum, sumLows + lows);
  const bound = isExact ? 0 : worst + 2 ** -49 * lost;
  if (!roundsAlike(high, left, bound)) return undefined;
  // Zero has the sign that sums have.
  return { value: high === 0 ? 0 : high, low: left, error: bound };
}

const isHandy = (x: number) => x === 0 || (Math.abs(x) < LARGEST && Math.abs(x) > LEAST);

/** A row of A or a column of B, as numbers, and, if all are finite, as integers in units of 2^grid. */
interface Line {
  readonly numbers: Float64Array;
  readonly grid: number;
  readonly whole: readonly bigint[] | undefined;
}

/** The entries of lines that are cached. */
const MOST_KEPT = 2 ** 20;

/** Caches rows of A and columns of B, so that each is read once for many doubtful entries. */
function linesOf({ alpha, imaginary, a, b }: ScaledProduct) {
  const terms = alpha === 0 && (imaginary?.alpha ?? 0) === 0 ? 0 : a.cols;
  const cached = (read: (line: number) => Float64Array) =>
    new LineCache(Math.max(1, Math.floor(MOST_KEPT / Math.max(1, terms))), (line): Line => {
      const numbers = read(line);
      const grid = commonUnitExponent(numbers);
      const whole = numbers.every(Number.isFinite) ? toIntegers(numbers, 0, terms, grid) : undefined;
      return { numbers, grid, whole };
    });
  return {
    rows: cached((i) => Float64Array.from(a.data.subarray(i * a.cols, i * a.cols + terms))),
    columns: cached((j) => makeNumbers(terms, (p) => b.data[p * b.cols + j])),
  };
}

/** Computes the entry in integers, without error; if an operand is not finite, by IEEE 754. */
function scaledAlone(
  parts: readonly Part[],
  { rows, columns }: ReturnType<typeof linesOf>,
  j: number,
): ExactEntry {
  const column = columns.get(j);
  const read = parts.map((part) => ({ ...part, line: rows.get(part.row) }));
  const areFinite =
    column.whole !== undefined &&
    read.every(({ line, added }) => line.whole !== undefined && Number.isFinite(added));
  if (!areFinite) {
    const used = read.filter(({ alpha }) => alpha !== 0);
    const terms = Float64Array.from([
      ...used.flatMap(({ line }) => [...line.numbers]),
      ...read.map(({ added }) => added),
    ]);
    const factors = Float64Array.from([
      ...used.flatMap(({ alpha }) => Array.from(column.numbers, (x) => Math.sign(alpha) * x)),
      ...read.map(({ beta }) => beta),
    ]);
    return { value: nonFiniteDot(terms, 0, factors, 0, terms.length), low: 0 };
  }
  const summed = read.flatMap(({ line, alpha, beta, added }) => [
    {
      whole: integerDot(line.whole as readonly bigint[], column.whole as readonly bigint[]) * wholeOf(alpha),
      exponent: line.grid + column.grid + unitOf(alpha),
    },
    { whole: wholeOf(beta) * wholeOf(added), exponent: unitOf(beta) + unitOf(added) },
  ]);
  const exponent = Math.min(...summed.map((one) => one.exponent));
  const whole = summed.reduce((sum, one) => sum + (one.whole << BigInt(one.exponent - exponent)), 0n);
  return roundInteger(whole, exponent);
}

/** The exponent and the integer of a number as an integer times a power of two. */
const unitOf = (x: number): number => (x === 0 ? 0 : lowestBit(x));
const wholeOf = (x: number): bigint => toIntegers(Float64Array.of(x), 0, 1, unitOf(x))[0];

/** Checks that an entry equals its recomputed value. @throws ReferenceFault */
function requireSame(
  { a, b, alpha, beta }: ScaledProduct,
  i: number,
  j: number,
  found: Combined,
  alone: ExactEntry,
): void {
  const apart = Math.abs(found.low - alone.low);
  const isSame = Object.is(found.value, alone.value) && apart <= found.error + 2 ** -52 * Math.abs(alone.low);
  if (isSame) return;
  throw new ReferenceFault(
    { m: a.rows, k: a.cols, n: b.cols },
    `entry (${i}, ${j}) of ${alpha}·A·B + ${beta}·C is ${found.value} with the remainder ${found.low}, but computed alone ${alone.value} with ${alone.low}`,
  );
}
