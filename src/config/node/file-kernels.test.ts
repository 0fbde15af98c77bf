import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, test, vi } from 'vitest';
import { builtinCaseItems } from '../../kernels/case-items.ts';
import { checkKernel, whyNotComputed } from '../../kernels/check-kernel.ts';
import type { UserKernel } from '../../kernels/user-kernel.ts';
import { fileKernel, fileWays, isFileReference, withFileKernels, withLimitedHooks } from './file-kernels.ts';
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

let asked = 0;
const endless = (): never => {
  asked++;
  for (;;);
};
const limited = (more: Partial<UserKernel>) =>
  withLimitedHooks({ name: 'loop', multiply: () => new Float32Array(), ...more } as UserKernel, 0.05);
const shape = { m: 2, k: 3, n: 4 };

it.each<[string, Partial<UserKernel>]>([
  ['accepts', { accepts: endless }],
  ['accepts.sizes', { accepts: { sizes: endless } }],
])('a kernel whose %s never returns is refused in a sentence that names it', (hook, more) => {
  const kernel = checkKernel(limited(more));
  const sentence = `"loop" cannot be used: its ${hook} did not return for 2×3×4 within 0.05 s. It must return at once.`;
  expect(() => whyNotComputed(kernel, shape)).toThrow(sentence);
  // The next shape fails at once.
  const before = asked;
  expect(() => whyNotComputed(kernel, { m: 1, k: 1, n: 1 })).toThrow(sentence);
  expect(asked).toBe(before);
});

it('so is one whose claims never return, where it is loaded', () => {
  expect(() => checkKernel(limited({ claims: { levels: endless } }))).toThrow(
    'its claims.levels did not return for 64×64×64',
  );
});

it('others answer as before, once a shape, also of a class', () => {
  const sizes = vi.fn(({ k }: { k: number }) => (k === 3 ? 'k is 3' : true));
  class Own {
    name = 'own';
    accepts = { sizes, narrow: true };
    multiply() {
      return new Float32Array();
    }
  }
  const own: UserKernel = new Own();
  const kernel = withLimitedHooks(own);
  expect([
    whyNotComputed(kernel, shape),
    whyNotComputed(kernel, shape),
    whyNotComputed(kernel, { ...shape, k: 4 }),
  ]).toEqual(['k is 3', 'k is 3', undefined]);
  expect(sizes).toHaveBeenCalledTimes(2);
  expect('multiply' in kernel).toBe(true);
  expect(withLimitedHooks(5)).toBe(5);
  const thrown = withLimitedHooks({
    ...own,
    accepts: () => {
      throw new Error('no');
    },
  });
  expect(() => whyNotComputed(thrown, shape)).toThrow('its accepts throws no');
});
