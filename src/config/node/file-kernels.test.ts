import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtinCaseItems } from '../../kernels/case-items.ts';
import { fileKernel, fileWays, isFileReference, withFileKernels } from './file-kernels.ts';
import { loadConfig } from './load.ts';

const FUNCTION = 'export const f = (a, b, { m, n }) => new Float32Array(m * n);\n';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'file-kernels-'));
  mkdirSync(join(folder, 'a b'));
  for (const file of ['one.mjs', "a b/it's.mjs"]) writeFileSync(join(folder, file), FUNCTION);
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  'a.js',
  'a.mts#f',
  './a/b.py#f',
  'c.wgsl',
  'lib.so#sgemm_',
  '/usr/lib/libx.so.0.3#f',
  'x.dylib#f',
  'x.dll#f',
  'a#b.ts#f',
])('%s names a file', (text) => expect(isFileReference(text)).toBe(true));

test.each(['strassen', 'tfjs:wasm', ':tiled', 'gpu.js:cpu', 'a.txt#f', 'a.sol'])('%s does not', (text) =>
  expect(isFileReference(text)).toBe(false),
);

test('a kernel is named for its path from here, as far as names go', async () => {
  const nameOf = async (text: string, from = folder) => (await fileKernel(text, from, {})).kernel.name;
  expect(await nameOf('one.mjs#f')).toBe('one.mjs#f');
  expect(await nameOf('./a b/../one.mjs')).toBe('one.mjs');
  expect(await nameOf("a b/it's.mjs#f")).toBe('a_b/it_s.mjs#f');
  expect(await nameOf('../one.mjs#f', join(folder, 'a b'))).toBe('one.mjs#f');
});

test.each(['strassen', 'one.mjs#', 'x.txt', '<b>#f', ''])('"%s" is no file of kernels', async (text) => {
  await expect(fileKernel(text, folder, {})).rejects.toThrow(
    `"${text}" is no kernel file. Examples: matmul.ts#matmul,`,
  );
});

test('a config names kernels by files beside it, and other names stay', async () => {
  writeFileSync(
    join(folder, 'paranoia.config.mjs'),
    `export default { kernels: ['one.mjs#f', 'strassen'] };`,
  );
  const { config, files } = await loadConfig({ cwd: join(folder, 'a b') });
  expect(config.kernels).toEqual([{ name: 'one.mjs#f', multiply: expect.any(Function) }, 'strassen']);
  expect(files).toMatchObject([{ name: 'one.mjs#f', path: join(folder, 'one.mjs'), symbol: 'f' }]);
  const given = { kernels: ['gpu.js'] };
  const untouched = await withFileKernels(given, {
    ...{ folder, ways: {}, known: ['gpu.js'], items: builtinCaseItems },
  });
  expect(untouched.config).toEqual(given);
});

test('flags say how files are read', () => {
  expect(fileWays({ python: 'p', convention: 'cblas', precisions: ['f64'] })).toEqual({
    ...{ python: 'p', device: undefined, convention: 'cblas', precision: 'f64' },
  });
  expect(fileWays({ precisions: ['f32', 'f64'] }).precision).toBe(undefined);
});
