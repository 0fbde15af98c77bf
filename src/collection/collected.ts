import { type BlockGrid, blockName } from '../algorithms/algorithm.ts';
import {
  addRationals,
  multiplyRationals,
  type Rational,
  rational,
  subtractRationals,
  toNumber,
} from '../base/rational.ts';
import { tableWrong } from './messages.ts';

/** The origins of tables, with a note for readers of counts. */
export const origins = {
  classical: 'the definition of the product, for comparison',
  published: 'as in its source, or with the roles of A, B and C exchanged',
  'other basis': 'a published table in other bases of rows, columns and inner dimension',
  flips: 'found here by flips from a published table',
  split: 'found here: split along a dimension, each part by a published table',
  composed: 'two published tables, one inside the other',
} as const;
export type Origin = keyof typeof origins;

/** A block and its factor. */
export interface ExactTerm {
  readonly factor: Surd;
  /** The block, counted from 0 row by row of its grid. */
  readonly at: number;
}

/** One product: the sums of blocks that are multiplied, and the targets of the product. */
export interface ExactTableProduct {
  readonly u: readonly ExactTerm[];
  readonly v: readonly ExactTerm[];
  readonly w: readonly ExactTerm[];
}

/** A table of the collection, with exact coefficients. */
export interface CollectionTable {
  readonly name: string;
  readonly title: string;
  readonly origin: Origin;
  /** Paper and file of the coefficients, or the parent table and the derivation. */
  readonly source: string;
  /** License of the file of the coefficients. */
  readonly licence: string;
  readonly base: BlockGrid;
  readonly products: readonly ExactTableProduct[];
}

/** Returns the number of block products of the classical algorithm for the same blocks. */
export const classicalRank = ({ base: { m, k, n } }: Pick<CollectionTable, 'base'>): number => m * k * n;

/** An exact number a + b·√3: a coefficient of a table. Most have b = 0. */
export interface Surd {
  readonly a: Rational;
  readonly b: Rational;
}

const ZERO = rational(0);

export const makeSurd = (a: Rational, b: Rational = ZERO): Surd => ({ a, b });
const NOTHING: Surd = makeSurd(ZERO);

const addSurds = (x: Surd, y: Surd): Surd => makeSurd(addRationals(x.a, y.a), addRationals(x.b, y.b));
const subtractSurds = (x: Surd, y: Surd): Surd =>
  makeSurd(subtractRationals(x.a, y.a), subtractRationals(x.b, y.b));

/** Multiplies: (a + b√3)(c + d√3) = ac + 3bd + (ad + bc)√3. */
export const multiplySurds = (x: Surd, y: Surd): Surd =>
  makeSurd(
    addRationals(multiplyRationals(x.a, y.a), multiplyRationals(rational(3), multiplyRationals(x.b, y.b))),
    addRationals(multiplyRationals(x.a, y.b), multiplyRationals(x.b, y.a)),
  );

const isZeroSurd = ({ a, b }: Surd): boolean => a.num === 0n && b.num === 0n;

/** Returns the nearest double, up to the roundings of √3, a product and a sum. */
export const surdValue = ({ a, b }: Surd): number => toNumber(a) + toNumber(b) * Math.sqrt(3);

const FACTOR = /^(\d+)?(√3)?(?:\/(\d+))?$/;

/** Reads `3`, `1/2`, `√3` or `2√3/3`. Undefined for anything else. */
export function parseSurd(text: string): Surd | undefined {
  const [, num, root, den = '1'] = FACTOR.exec(text) ?? [];
  if ((num === undefined && root === undefined) || BigInt(den) === 0n) return undefined;
  const size = rational(BigInt(num ?? '1'), BigInt(den));
  return root === undefined ? makeSurd(size) : makeSurd(ZERO, size);
}

const ONE = makeSurd(rational(1));

/**
 * Checks that a table multiplies matrices, by the Brent equations in exact arithmetic (`brentViolations` of algorithms
 * takes only dyadic factors).
 * @returns the table.
 * @throws ParanoiaError `table-wrong`, which names the first equation that fails.
 */
export function requireExactTable(table: CollectionTable): CollectionTable {
  const why = firstFault(table);
  if (why !== undefined) throw tableWrong({ name: table.name, why });
  return table;
}

function firstFault({ base: { m, k, n }, products }: CollectionTable): string | undefined {
  const sums = new Map<number, Surd>();
  const add = (key: number, by: Surd) => sums.set(key, addSurds(sums.get(key) ?? NOTHING, by));
  for (const { u, v, w } of products) triples(u, v, w, (a, b, c, by) => add((a * k * n + b) * m * n + c, by));
  for (let i = 0; i < m; i++)
    for (let j = 0; j < k; j++)
      for (let l = 0; l < n; l++) {
        const key = ((i * k + j) * k * n + j * n + l) * m * n + i * n + l;
        sums.set(key, subtractSurds(sums.get(key) ?? NOTHING, ONE));
      }
  const wrong = [...sums].find(([, sum]) => !isZeroSurd(sum));
  if (wrong === undefined) return undefined;
  const [key, off] = wrong;
  const c = key % (m * n);
  const b = Math.floor(key / (m * n)) % (k * n);
  const a = Math.floor(key / (m * n * k * n));
  const product = `${blockName('A', Math.floor(a / k), a % k)}·${blockName('B', Math.floor(b / n), b % n)}`;
  const target = blockName('C', Math.floor(c / n), c % n);
  return `${target} has an excess of ${surdValue(off)} times ${product}`;
}

function triples(
  u: readonly ExactTerm[],
  v: readonly ExactTerm[],
  w: readonly ExactTerm[],
  see: (a: number, b: number, c: number, by: Surd) => void,
): void {
  for (const x of u) {
    for (const y of v) {
      const both = multiplySurds(x.factor, y.factor);
      for (const z of w) see(x.at, y.at, z.at, multiplySurds(both, z.factor));
    }
  }
}
