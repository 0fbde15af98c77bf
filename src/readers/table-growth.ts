import type { CoefficientRows } from '../algorithms/algorithm.ts';
import type { BilinearTable } from '../algorithms/bilinear-table.ts';
import { coefficientFraction, isDyadic, roundingsBy } from '../algorithms/coefficient.ts';

/** Growth of sizes, or of their squares, by levels of a table, for any partition into blocks and any order of sums. */
export interface TableGrowth {
  /** Weight of all products of entries of A and B. */
  readonly all: number;
  /** Weight of products of entries with one inner index: the largest in any block of C. */
  readonly same: number;
  /** Weight of all other products, likewise. */
  readonly cross: number;
  /** Total weight of the sums of products. */
  readonly products: number;
  /** The largest weight of a factor of a product. */
  readonly factors: { readonly a: number; readonly b: number };
}

/** Weights of one block of C: of its products, of those with one inner index, and the most of one index. */
interface Weights {
  readonly all: number;
  readonly same: number;
  readonly most: number;
}

/**
 * Returns the growth of a table. With û_q = Σ_i |u_iq| over the blocks of A with inner index q and v̂_q likewise, the products of a block
 * of C weigh
 *
 *     F = Σ_r |w_r|·Σ_q û_q·Σ_q v̂_q,   of which   S = Σ_r |w_r|·Σ_q û_q v̂_q   have one inner index.
 *
 * However many of the k columns of A are in each of the inner blocks, the products of entries of one inner index p, of which there is
 * one sum D over all p, weigh at most G·D with G = Σ_r |w_r|·max_q û_q v̂_q; each pair of two inner blocks q ≠ q′ has at most
 * k/2 products, of distinct indices. Levels multiply: F and G as they are, and F − S as F₁F₂ − S₁S₂ ≤ (F₁ − S₁)F₂ + S₁(F₂ − S₂).
 * @param power 1 for sizes, 2 for their squares.
 */
export function growthOf(
  { base: { m, k, n }, u, v, w }: BilinearTable,
  levels: number,
  power: 1 | 2 = 1,
): TableGrowth {
  const size = (x: number) => Math.abs(x) ** power;
  const inner = (r: number) =>
    Array.from({ length: k }, (_, q) => ({
      a: sum(m, (i) => size(u[r][i * k + q])),
      b: sum(n, (j) => size(v[r][q * n + j])),
    }));
  const products = u.map((_, r): Weights & { readonly a: number; readonly b: number } => {
    const parts = inner(r);
    const [a, b] = [sum(k, (q) => parts[q].a), sum(k, (q) => parts[q].b)];
    const pairs = parts.map((part) => part.a * part.b);
    return { a, b, all: a * b, same: pairs.reduce((x, y) => x + y), most: Math.max(...pairs) };
  });
  const blocks = Array.from({ length: m * n }, (_, c) => {
    const over = (of: (r: number) => number) => sum(u.length, (r) => size(w[r][c]) * of(r));
    return {
      all: over((r) => products[r].all),
      same: over((r) => products[r].same),
      most: over((r) => products[r].most),
      weights: over(() => 1),
    };
  });
  const most = (of: (block: (typeof blocks)[number]) => number) => Math.max(...blocks.map(of));
  let cross = 0;
  for (let level = 0; level < levels; level++) {
    const before = most(({ all }) => all) ** level;
    cross = most(({ all, same }) => (all - same) * before + same * cross);
  }
  return {
    all: most(({ all }) => all) ** levels,
    same: most((block) => block.most) ** levels,
    cross,
    products: most(({ weights }) => weights) ** levels,
    factors: {
      a: Math.max(...products.map(({ a }) => a)) ** levels,
      b: Math.max(...products.map(({ b }) => b)) ** levels,
    },
  };
}

/** True of each operand if no two of its entries have opposite signs. */
export interface OneSignedOperands {
  readonly a: boolean;
  readonly b: boolean;
}

/**
 * Returns the weight of the squares of leaf products in a block of C after several levels, for entries that are not centered: the largest
 * Σ w²·û²·v̂² over the products, where û is the largest ratio of their sums of blocks of A to the largest entry. Coefficients of a level
 * add up to σ, and their sizes to s. Entries of any signs give û = Πs. For entries of one sign, no sum, complete or not, exceeds the
 * positive coefficients or the negative ones: û = (Πs + |Πσ|)/2.
 */
