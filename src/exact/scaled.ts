import { lowestBit } from '../base/binary64.ts';
import { makeNumbers } from '../base/numbers.ts';
import type { Matrix } from '../matrix/dense.ts';
import type { Scaling } from '../matrix/scaling.ts';
import { gridOf } from './alone.ts';
import { integerDot, roundInteger, toIntegers } from './bigint.ts';
import type { Certificate } from './certificate.ts';
import { roundsAlike } from './double-double.ts';
import { LineCache } from './line-cache.ts';
import { plusExactly, timesExactly } from './pairs.ts';
import { ReferenceFault } from './rounded.ts';
import { nonFiniteDot } from './special.ts';
import type { Entry } from './tiers.ts';

/** Exact entries of A·B, each rounded to double, with what rounding left. */
interface Entries {
  readonly value: Float64Array;
  readonly low: Float64Array;
}

/** What is multiplied, and what is added. */
export interface Scaled extends Scaling {
  readonly a: Matrix;
  readonly b: Matrix;
  /** m×n; not read with beta = 0. */
  readonly c?: Matrix | undefined;
}

/** Beyond these, halves or products of factors could overflow or lose bits. */
const LARGEST = 2 ** 480;
const LEAST = 2 ** -440;
/** Of so many entries one is computed again from the operands. */
const ENTRIES_EACH = 2 ** 12;

/**
 * The exact alpha·A·B + beta·C, correctly rounded, from the exact A·B: alpha·(value + low) + beta·c is summed in two
 * doubles, with a bound on what that loses; where the bound leaves the rounding in doubt, as after cancellation, the
 * entry is summed again from the operands without error. With alpha = 0, A and B are not read, with beta = 0, C is not.
 * @param entries of A·B: all, or those at `places` (row and column of each).
 * @throws ReferenceFault where an entry that is summed again differs
 */
export function scaledEntries(
  { value, low }: Entries,
  { worstAbsolute }: Pick<Certificate, 'worstAbsolute'>,
  scaled: Scaled,
  place: (e: number) => readonly [i: number, j: number],
): Entries {
  const { alpha, beta, b, c } = scaled;
  const result = { value: new Float64Array(value.length), low: new Float64Array(value.length) };
  const lines = linesOf(scaled);
  for (let e = 0; e < value.length; e++) {
    const [i, j] = place(e);
    const added = beta === 0 ? 0 : (c as Matrix).data[i * b.cols + j];
    const sum = alpha === 0 ? { value: 0, low: 0 } : { value: value[e], low: low[e] };
    const found = combined(sum, added, scaled, alpha === 0 ? 0 : worstAbsolute);
    const alone = () => scaledAlone(scaled, lines.rows.get(i), lines.columns.get(j), added);
    if (found !== undefined && e % ENTRIES_EACH === 0) requireSame(scaled, i, j, found, alone());
    const entry = found ?? alone();
    result.value[e] = entry.value;
    result.low[e] = entry.low;
  }
  return result;
}

/** Undefined where the rounding is in doubt. */
function combined(
  { value, low }: Entry,
  added: number,
  { alpha, beta }: Scaling,
  error: number,
): Entry | undefined {
  if (![alpha, value, beta, added].every(isHandy)) return undefined;
  const [product, productLow] = timesExactly(alpha, value);
  const [addend, addendLow] = timesExactly(beta, added);
  const [sum, sumLow] = plusExactly(product, addend);
  const [high, left] = plusExactly(sum, sumLow + (productLow + addendLow + alpha * low));
  const isExact = low === 0 && error === 0 && productLow === 0 && addendLow === 0;
  const lost = Math.abs(sumLow) + Math.abs(productLow) + Math.abs(addendLow) + Math.abs(alpha * low);
  const bound = isExact ? 0 : Math.abs(alpha) * error + 2 ** -49 * lost;
  if (!roundsAlike(high, left, bound)) return undefined;
  // Zero has the sign that sums have.
  return high === 0 ? { value: 0, low: 0 } : { value: high, low: left };
}

const isHandy = (x: number) => x === 0 || (Math.abs(x) < LARGEST && Math.abs(x) > LEAST);

/** A row of A or a column of B, as numbers, and where all are finite as integers in units of 2^grid. */
interface Line {
  readonly numbers: Float64Array;
  readonly grid: number;
  readonly whole: readonly bigint[] | undefined;
}

/** Entries of lines that are kept. */
const MOST_KEPT = 2 ** 20;

/** Rows of A and columns of B: of many entries in doubt each is read once. */
function linesOf({ alpha, a, b }: Scaled) {
  const terms = alpha === 0 ? 0 : a.cols;
  const cached = (read: (line: number) => Float64Array) =>
    new LineCache(Math.max(1, Math.floor(MOST_KEPT / Math.max(1, terms))), (line): Line => {
      const numbers = read(line);
      const grid = gridOf(numbers);
      const whole = numbers.every(Number.isFinite) ? toIntegers(numbers, 0, terms, grid) : undefined;
      return { numbers, grid, whole };
    });
  return {
    rows: cached((i) => Float64Array.from(a.data.subarray(i * a.cols, i * a.cols + terms))),
    columns: cached((j) => makeNumbers(terms, (p) => b.data[p * b.cols + j])),
  };
}

/** The entry in integers, without error; where an operand is not finite, what IEEE 754 says. */
function scaledAlone({ alpha, beta }: Scaling, row: Line, column: Line, added: number): Entry {
  const addend = beta === 0 ? 0 : added;
  if (row.whole === undefined || column.whole === undefined || !Number.isFinite(addend)) {
    const factors = [...column.numbers.map((x) => Math.sign(alpha) * x), beta];
    const terms = Float64Array.of(...row.numbers, addend);
    return { value: nonFiniteDot(terms, 0, Float64Array.from(factors), 0, terms.length), low: 0 };
  }
  const sum = integerDot(row.whole, column.whole);
  const product = { whole: sum * wholeOf(alpha), exponent: row.grid + column.grid + unitOf(alpha) };
  const rest = { whole: wholeOf(beta) * wholeOf(addend), exponent: unitOf(beta) + unitOf(addend) };
  const exponent = Math.min(product.exponent, rest.exponent);
  const aligned = [product, rest].map((one) => one.whole << BigInt(one.exponent - exponent));
  return roundInteger(aligned[0] + aligned[1], exponent);
}

/** A number as a whole one times a power of two. */
const unitOf = (x: number): number => (x === 0 ? 0 : lowestBit(x));
const wholeOf = (x: number): bigint => toIntegers(Float64Array.of(x), 0, 1, unitOf(x))[0];

function requireSame({ a, b, alpha, beta }: Scaled, i: number, j: number, found: Entry, alone: Entry): void {
  const apart = Math.abs(found.low - alone.low);
  if (Object.is(found.value, alone.value) && apart <= 2 ** -40 * Math.abs(alone.value)) return;
  throw new ReferenceFault(
    { m: a.rows, k: a.cols, n: b.cols },
    `entry (${i}, ${j}) of ${alpha}·A·B + ${beta}·C is ${found.value}, but summed alone ${alone.value}`,
  );
}
