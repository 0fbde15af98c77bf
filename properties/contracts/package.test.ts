import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');

interface Package {
  readonly files: readonly string[];
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}
const { files, exports } = JSON.parse(read('package.json')) as Package;

/** References to folders of which the package ships parts, beside the build. */
const SHIPPED =
  /'(?:\.\.\/)+((?:share|fixtures)\/[^'`$]*)['`$]|`(?:\.\.\/)+((?:share|fixtures)\/[^'`$]*)[`$]/g;

it('has what its code reads beside itself', () => {
  const code = readdirSync(new URL('src/', root), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.(?:test|testing))\.ts$/.test(file),
  );
  const named = code.flatMap((file) =>
    [...read(`src/${file}`).matchAll(SHIPPED)].map(([, quoted, templated]) => quoted ?? templated),
  );
  expect(named.length).toBeGreaterThan(5);
  const isPacked = (path: string) =>
    files.some((entry) => path === entry || path.startsWith(`${entry}/`) || `${entry}/`.startsWith(path));
  expect(named.filter((path) => !isPacked(path))).toEqual([]);
});

it('has the version of the package for Python', () => {
  const [, version] = /^version = "(.*)"$/m.exec(read('python/pyproject.toml')) ?? [];
  expect(version).toBe((JSON.parse(read('package.json')) as { version: string }).version);
});

it('has all that it says to have', () => {
  const said = files.filter((entry) => !entry.startsWith('!') && entry !== 'dist');
  expect(said.filter((entry) => !existsSync(new URL(entry, root)))).toEqual([]);
});

/** Returns the name by which a file is exported: its path without the folders of the build. */
const nameOf = (file: string) =>
  file
    .replace(/^\.\/((dist|share)\/)?(browser\/)?/, '')
    .replace(/\.(d\.ts|js)$/, '')
    .replace(/\/?index$/, '');

it.each(Object.entries(exports))('exports %s from the file of its name', (name, to) => {
  const targets = typeof to === 'string' ? [to] : Object.values(to);
  expect(targets.map(nameOf)).toEqual(targets.map(() => name.slice(2)));
});
