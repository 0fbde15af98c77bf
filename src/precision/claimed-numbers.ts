import { exponentOf } from '../base/binary64.ts';
import { mapNumbers } from '../base/numbers.ts';
import type { RealArray, Shape } from '../matrix/dense.ts';
import { mayRoundProducts, type RunningSum } from './arithmetic.ts';
import { operandIn, type RoundedSums, roundingIn } from './claimed-rounding.ts';
import type { Format } from './format.ts';
import type { Computation, HostNumbers } from './precision.ts';
import { type ClaimedSums, partsIn, SMALLEST_HALF, type SumModel } from './sums.ts';

/** Sums `count` products from index `from` on, in doubles that hold the numbers of some format. */
type Sum = (products: Float64Array, from: number, count: number) => number;

/**
 * Returns the numbers of the bit-exact model of claimed sums. Leaf products are summed as claimed, terms in their own order, with the
 * first running sum that the kernel may have. Random roundings and orders that depend on the data are modeled by one such result: to
 * nearest, from the first term to the last.
 * Cost: 20 to 100 ns a term. Products of binary64 are rounded to it; others are exact, unless they are claimed to be rounded.
 */
export function claimedNumbers({ precision, arithmetic, sums, operands }: Computation): HostNumbers {
  const host = precision.host(arithmetic);
  const { rounding } = arithmetic;
  const { a, multiplied, accumulated } = precision;
  if (isUsual(sums?.running[0] ?? { rounding }, accumulated, sums) && operands === undefined) return host;
  const { encode = (x: number) => x, decode = (x: number) => x } = host;
  const toOperand = multiplied === a ? decode : operandIn(multiplied, operands);
  const running = sums?.running[0] ?? { rounding };
  const sum = sumIn(sums ?? { running: [running] }, running, accumulated);
  const { round, add } = roundingIn(accumulated, rounding);
  return {
    ...host,
    add: (x, y) => encode(add(decode(x), decode(y))),
    multiplyAdd: (c, x, y) => encode(add(round(decode(c) * decode(x)), decode(y))),
    multiply(x: RealArray, y: RealArray, { m, k, n }: Shape, out: RealArray) {
      const [left, right] = [mapNumbers(x, toOperand), mapNumbers(y, toOperand)];
      const products = new Float64Array(k);
      for (let i = 0; i < m; i++) {
        for (let j = 0; j < n; j++) {
          for (let p = 0; p < k; p++) products[p] = left[i * k + p] * right[p * n + j];
          out[i * n + j] = encode(k === 0 ? 0 : sum(products, 0, k));
        }
      }
    },
  };
}

/** True if sums are those of the precision itself: each product added to one running sum, to nearest; or exact, in any order. */
const isUsual = (
  { rounding, ...kept }: RunningSum,
  { unitRoundoff }: Format,
  { order = 'any' }: ClaimedSums = {},
): boolean => {
  const isInOrder = unitRoundoff === 0 || order === 'any' || order === 'sequential';
  return rounding !== 'toward-zero' && Object.keys(kept).length === 0 && isInOrder;
};

function sumIn(sums: SumModel, running: RunningSum, format: Format): Sum {
  const { order = 'any', partition } = sums;
  const own = roundingIn(format, running.rounding, running.bits);
  const whole = roundingIn(format, running.rounding);
  const inRun = runIn(running, format, own, whole);
  const { kept, added } = sums.partial ?? {};
  const run: Sum = kept === undefined ? inRun : (...of) => kept.round(inRun(...of));
  const isOwn = running.promoted === undefined && running.terms === undefined;
  const outer = added === undefined ? (isOwn ? own : whole) : roundingIn(added, 'nearest');
  const summed: Sum = (products, from, count) => {
    if (order === 'pairwise') return halves(run, partition ?? SMALLEST_HALF, outer)(products, from, count);
    const isApart = order === 'blocked' || order === 'split-k';
    const { each, most } = isApart ? groupsOf(count, sums) : { each: count };
    return inGroups(run, each, outer, most)(products, from, count);
  };
  // Sums wider than their format are rounded to it in the end.
  return (products, from, count) => whole.round(summed(products, from, count));
}

