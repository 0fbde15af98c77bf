import { roundsAlike } from './double-double.ts';
import { addToExpansion, roundToPair } from './expansion.ts';
import type { ExactOperands } from './operands.ts';
import type { ExponentProfile } from './profile.ts';

/**
 * Exact products by digits. Each row of A and column of B is cut into whole digits of a base 2^w, in units of which its entries are
 * multiples. Digits are multiplied by digits, without any error (the error-free transformation of Ozaki, Ogita, Oishi and Rump, 2012,
 * with both operands cut throughout, and integers as on GPUs).
 *
 * With X = Σ xₛ·2^(w·s) and Y = Σ yₜ·2^(w·t), XY = Σ_d 2^(w·d)·Σ_{s+t=d} xₛyₜ. Each digit is the remainder of rounding to a multiple of
 * the next one's unit, so it is at most 2^(w−1) in magnitude; of entries below 2^bits the highest of `count` is at most 2^(bits −
 * w·(count−1)). The sums of a weight d are whole numbers, exact in doubles as long as they stay within 2^53.
 */

/** The digits of an operand's lines. */
interface OperandDigits {
  readonly count: number;
  /** The exponent of a bound on the highest digit: at most 2^top in magnitude. */
  readonly top: number;
}

/** The digits of both operands, of base 2^width. */
export interface Digits {
  readonly width: number;
  readonly a: OperandDigits;
  readonly b: OperandDigits;
}

/** The widest digits: products of digits are at most 2^14 each, so two at a time fit 32 bits, and digits fit 16. */
const WIDEST = 14;
/** Within these exponents no sum overflows, and no remainder of rounding a sum underflows. */
const HIGHEST_TOP = 400;
const LOWEST_GRID = -440;
/** The most digits of an operand. */
export const MOST = 4;
/** The most digits of A times digits of B when products are exact in a double: beyond, slices and anchors are faster. */
const MOST_OF_EXACT_PRODUCTS = 6;
/** The longest inner products that are summed by digits, 2^15: with three digits of 19 bits, three products stay within 2^53. */
export const LONGEST = 2 ** 15;

/**
 * Returns the digits for all lines of operands. Undefined if their exponents span too much, or are too near the ends.
 * @param productsAreExact true if products are exact in a double, so that slices and anchors could sum them too.
 */
export function digitsOf(
  { shape: { k }, rows, cols }: ExactOperands,
  productsAreExact: boolean,
): Digits | undefined {
  const [bitsA, bitsB] = [bitsOf(rows), bitsOf(cols)];
  if (k === 0 || k > LONGEST || bitsA === undefined || bitsB === undefined) return undefined;
  const [a, b] = [Math.ceil(bitsA / WIDEST), Math.ceil(bitsB / WIDEST)];
  if (Math.max(a, b) > MOST || (productsAreExact && a * b > MOST_OF_EXACT_PRODUCTS)) return undefined;
  return cutIntoDigits(bitsA, a, bitsB, b);
}

/** Returns digits of the given counts, as narrow as possible. */
export function cutIntoDigits(bitsA: number, a: number, bitsB: number, b: number): Digits {
  const width = Math.max(Math.ceil(bitsA / a), Math.ceil(bitsB / b));
  const top = (bits: number, count: number) => Math.max(0, bits - width * (count - 1));
  return { width, a: { count: a, top: top(bitsA, a) }, b: { count: b, top: top(bitsB, b) } };
}

/** Returns the bits of all entries, in units of which their lines are multiples: entries are below 2^bits in magnitude. */
function bitsOf({ top, grid, finite }: ExponentProfile): number | undefined {
  let bits = 1;
  for (let line = 0; line < top.length; line++) {
    if (finite[line] === 0 || top[line] > HIGHEST_TOP) return undefined;
    if (top[line] < grid[line]) continue;
    if (grid[line] < LOWEST_GRID) return undefined;
    bits = Math.max(bits, top[line] - grid[line] + 1);
  }
  return bits;
}

