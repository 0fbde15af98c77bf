import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatTable, tableNames } from '../../lab/collection/tables.ts';
import { brentViolations } from '../../src/algorithms/verify-algorithm.ts';
import {
  asAlgorithm,
  isDyadicTable,
  isRunnable,
  toCoefficientRows,
} from '../../src/collection/as-algorithm.ts';
import { requireExactTable } from '../../src/collection/collected.ts';
import { readTable, TABLES } from '../../src/collection/node/read-tables.ts';
import { parseTable } from '../../src/collection/table-text.ts';

const MAIN = join(import.meta.dirname, '../../dist/cli/main.js');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'collection-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const paranoia = (...args: readonly string[]) =>
  spawnSync(process.execPath, [MAIN, ...args], { cwd: folder, encoding: 'utf8' });

describe.each(tableNames())('%s', (name) => {
  const table = readTable(name);

  it('multiplies matrices by both checks, and is written as it is read', () => {
    expect(formatTable(table)).toBe(readFileSync(`${TABLES}${name}.txt`, 'utf8'));
    if (!isRunnable(table))
      return expect(() => asAlgorithm(table)).toThrow('is neither dyadic nor a fraction');
    expect(brentViolations({ base: table.base, ...toCoefficientRows(table) })).toEqual([]);
    expect(asAlgorithm(table).name).toBe(name);
  });

  it('does not with any coefficient of some products changed', () => {
    const lines = formatTable(table).split('\n');
    // The first, the middle and the last product: in each, the first term of a sum with a sign to flip.
    for (const at of [5, Math.floor((5 + lines.length) / 2), lines.length - 2]) {
      const turned = lines.with(
        at,
        lines[at].replace(/-> (-?)/, (_, sign) => (sign === '-' ? '-> ' : '-> -')),
      );
      expect(() => requireExactTable(parseTable(name, turned.join('\n')))).toThrow(
        'does not multiply matrices',
      );
    }
  });
});

/** Tables of bases up to 4×4×4 for the gate, one for each algorithm. */
const small = tableNames().filter((name) => {
  const table = readTable(name);
  return isRunnable(table) && Math.max(...Object.values(table.base)) <= 4;
});

it.each(small)('%s runs on the device, equal to its model bit for bit', (name) => {
  const args = ['gate', '--kernel', `${name}:naive,${name}:register`, '--size', '37x29x41', '--levels', '1'];
  const { status, stderr } = paranoia(
    ...args,
    '--input',
    'uniform,integers',
    '--reporter',
    'json',
    '--out',
    name,
  );
  expect(stderr).not.toContain('Unknown');
  const { summary, verdict } = JSON.parse(readFileSync(join(folder, name, 'results.json'), 'utf8'));
  expect([status, verdict, summary.equalToModel]).toEqual([0, 'pass', summary.comparedWithModel]);
  // Tables with fractions that no format can represent are not asked for whole numbers.
  expect(summary.comparedWithModel).toBeGreaterThan(isDyadicTable(readTable(name)) ? 3 : 1);
});

it('leaves the default gate and lists as they are', () => {
  const { stdout } = paranoia('list', 'kernels', '--json');
  expect(tableNames().filter((name) => stdout.includes(`"${name}:`))).toEqual([]);
});