/** Returns the terms of a group, and the most groups. */
function groupsOf(k: number, sums: SumModel): { each: number; most?: number } {
  const { each, count } = partsIn(k, sums);
  return sums.cut === 'rest-last' ? { each, most: count } : { each };
}

/**
 * Sums groups of `each` terms and adds their sums one after the other. If there is a limit, the last allowed group takes all remaining
 * terms.
 */
const inGroups =
  (run: Sum, each: number, { add }: RoundedSums, most = Number.POSITIVE_INFINITY): Sum =>
  (products, from, count) => {
    let total: number | undefined;
    for (let at = 0, group = 1; at < count; at += each, group++) {
      const sum = run(products, from + at, group === most ? count - at : Math.min(each, count - at));
      total = total === undefined ? sum : add(total, sum);
      if (group === most) break;
    }
    return total ?? 0;
  };

const halves = (run: Sum, smallest: number, { add }: RoundedSums): Sum => {
  const sum: Sum = (products, from, count) => {
    if (count <= smallest) return run(products, from, count);
    const left = count >> 1;
    return add(sum(products, from, left), sum(products, from + left, count - left));
  };
  return sum;
};

/** Returns the sum of a run of terms by one running sum. */
function runIn(running: RunningSum, format: Format, own: RoundedSums, whole: RoundedSums): Sum {
  const { terms = 1, bits = format.precision, promoted, compensated } = running;
  const rounded = running.fma === 'twice' && mayRoundProducts(running, format);
  const into = rounded ? { ...own, round: whole.round } : own;
  const inOne: Sum =
    terms > 1
      ? blockWise(terms, bits, whole)
      : compensated === undefined
        ? oneByOne(into)
        : compensatedSums[compensated](into);
  return promoted === undefined ? inOne : inGroups((...of) => whole.round(inOne(...of)), promoted, whole);
}

const oneByOne =
  ({ round, add }: RoundedSums): Sum =>
  (products, from, count) => {
    let sum = 0;
    for (let at = from; at < from + count; at++) sum = add(sum, round(products[at]));
    return sum;
  };

/** Returns the sum of a block-wise adder: see `Accumulator.terms`. */
function blockWise(terms: number, bits: number, { round }: RoundedSums): Sum {
  return (products, from, count) => {
    let sum = 0;
    for (let at = 0; at < count; at += terms) {
      const block = products.subarray(from + at, from + Math.min(at + terms, count));
      const largest = block.reduce((most, x) => Math.max(most, Math.abs(x)), Math.abs(sum));
      if (largest === 0 || !(largest < Number.POSITIVE_INFINITY)) {
        sum = block.reduce((total, x) => total + x, sum);
        continue;
      }
      const last = 2 ** (exponentOf(largest) + 1 - bits);
      const kept = (x: number): number => Math.trunc(x / last) * last;
      sum = round(block.reduce((total, x) => total + kept(x), kept(sum)));
    }
    return sum;
  };
}

const compensatedSums: Readonly<
  Record<NonNullable<RunningSum['compensated']>, ({ round, add }: RoundedSums) => Sum>
> = {
  kahan:
    ({ round, add }) =>
    (products, from, count) => {
      let [sum, lost] = [0, 0];
      for (let at = from; at < from + count; at++) {
        const term = add(round(products[at]), -lost);
        const next = add(sum, term);
        lost = Number.isFinite(next) ? add(add(next, -sum), -term) : 0;
        sum = next;
      }
      return sum;
    },
  neumaier:
    ({ round, add }) =>
    (products, from, count) => {
      let [sum, lost] = [0, 0];
      for (let at = from; at < from + count; at++) {
        const term = round(products[at]);
        const next = add(sum, term);
        const [large, small] = Math.abs(sum) >= Math.abs(term) ? [sum, term] : [term, sum];
        const rest = add(add(large, -next), small);
        if (Number.isFinite(next)) lost = add(lost, rest);
        sum = next;
      }
      return add(sum, lost);
    },
};
