import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

const MOST_ENTRIES = 21;

const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');

it(`the root has at most ${MOST_ENTRIES} tracked entries`, () => {
  const entries = new Set(tracked.filter(Boolean).map((path) => path.split('/')[0]));
  expect(entries.size, [...entries].join(' ')).toBeLessThanOrEqual(MOST_ENTRIES);
});

it("README's first table names exactly the tracked folders of the root", () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [, rows] = /^\|[^\n]*\n\| ---[^\n]*\n((?:\|[^\n]*\n)+)/m.exec(readme) ?? ['', ''];
  const named = [...rows.matchAll(/^\|([^|]*)/gm)].flatMap(([, cell]) => cell.match(/[^`, ]+/g) ?? []);
  const folders = new Set(tracked.filter((path) => path.includes('/')).map((path) => path.split('/')[0]));
  expect(named.sort()).toEqual([...folders].sort());
});
