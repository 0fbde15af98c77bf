import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPython } from './find-python.ts';

const isWindows = process.platform === 'win32';
const ofEnvironment = isWindows ? 'Scripts/python.exe' : 'bin/python';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'python-'));
  const names = ['three', 'two'].flatMap((part) =>
    (part === 'three' ? ['python3', 'python'] : ['python']).map((name) => join(part, name)),
  );
  for (const name of [...names, join('venv', ofEnvironment)]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), '');
    chmodSync(join(folder, name), 0o755);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

const within = (...names: string[]) => join(folder, ...names);

test('the one that is named, then that of the variable, of the environment, of the path', () => {
  const three = { PATH: within('three') };
  const active = { ...three, VIRTUAL_ENV: within('venv') };
  const all = { ...active, PARANOIA_PYTHON: within('two', 'python') };
  expect(findPython('x.py', 'python', all)).toBe(within('three', 'python'));
  expect(findPython('x.py', undefined, all)).toBe(within('two', 'python'));
  expect(findPython('x.py', undefined, active)).toBe(within('venv', ofEnvironment));
  expect(findPython('x.py', undefined, { ...three, VIRTUAL_ENV: within('gone') })).toBe(
    within('three', 'python3'),
  );
  expect(findPython('x.py', undefined, { PATH: within('two') })).toBe(within('two', 'python'));
});

test('a missing one is told with what named it', () => {
  expect(() => findPython('x.py', '/no/python', {})).toThrow(
    'No Python was found to run x.py: /no/python, given by --python, does not exist. Name one with --python or PARANOIA_PYTHON.',
  );
  expect(() => findPython('x.py', undefined, { PARANOIA_PYTHON: 'nope', PATH: folder })).toThrow(
    'nope, given by PARANOIA_PYTHON, does not exist',
  );
  expect(() => findPython('x.py', undefined, {})).toThrow('neither python3 nor python is in PATH');
});
