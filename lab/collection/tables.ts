import { readdirSync } from 'node:fs';
import { blockName } from '../../src/algorithms/algorithm.ts';
import type { CollectionTable, ExactTerm, Surd } from '../../src/collection/collected.ts';
import { TABLES } from '../../src/collection/node/read-tables.ts';

/** Returns the names of tables, in order. */
export const tableNames = (folder = TABLES): string[] =>
  readdirSync(folder)
    .flatMap((file) => /^([a-z][a-z0-9-]*)\.txt$/.exec(file)?.[1] ?? [])
    .sort();

/** Formats the form of a table: `⟨3,3,6;40⟩`. */
export const formOf = ({ base: { m, k, n }, products }: Pick<CollectionTable, 'base' | 'products'>): string =>
  `⟨${m},${k},${n};${products.length}⟩`;

const HEAD = ['title', 'origin', 'source', 'licence', 'base'] as const;

/** Formats a table as `parseTable` reads it. */
export function formatTable({ title, origin, source, licence, base, products }: CollectionTable): string {
  const { m, k, n } = base;
  const head = { title, origin, source, licence, base: `${m} ${k} ${n}` };
  const lines = products.map(
    ({ u, v, w }) => `${factorText('A', u, k)} * ${factorText('B', v, n)} -> ${sumText('C', w, n)}`,
  );
  return `${[...HEAD.map((key) => `${key}: ${head[key]}`), ...lines].join('\n')}\n`;
}

const factorText = (matrix: string, terms: readonly ExactTerm[], cols: number): string =>
  terms.length === 1 ? sumText(matrix, terms, cols) : `(${sumText(matrix, terms, cols)})`;

const sumText = (matrix: string, terms: readonly ExactTerm[], cols: number): string =>
  terms
    .map(({ factor, at }, position) => {
      const { sign, size } = sized(factor);
      const name = blockName(matrix, Math.floor(at / cols), at % cols);
      const one = size === '1' ? name : `${size}*${name}`;
      return position === 0 ? `${sign === '-' ? '-' : ''}${one}` : ` ${sign} ${one}`;
    })
    .join('');

/** @throws RangeError for a sum of a rational and a multiple of √3, which no table has. */
function sized({ a, b }: Surd): { sign: '+' | '-'; size: string } {
  if (a.num !== 0n && b.num !== 0n) throw new RangeError('A factor must be rational or a multiple of √3.');
  const isRoot = b.num !== 0n;
  const { num, den } = isRoot ? b : a;
  const whole = num < 0n ? -num : num;
  const over = den === 1n ? '' : `/${den}`;
  const size = isRoot ? `${whole === 1n ? '' : whole}√3${over}` : `${whole}${over}`;
  return { sign: num < 0n ? '-' : '+', size };
}
