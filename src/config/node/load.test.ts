import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CONFIG_NAMES, findConfig } from './find-config.ts';
import { loadConfig } from './load.ts';
import { builtinNodeItems } from './node-items.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'load-config-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

it.each(CONFIG_NAMES)('loads %s from a folder above', async (name) => {
  const types = name.endsWith('ts') ? ' satisfies { seed: number }' : '';
  const path = put(
    name,
    `const seed: number = 5;\nexport default { seed }${types};\n`.replace(types ? '' : ': number', ''),
  );
  const below = join(folder, 'a/b');
  mkdirSync(below, { recursive: true });
  expect(await loadConfig({ cwd: below })).toEqual({ config: { seed: 5 }, items: builtinNodeItems, path });
});

it('takes the nearest, sees changes, and needs none', async () => {
  put('paranoia.config.ts', 'export default { seed: 1 };');
  const below = join(folder, 'a');
  mkdirSync(below);
  writeFileSync(join(below, 'paranoia.config.mjs'), 'export default { seed: 2 };');
  expect((await loadConfig({ cwd: below })).config).toEqual({ seed: 2 });
  expect((await loadConfig({ cwd: folder })).config).toEqual({ seed: 1 });
  put('paranoia.config.ts', 'export default { seed: 3 };');
  expect((await loadConfig({ cwd: folder })).config).toEqual({ seed: 3 });
  rmSync(join(folder, 'paranoia.config.ts'));
  expect(findConfig(folder)).toBe(undefined);
  expect(await loadConfig({ cwd: folder })).toEqual({ config: {}, items: builtinNodeItems });
});

it('takes the file it is given, from where the user is, with what it imports', async () => {
  put('sizes.ts', 'export const sizes: number[] = [64];');
  put('my.ts', "import { sizes } from './sizes.ts';\nexport default await Promise.resolve({ sizes });");
  expect((await loadConfig({ path: 'my.ts', cwd: folder })).config).toEqual({ sizes: [64] });
});

it('takes what CommonJS exports', async () => {
  const path = put('paranoia.config.js', 'module.exports = { seed: 4 };');
  expect((await loadConfig({ path })).config).toEqual({ seed: 4 });
});

it.each([
  ['a config that throws', 'throw new Error("no\\nluck");', 'loaded: no.'],
  ['one that throws no error', 'throw undefined;', 'it throws undefined.'],
  ['a syntax error', 'export default {\n  seed: ,\n};', 'loaded: ParseError: Unexpected token, line 2.'],
  ['an import that is not there', 'import "./nowhere.ts";\nexport default {};', 'nowhere.ts'],
  ['no default export', 'export const config = { seed: 1 };', 'it has no default export'],
  ['an empty file', '', 'it has no default export'],
])('says what is wrong with %s', async (_, text, why) => {
  const path = put('paranoia.config.ts', text);
  const error = await loadConfig({ cwd: folder }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'ParanoiaError', code: 'config-unreadable', exitCode: 2 });
  const { message, cause } = error as Error;
  expect(message).toContain(`The config ${path} cannot be loaded: `);
  expect(message).toContain(why);
  expect(message).not.toContain('\n');
  if (text.startsWith('throw new')) expect(cause).toMatchObject({ message: 'no\nluck' });
});

it('says what is wrong with the path', async () => {
  await expect(loadConfig({ path: 'none.ts', cwd: folder })).rejects.toThrow(
    'none.ts cannot be loaded: it does not exist.',
  );
  await expect(loadConfig({ path: '.', cwd: folder })).rejects.toThrow('it is a folder.');
});

it('names the wrong option and the file', async () => {
  const path = put('paranoia.config.ts', 'export default { sizes: [1, 2, -3] };');
  await expect(loadConfig({ cwd: folder })).rejects.toThrow(
    `${path}: sizes[2]: must be a whole number from 0 to 2147483647, but is -3.`,
  );
});
