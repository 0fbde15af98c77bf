import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDefinitions } from './find-definitions.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'defined-in-'));
  writeFileSync(
    join(folder, 'paranoia.config.ts'),
    `// mine and others\nexport default {\n  kernels: [\n    { name: 'mine', multiply },\n    "strassen",\n    ':tiled',\n  ],\n};\n`,
  );
  writeFileSync(
    join(folder, 'k.py'),
    'import numpy\n# matmul2, matmul\n\ndef matmul(a, b):\n    return a @ b\n',
  );
  writeFileSync(join(folder, 'lib.so'), '\u007fELF\0sgemm_\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

const at = (file: string, line?: number) => ({
  file: join(folder, file),
  ...(line === undefined ? {} : { line }),
});
const origin = (file: string, symbol?: string) => ({
  ...{ name: `${file}#${symbol}`, file, path: join(folder, file), ways: {} },
  ...(symbol === undefined ? {} : { symbol }),
});

test.each([
  ['mine', 4],
  ['strassen:register', 5],
  ['winograd:tiled', 6],
  ['other', undefined],
  ['min.*', undefined],
])('%s is on line %s of the config', (kernel, line) => {
  const config = join(folder, 'paranoia.config.ts');
  expect(findDefinitions(config, [])(kernel)).toEqual(at('paranoia.config.ts', line));
});

test('what a file holds is where it is defined, not where it is mentioned', () => {
  const files = [origin('k.py', 'matmul'), origin('lib.so', 'sgemm_'), origin('k.py', 'none')];
  const definedAt = findDefinitions(undefined, files);
  expect(definedAt('k.py#matmul')).toEqual(at('k.py', 4));
  expect(definedAt('k.py#none')).toEqual(at('k.py'));
  expect(definedAt('lib.so#sgemm_')).toEqual(at('lib.so'));
});

test('a kernel that is named for its file is found there', () => {
  const file = join(folder, 'k.py');
  expect(findDefinitions(undefined, [])(`${file}#matmul`)).toEqual(at('k.py', 4));
  expect(findDefinitions(undefined, [])(`${file}x.py#matmul`)).toBe(undefined);
});

test('without config and file nothing is known', () => {
  expect(findDefinitions(undefined, [])('strassen:naive')).toBe(undefined);
  expect(findDefinitions(join(folder, 'gone.ts'), [])('mine')).toEqual(at('gone.ts'));
});