/** Returns the exponent of the power of two of which a line's entries are multiples; 0 for a line of zeros. */
export const unitExponentOf = ({ top, grid }: ExponentProfile, line: number): number =>
  top[line] < grid[line] ? 0 : grid[line];

/** Returns how many products of a digit `s` of A and a digit `t` of B add up to at most 2^31 − 1 in magnitude. */
export function countDigitTerms({ width, a, b }: Digits, s: number, t: number): number {
  const size = ({ count, top }: OperandDigits, at: number) => (at === count - 1 ? top : width - 1);
  return Math.floor((2 ** 31 - 1) / 2 ** (size(a, s) + size(b, t)));
}

/** Sums of the products of digits. The inner product is Σ weights[d]·2^(width·d), in units of its row's unit times its column's. */
export interface DigitSums {
  readonly width: number;
  /** The sums of each weight, from the lowest: whole numbers within 2^53. */
  readonly weights: readonly Float64Array[];
}

const ROUND = 1.5 * 2 ** 52;

/**
 * Rounds a run of sums, which it consumes. The value is the sum rounded to nearest, ties to even; low is the remainder, rounded
 * likewise.
 *
 * First all digits but the highest are carried over to half a unit of the next, exactly. Then those below the highest are gathered in
 * two words, `middle` and `lowest`, again exactly; each is at most about half a unit of the next. With s + e = highest + middle and t +
 * f = e + lowest without error, value = s + t and its remainder are right unless f moves s + t across a tie. {@link roundsAlike} detects
 * that; then an expansion decides.
 * @param units powers of two: the row's, and those of the columns from the run's first.
 */
export function roundDigitSums(
  { width, weights }: DigitSums,
  { from, count }: { readonly from: number; readonly count: number },
  units: { readonly row: number; readonly columns: Float64Array },
  value: Float64Array,
  low: Float64Array,
  to: number,
): void {
  const last = weights.length - 1;
  const half = Math.ceil(last / 2);
  gather({ width, weights }, half, from, count);
  const high = weights[last];
  const middle = weights[half];
  const lowest = weights[0];
  const [highWeight, middleWeight] = [2 ** (width * last), 2 ** (width * half)];
  for (let c = 0; c < count; c++) {
    const at = from + c;
    const h = high[at] * highWeight;
    const m = half < last ? middle[at] * middleWeight : 0;
    const l = last > 0 ? lowest[at] : 0;
    const s = h + m;
    const e = m - (s - h);
    const t = e + l;
    const z = t - e;
    const f = e - (t - z) + (l - z);
    let rounded = s + t;
    let rest = t - (rounded - s);
    if (f !== 0) {
      if (roundsAlike(rounded, rest, Math.abs(f))) rest += f;
      else ({ value: rounded, low: rest } = roundWords(h, m, l));
    }
    const unit = units.row * units.columns[c];
    value[to + c] = rounded * unit;
    low[to + c] = rest * unit;
  }
}

/** Carries, then gathers the weights below `half` in the lowest, and those from `half` up in `half`. */
function gather({ width, weights }: DigitSums, half: number, from: number, count: number): void {
  const base = 2 ** width;
  for (let d = 0; d < weights.length - 1; d++) {
    const first = d < half ? 0 : half;
    const [digits, next, word] = [weights[d], weights[d + 1], weights[first]];
    const weight = 2 ** (width * (d - first));
    for (let at = from; at < from + count; at++) {
      const digit = digits[at];
      const carry = digit / base + ROUND - ROUND;
      next[at] += carry;
      word[at] = d === first ? digit - carry * base : word[at] + (digit - carry * base) * weight;
    }
  }
}

function roundWords(...words: readonly number[]) {
  const expansion: number[] = [];
  for (const word of words) addToExpansion(expansion, word);
  return roundToPair(expansion);
}
