import { exponentOf } from '../../src/base/binary64.ts';
import type { Format } from '../../src/precision/format.ts';

/**
 * Sums the products of an entry of C as kernels do, independently of the bit-exact model. Products are exact in double; those of
 * binary64 are rounded to it.
 */
export type SumFunction = (products: Float64Array) => number;

/** Splits the terms of a sum into groups, each summed separately. */
export type GroupFunction = (products: Float64Array) => Float64Array[];

/** The products of two lines of numbers. */
export function productsOf(x: ArrayLike<number>, y: ArrayLike<number>): Float64Array {
  const products = new Float64Array(x.length);
  for (let p = 0; p < x.length; p++) products[p] = x[p] * y[p];
  return products;
}

/** Adding and subtracting this constant rounds to whole numbers, ties to even. */
const WHOLE = 1.5 * 2 ** 52;

/** Rounds to nearest in so many bits with unbounded exponent, ties to even. */
export const toBits =
  (bits: number) =>
  (x: number): number => {
    if (!Number.isFinite(x)) return x;
    const last = 2 ** (exponentOf(Math.abs(x) || 1) - bits + 1);
    return (x / last + WHOLE - WHOLE) * last;
  };

/** Consecutive groups of so many terms each. */
export const blocksOf =
  (each: number): GroupFunction =>
  (products) =>
    Array.from({ length: Math.ceil(products.length / each) }, (_, at) =>
      products.subarray(at * each, (at + 1) * each),
    );

/** Groups of equal shares of k. */
export const partsOf =
  (count: number): GroupFunction =>
  (products) =>
    blocksOf(Math.ceil(products.length / count))(products);

/** Groups of ⌊k/count⌋ terms each; the last also has the rest. */
export const restLast =
  (count: number): GroupFunction =>
  (products) => {
    const each = Math.floor(products.length / count);
    return Array.from({ length: count }, (_, at) =>
      products.subarray(at * each, at === count - 1 ? products.length : (at + 1) * each),
    );
  };

/** Groups of equal shares of the tiles of so many terms. */
export const tilesOf =
  (count: number, tile: number): GroupFunction =>
  (products) =>
    blocksOf(Math.ceil(Math.ceil(products.length / tile) / count) * tile)(products);

/** Groups of every so many-th term. */
export const lanesOf =
  (count: number): GroupFunction =>
  (products) =>
    Array.from({ length: Math.min(count, products.length) }, (_, lane) =>
      Float64Array.from(
        { length: Math.ceil((products.length - lane) / count) },
        (_, at) => products[lane + at * count],
      ),
    );

/** Sums each group by `inner`, and their sums by `outer`. */
export const grouped =
  (groups: GroupFunction, inner: SumFunction, outer: SumFunction): SumFunction =>
  (products) =>
    outer(Float64Array.from(groups(products), inner));

/** Sums the terms from the last to the first. */
export const reversed =
  (sum: SumFunction): SumFunction =>
  (products) =>
    sum(products.slice().reverse());

/** Orders the groups from the last to the first. */
export const fromLast =
  (groups: GroupFunction): GroupFunction =>
  (products) =>
    groups(products).reverse();

/** Sums the terms by size, the smallest first; the largest first if the sign is −1. */
export const sorted =
  (sum: SumFunction, sign = 1): SumFunction =>
  (products) =>
    sum(products.slice().sort((x, y) => sign * (Math.abs(x) - Math.abs(y))));

/** Sums in double, without rounding to another format. */
export const wide: SumFunction = (products) => {
  let sum = 0;
  for (const x of products) sum += x;
  return sum;
};

/** Ways of summing with every addition rounded to a format. */
export function sumsIn(format: Format) {
  const { round } = format;
  const cut = cutIn(format);
  const running =
    (to: (x: number) => number): SumFunction =>
    (products) => {
      let sum = 0;
      for (let p = 0; p < products.length; p++) sum = to(sum + to(products[p]));
      return sum;
    };
  const [sequential, towardZero] = [running(round), running(cut)];
  const halves = (smallest: number): SumFunction => {
    const sum: SumFunction = (products) => {
      if (products.length <= smallest) return sequential(products);
      const half = products.length >> 1;
      return round(sum(products.subarray(0, half)) + sum(products.subarray(half)));
    };
    return sum;
  };
  const apart =
    (sum: SumFunction, to: (x: number) => number): SumFunction =>
    (products) =>
      to(sum(products.filter((x) => x > 0)) + sum(products.filter((x) => !(x > 0))));
  const fused: SumFunction = (products) => {
    let sum = 0;
    for (const x of products) sum = round(sum + x);
    return sum;
  };
  return {
    sequential,
    fused,
    /** Recursive halves, down to so many terms. */
    pairwise: halves,
    towardZero,
    /** Positive terms and the others are summed separately. */
    signsApart: apart(sequential, round),
    signsApartCut: apart(towardZero, cut),
    faithful: running(eitherIn(unevenly)(format)),
    inBits: (bits: number): SumFunction => running(toBits(bits)),
    inDoubles: ((products) => round(wide(products))) as SumFunction,
    /** In double, after rounding each product. */
    inDoublesRounded: ((products) =>
      round(wide(Float64Array.from(products, (x) => round(x))))) as SumFunction,
    /** Blocks of so many terms, with their sums added sequentially. */
    blocked: (each: number, inner: SumFunction = sequential): SumFunction =>
      grouped(blocksOf(each), inner, sequential),
    /** The same, with all roundings toward zero. */
    blockedCut: (each: number, inner: SumFunction): SumFunction => grouped(blocksOf(each), inner, towardZero),
    kahan: kahanIn(round),
    neumaier: neumaierIn(round),
    stochastic: (random: () => number): SumFunction => stochasticIn(format, cut, random),
    atOnce: (terms: number, bits: number, end = cut): SumFunction => alignedIn(terms, bits, end),
  };
}

