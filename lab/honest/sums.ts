import { exponentOf } from '../../src/base/binary64.ts';
import type { Format } from '../../src/precision/format.ts';

/**
 * Adds up the products of an entry of C, given exactly in doubles (those of binary64 rounded to it), as kernels do: written
 * out apart from the mirror.
 */
export type Sum = (products: Float64Array) => number;

/** The terms of a sum in groups, each summed by itself. */
export type Groups = (products: Float64Array) => Float64Array[];

/** The products of two lines of numbers. */
export function productsOf(x: ArrayLike<number>, y: ArrayLike<number>): Float64Array {
  const products = new Float64Array(x.length);
  for (let p = 0; p < x.length; p++) products[p] = x[p] * y[p];
  return products;
}

/** Adding and subtracting it rounds to whole numbers, ties to even. */
const WHOLE = 1.5 * 2 ** 52;

/** To nearest in so many bits of any exponent, ties to even. */
export const toBits =
  (bits: number) =>
  (x: number): number => {
    if (!Number.isFinite(x)) return x;
    const last = 2 ** (exponentOf(Math.abs(x) || 1) - bits + 1);
    return (x / last + WHOLE - WHOLE) * last;
  };

/** Of so many terms each, in their order. */
export const blocksOf =
  (each: number): Groups =>
  (products) =>
    Array.from({ length: Math.ceil(products.length / each) }, (_, at) =>
      products.subarray(at * each, (at + 1) * each),
    );

/** Of equal shares of k. */
export const partsOf =
  (count: number): Groups =>
  (products) =>
    blocksOf(Math.ceil(products.length / count))(products);

/** Of ⌊k/count⌋ terms each, the last of the rest, too. */
export const restLast =
  (count: number): Groups =>
  (products) => {
    const each = Math.floor(products.length / count);
    return Array.from({ length: count }, (_, at) =>
      products.subarray(at * each, at === count - 1 ? products.length : (at + 1) * each),
    );
  };

/** Of equal shares of the tiles of so many terms. */
export const tilesOf =
  (count: number, tile: number): Groups =>
  (products) =>
    blocksOf(Math.ceil(Math.ceil(products.length / tile) / count) * tile)(products);

/** Of every so many-th term. */
export const lanesOf =
  (count: number): Groups =>
  (products) =>
    Array.from({ length: Math.min(count, products.length) }, (_, lane) =>
      Float64Array.from(
        { length: Math.ceil((products.length - lane) / count) },
        (_, at) => products[lane + at * count],
      ),
    );

/** Each group by `inner`, their sums by `outer`. */
export const grouped =
  (groups: Groups, inner: Sum, outer: Sum): Sum =>
  (products) =>
    outer(Float64Array.from(groups(products), inner));

/** Of the terms from the last to the first. */
export const reversed =
  (sum: Sum): Sum =>
  (products) =>
    sum(products.slice().reverse());

/** Of the groups from the last to the first. */
export const fromLast =
  (groups: Groups): Groups =>
  (products) =>
    groups(products).reverse();

/** By their sizes, the smallest terms first; or the largest, by a sign of −1. */
export const sorted =
  (sum: Sum, sign = 1): Sum =>
  (products) =>
    sum(products.slice().sort((x, y) => sign * (Math.abs(x) - Math.abs(y))));

/** In doubles, not rounded to any other format. */
export const wide: Sum = (products) => {
  let sum = 0;
  for (const x of products) sum += x;
  return sum;
};

/** Sums whose every addition is rounded to a format. */
export function sumsIn(format: Format) {
  const { round } = format;
  const cut = cutIn(format);
  const running =
    (to: (x: number) => number): Sum =>
    (products) => {
      let sum = 0;
      for (let p = 0; p < products.length; p++) sum = to(sum + to(products[p]));
      return sum;
    };
  const [sequential, towardZero] = [running(round), running(cut)];
  const halves = (smallest: number): Sum => {
    const sum: Sum = (products) => {
      if (products.length <= smallest) return sequential(products);
      const half = products.length >> 1;
      return round(sum(products.subarray(0, half)) + sum(products.subarray(half)));
    };
    return sum;
  };
  const apart =
    (sum: Sum, to: (x: number) => number): Sum =>
    (products) =>
      to(sum(products.filter((x) => x > 0)) + sum(products.filter((x) => !(x > 0))));
  const fused: Sum = (products) => {
    let sum = 0;
    for (const x of products) sum = round(sum + x);
    return sum;
  };
  return {
    sequential,
    fused,
    /** Halves of halves, down to so many terms. */
    pairwise: halves,
    towardZero,
    /** Terms above zero and the others each by themselves. */
    signsApart: apart(sequential, round),
    signsApartCut: apart(towardZero, cut),
    faithful: running(eitherIn(unevenly)(format)),
    inBits: (bits: number): Sum => running(toBits(bits)),
    inDoubles: ((products) => round(wide(products))) as Sum,
    /** In doubles, of products that are rounded first. */
    inDoublesRounded: ((products) => round(wide(Float64Array.from(products, (x) => round(x))))) as Sum,
    /** Blocks of so many terms, their sums added one after the other. */
    blocked: (each: number, inner: Sum = sequential): Sum => grouped(blocksOf(each), inner, sequential),
    /** The same where all is rounded toward zero. */
    blockedCut: (each: number, inner: Sum): Sum => grouped(blocksOf(each), inner, towardZero),
    kahan: kahanIn(round),
    neumaier: neumaierIn(round),
    stochastic: (random: () => number): Sum => stochasticIn(format, cut, random),
    atOnce: (terms: number, bits: number, end = cut): Sum => alignedIn(terms, bits, end),
  };
}

/** Toward zero. */
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

/** Away from zero. */
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

/** Either neighbour: the upper one where it is chosen for the share of the way to it that lies below. */
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

/** As often the farther one as the nearer. */
export const unevenly = (share: number): boolean => (share * 4) % 1 > 1 / 2;

/** W. Kahan, *Further remarks on reducing truncation errors*, CACM 8 (1965). */
const kahanIn =
  (round: (x: number) => number): Sum =>
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

/** A. Neumaier's variant (ZAMM 54, 1974): what is lost is added at the end. */
const neumaierIn =
  (round: (x: number) => number): Sum =>
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

/** Every product and its sum become either neighbour, the nearer one the more often. */
const stochasticIn = (
  { minNormal, precision, round }: Format,
  cut: (x: number) => number,
  random: () => number,
): Sum => {
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

/** So many products and the sum, aligned to the largest and cut off behind so many bits; `end` rounds the result. */
const alignedIn =
  (terms: number, bits: number, end: (x: number) => number): Sum =>
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
