import { roundsAlike } from './double-double.ts';
import { addToExpansion, roundToPair } from './expansion.ts';

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