/** Rounds toward zero. */
export function cutIn({ round, precision, minNormal, maxFinite }: Format): (x: number) => number {
  const least = exponentOf(minNormal);
  return (x) => {
    const near = round(x);
    if (Math.abs(near) <= Math.abs(x) || Number.isNaN(x) || !Number.isFinite(x)) return near;
    if (!Number.isFinite(near)) return Math.sign(x) * maxFinite;
    const last = 2 ** (Math.max(exponentOf(Math.abs(x)), least) - precision + 1);
    return near - Math.sign(x) * last;
  };
}

/** Rounds away from zero. */
export function awayIn(format: Format): (x: number) => number {
  const { precision, minNormal, maxFinite } = format;
  const [cut, least] = [cutIn(format), exponentOf(minNormal)];
  return (x) => {
    const low = cut(x);
    if (low === x || !Number.isFinite(x)) return low;
    const last = 2 ** (Math.max(exponentOf(Math.abs(x)), least) - precision + 1);
    const away = low + Math.sign(x) * last;
    return Math.abs(away) > maxFinite ? away * Number.POSITIVE_INFINITY : away;
  };
}

/** Rounds to either neighbor: `isUpper` decides from the relative distance to the lower one. */
export const eitherIn =
  (isUpper: (share: number) => boolean) =>
  (format: Format): ((x: number) => number) => {
    const [cut, away] = [cutIn(format), awayIn(format)];
    return (x) => {
      const [low, high] = [cut(x), away(x)];
      if (low === high || !Number.isFinite(high)) return format.round(x);
      return isUpper((x - low) / (high - low)) ? high : low;
    };
  };

/** Chooses the farther neighbor as often as the nearer one. */
export const unevenly = (share: number): boolean => (share * 4) % 1 > 1 / 2;

/** W. Kahan, *Further remarks on reducing truncation errors*, CACM 8 (1965). */
const kahanIn =
  (round: (x: number) => number): SumFunction =>
  (products) => {
    let [sum, lost] = [0, 0];
    for (const x of products) {
      const term = round(round(x) - lost);
      const next = round(sum + term);
      lost = round(round(next - sum) - term);
      sum = next;
    }
    return sum;
  };

/** A. Neumaier's variant (ZAMM 54, 1974): the lost part is added at the end. */
const neumaierIn =
  (round: (x: number) => number): SumFunction =>
  (products) => {
    let [sum, lost] = [0, 0];
    for (const x of products) {
      const term = round(x);
      const next = round(sum + term);
      const [large, small] = Math.abs(sum) >= Math.abs(term) ? [sum, term] : [term, sum];
      lost = round(lost + round(round(large - next) + small));
      sum = next;
    }
    return round(sum + lost);
  };

/** Stochastic rounding: the sum with every product becomes either neighbor, the nearer one more often. */
const stochasticIn = (
  { minNormal, precision, round }: Format,
  cut: (x: number) => number,
  random: () => number,
): SumFunction => {
  const least = exponentOf(minNormal);
  return (products) => {
    let sum = 0;
    for (const x of products) {
      const exact = sum + x;
      sum = cut(exact);
      if (sum === exact || !Number.isFinite(exact)) continue;
      const last = 2 ** (Math.max(exponentOf(Math.abs(exact)), least) - precision + 1);
      if (random() * last < Math.abs(exact - sum)) sum = round(sum + Math.sign(exact) * last);
    }
    return sum;
  };
};

/** Adds so many products and the sum, aligned to the largest and truncated after so many bits; `end` rounds the result. */
const alignedIn =
  (terms: number, bits: number, end: (x: number) => number): SumFunction =>
  (products) => {
    let sum = 0;
    for (let at = 0; at < products.length; at += terms) {
      const until = Math.min(at + terms, products.length);
      let most = Math.abs(sum);
      for (let p = at; p < until; p++) most = Math.max(most, Math.abs(products[p]));
      if (most === 0) continue;
      const last = most < Number.POSITIVE_INFINITY ? 2 ** (exponentOf(most) + 1 - bits) : 1;
      let total = Math.trunc(sum / last) * last;
      for (let p = at; p < until; p++) total += Math.trunc(products[p] / last) * last;
      sum = end(total);
    }
    return sum;
  };