export function meanSquareOf(
  { base: { m, n }, u, v, w }: BilinearTable,
  levels: number,
  { a, b }: OneSignedOperands,
): number {
  const weighed = (rows: CoefficientRows, isOneSigned: boolean) => {
    const sizes = rows.map((row) => row.reduce((sum, x) => sum + Math.abs(x), 0));
    const sums = rows.map((row) => Math.abs(row.reduce((sum, x) => sum + x, 0)));
    const product = (x: number[], y: number[]) => x.map((each, r) => each * y[r]);
    const whole = product(sizes, sizes);
    return isOneSigned
      ? [
          { by: 1 / 4, squares: whole },
          { by: 1 / 2, squares: product(sizes, sums) },
          { by: 1 / 4, squares: product(sums, sums) },
        ]
      : [{ by: 1, squares: whole }];
  };
  const [left, right] = [weighed(u, a), weighed(v, b)];
  let total = 0;
  for (const x of left)
    for (const y of right) {
      const blocks = Array.from({ length: m * n }, (_, c) =>
        sum(w.length, (r) => w[r][c] ** 2 * x.squares[r] * y.squares[r]),
      );
      total += x.by * y.by * Math.max(...blocks) ** levels;
    }
  return total;
}

/** Returns the most roundings of an entry in factors of A, in those of B and in sums of products, where levels are written out as one. */
export function roundingsOf({ u, v, w }: BilinearTable, levels: number): { a: number; b: number; c: number } {
  const columns = w[0].map((_, c) => w.map((row) => row[c]));
  const most = (rows: CoefficientRows) => {
    const terms = Math.max(...rows.map((row) => row.filter((x) => x !== 0).length));
    const roundings = Math.max(...rows.flat().map((x) => (x === 0 ? 0 : roundingsBy(x))));
    return terms ** levels - 1 + roundings * levels;
  };
  return { a: most(u), b: most(v), c: most(columns) };
}

/** Returns the largest numerator and denominator of the fractions of a table that formats do not hold; 0 where there are none. */
export function largestFraction({ u, v, w }: BilinearTable): { readonly num: number; readonly den: number } {
  const fractions = [...new Set([u, v, w].flat(2))].filter((x) => !isDyadic(x)).map(coefficientFraction);
  const most = (of: 'num' | 'den') =>
    fractions.reduce((largest, fraction) => Math.max(largest, Math.abs(Number(fraction[of]))), 0);
  return { num: most('num'), den: most('den') };
}

/**
 * Returns the largest mean square of a partial sum of a block of C, in any order, where entries of A and B are independent and of mean
 * square 1.
 */
export function partialSquare({ u, v, w }: BilinearTable): number {
  return Math.max(
    ...w[0].map((_, c) => {
      const terms = w.flatMap((row, r) => (row[c] === 0 ? [] : [{ by: row[c], r }]));
      const norm = (r: number) => Math.sqrt(squared(u[r]) * squared(v[r]));
      if (terms.length > MOST_SUBSETS)
        return sum(terms.length, (t) => Math.abs(terms[t].by) * norm(terms[t].r)) ** 2;
      // ⟨u_r⊗v_r, u_s⊗v_s⟩ = ⟨u_r,u_s⟩⟨v_r,v_s⟩.
      const gram = terms.map((x) =>
        terms.map((y) => x.by * y.by * dot(u[x.r], u[y.r]) * dot(v[x.r], v[y.r])),
      );
      let most = 0;
      for (let subset = 1; subset < 2 ** terms.length; subset++) {
        const chosen = terms.flatMap((_, t) => ((subset >> t) & 1 ? [t] : []));
        most = Math.max(
          most,
          sum(chosen.length, (x) => sum(chosen.length, (y) => gram[chosen[x]][chosen[y]])),
        );
      }
      return most;
    }),
  );
}

/** Most terms of a sum whose subsets are all tried. */
const MOST_SUBSETS = 12;

const dot = (x: readonly number[], y: readonly number[]) => sum(x.length, (at) => x[at] * y[at]);
const squared = (x: readonly number[]) => dot(x, x);
const sum = (count: number, of: (at: number) => number) => {
  let total = 0;
  for (let at = 0; at < count; at++) total += of(at);
  return total;
};
