import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { reports, scratch } from './scope.ts';

// Writes the share of lines and branches of `src` that the unit tests run, in all and a room: npm run coverage. What runs in
// processes and threads of its own is not seen.

interface Counts {
  readonly total: number;
  readonly covered: number;
}

const folder = `${scratch}/coverage`;
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config=config/vitest.unit.ts',
    '--coverage.enabled',
    '--coverage.provider=v8',
    '--coverage.reporter=json-summary',
    `--coverage.reportsDirectory=${folder}`,
    '--coverage.include=src/**/*.ts',
    '--coverage.exclude=**/*.{test,testing}.ts',
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
);
if (status !== 0) process.exit(status ?? 1);

const summary = JSON.parse(readFileSync(`${folder}/coverage-summary.json`, 'utf8')) as Record<
  string,
  { readonly lines: Counts; readonly branches: Counts }
>;

const rooms = new Map<string, { lines: Counts[]; branches: Counts[] }>();
for (const [file, { lines, branches }] of Object.entries(summary)) {
  const [, room, rest] = file === 'total' ? [] : relative('.', file).replaceAll('\\', '/').split('/');
  const name = file === 'total' ? 'all' : rest === undefined ? 'entry points' : room;
  const sums = rooms.get(name) ?? { lines: [], branches: [] };
  sums.lines.push(lines);
  sums.branches.push(branches);
  rooms.set(name, sums);
}

/** The share of what is covered, in percent with one decimal. */
function share(counts: readonly Counts[]): number {
  const sum = (key: keyof Counts) => counts.reduce((all, each) => all + each[key], 0);
  return sum('total') === 0 ? 100 : Math.round((1000 * sum('covered')) / sum('total')) / 10;
}

mkdirSync(reports, { recursive: true });
const shares = [...rooms]
  .sort(([x], [y]) => (x === 'all' ? -1 : y === 'all' ? 1 : x < y ? -1 : 1))
  .map(([room, { lines, branches }]) => [room, { lines: share(lines), branches: share(branches) }]);
writeFileSync(`${reports}/coverage.json`, `${JSON.stringify(Object.fromEntries(shares), null, 2)}\n`);
