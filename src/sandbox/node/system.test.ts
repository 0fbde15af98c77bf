import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { libraryNeeds, moduleNeeds, pythonNeeds } from './system.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'needs-')));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);
mkdirSync(at('a/node_modules'), { recursive: true });
for (const name of ['a/kernel.mjs', 'a/package.json', 'a/.env', 'a/json.py', 'a/kernel.so'])
  writeFileSync(at(name), 'x');

it('a module needs itself, its packages and what says of what kind it is, and nothing beside it', () => {
  const found = moduleNeeds(at('a/kernel.mjs')).filter((path) => path.startsWith(folder));
  expect(found.sort()).toEqual([at('a/kernel.mjs'), at('a/node_modules'), at('a/package.json')]);
  expect(libraryNeeds(at('a/kernel.so'))).toEqual([at('a/kernel.so')]);
});

const python = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);
it.runIf(python)(
  'a file of Python needs what its interpreter says, and no module beside it runs for that',
  async () => {
    const { file, reads } = await pythonNeeds(python as string, at('a/json.py'));
    const [prefix, version] = JSON.parse(
      spawnSync(file, ['-c', 'import sys, json; print(json.dumps([sys.base_prefix, sys.version_info[0]]))'], {
        encoding: 'utf8',
      }).stdout,
    );
    expect(version).toBe(3);
    expect(reads.some((path) => path.startsWith(prefix))).toBe(true);
    expect(reads.filter((path) => path.startsWith(folder))).toEqual([at('a/json.py')]);
  },
);
