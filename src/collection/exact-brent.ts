import { blockName } from '../algorithms/block-names.ts';
import { rational } from '../base/rational.ts';
import type { CollectionTable, ExactTerm } from './collected.ts';
import { tableWrong } from './messages.ts';
import {
  addSurds,
  isZeroSurd,
  makeSurd,
  multiplySurds,
  NOTHING,
  type Surd,
  subtractSurds,
  surdValue,
} from './surd.ts';

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
