import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { strassen } from '../algorithms/strassen.ts';
import { asAlgorithm, isDyadicTable, isRunnable } from './as-algorithm.ts';
import { requireExactTable } from './collected.ts';
import { readTable, TABLES } from './node/read-tables.ts';
import { parseTable } from './table-text.ts';

const HEAD = 'title: Mine\norigin: published\nsource: nobody\nlicence: none\nbase: 1 1 1\n';

const textOf = (name: string) => readFileSync(`${TABLES}${name}.txt`, 'utf8');

it.each([
  ['title: Mine', 'line 2 must be "origin: …"'],
  [
    HEAD.replace('published', 'elsewhere'),
    'its origin is "elsewhere", expected one of classical, published, ',
  ],
  [HEAD.replace('1 1 1', '1 1'), 'its base "1 1" is not three whole numbers from 1'],
  [HEAD.replace('1 1 1', '1 17 1'), 'its base ⟨1,17,1⟩ is too large: the limit of a dimension is 16'],
  [HEAD, 'it has no products'],
  [`${HEAD}${'A11 * B11 -> C11\n'.repeat(2049)}`, 'it has 2049 products (limit 2048)'],
  [`${HEAD}A11 * B11`, 'expected "sum * sum -> sum" in its product "A11 * B11"'],
  [`${HEAD}A12 * B11 -> C11`, 'A of 1×1 blocks has no block "A12"'],
  [`${HEAD}A11 * A11 -> C11`, 'B of 1×1 blocks has no block "A11"'],
  [`${HEAD}A11 * B11 -> (C11 + C11)`, 'C11 occurs twice in a sum'],
  [`${HEAD}1/0*A11 * B11 -> C11`, 'unknown factor "1/0"'],
  [`${HEAD}two*A11 * B11 -> C11`, 'unknown factor "two"'],
  [`${HEAD}A11 * (B11 -> C11`, 'expected "sum * sum -> sum"'],
  ['', 'line 1 must be "title: …"'],
])('says what is wrong with %j', (text, why) => {
  expect(() => parseTable('mine', text)).toThrow('Cannot read the algorithm table mine.txt: ');
  expect(() => parseTable('mine', text)).toThrow(why);
});

it('refuses every change of one sign, and says where', () => {
  const text = textOf('strassen-1969');
  const changes = [...text.matchAll(/ [+-] /g)].map(({ 0: sign, index }) => {
    const other = sign === ' + ' ? ' - ' : ' + ';
    return text.slice(0, index) + other + text.slice(index + 3);
  });
  expect(changes).toHaveLength(15);
  for (const changed of changes)
    expect(() => requireExactTable(parseTable('mine', changed))).toThrow(
      /^The table of the algorithm "mine" does not multiply matrices: C\d\d has an excess of -?[\d.]+ times A\d\d·B\d\d\. Correct its file\.$/,
    );
});

it('checks multiples of √3 exactly', () => {
  const text = textOf('dps-2x2x2-accurate');
  for (const [from, to] of [
    ['2√3/3', '√3'],
    ['√3/6', '√3/7'],
    ['√3/2', '13/15'],
  ])
    expect(() => requireExactTable(parseTable('mine', text.replace(from, to)))).toThrow(
      'does not multiply matrices',
    );
});

it('gives kernels what is dyadic or a small fraction, and refuses the rest in a sentence', () => {
  const table = readTable('strassen-1969');
  const { u, v, w, base } = asAlgorithm(table);
  expect(u.map((row, r) => JSON.stringify([row, v[r], w[r]])).sort()).toEqual(
    strassen.u.map((row, r) => JSON.stringify([row, strassen.v[r], strassen.w[r]])).sort(),
  );
  expect(base).toEqual(strassen.base);
  const irrational = readTable('dps-2x2x2-accurate');
  expect(isDyadicTable(irrational)).toBe(false);
  expect(() => asAlgorithm(irrational)).toThrow(
    /^The algorithm "dps-2x2x2-accurate" cannot be used: its factor 0.866\d+ is neither dyadic nor a fraction p\/q with \|p\| and q below 2048\. /,
  );
  const third = parseTable('mine', `${HEAD}1/3*A11 * 3*B11 -> C11`);
  expect(asAlgorithm(requireExactTable(third))).toMatchObject({ u: [[1 / 3]], v: [[3]] });
  expect([isDyadicTable(third), isRunnable(third)]).toEqual([false, true]);
  const long = parseTable('mine', `${HEAD}2051/3333*A11 * 3333/2051*B11 -> C11`);
  expect(() => asAlgorithm(requireExactTable(long))).toThrow('its factor 0.615');
});
