import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { itWhole } from '../../src/base/in-short.testing.ts';
import { run, tarball } from '../support/packed.ts';

/** The package, as npm publishes it. */
const root = join(import.meta.dirname, '../..');
const tool = (path: string, ...args: readonly string[]) =>
  run(root, [join(root, 'node_modules', path), ...args]);

it('has every file that it exports', () => {
  expect(tool('publint/src/cli.js', '--strict', tarball())).toContain('All good!');
});

it('brings tables of algorithms, and nothing of the laboratory', () => {
  const own = join(inject('packed'), 'node_modules/gemm-paranoia');
  const command = (...words: readonly string[]) =>
    run(inject('packed'), [join(own, 'dist/cli/main.js'), ...words]);
  expect(readdirSync(join(own, 'fixtures'))).toEqual(['algorithms']);
  expect(command('describe', '--algorithm', 'smirnov-3x3x6', '--levels', '1', '--size', '18')).toContain(
    'smirnov',
  );
  expect(existsSync(join(own, 'lab'))).toBe(false);
  expect(() => command('selftest', '--history')).toThrow('`npm run lab -- history` in a checkout');
});

it('resolves under every way of TypeScript to find modules', () => {
  expect(tool('@arethetypeswrong/cli/dist/index.js', tarball(), '--profile', 'esm-only')).toContain('🟢');
});

const libraries = [[[]], [['--lib', 'es2023,dom']]];

it.each(libraries)('compiles in a strict project, %j', (more) => {
  expect(tool('typescript/bin/tsc', '-p', 'fixtures/consumer', ...more)).toBe('');
});

itWhole.each(libraries)('compiles with TypeScript 5.9 from the registry, too, %j', (more) => {
  const words = ['-y', '-p', 'typescript@5.9.3', 'tsc', '-p', 'fixtures/consumer', ...more];
  expect(execFileSync('npx', words, { cwd: root, encoding: 'utf8', stdio: 'pipe' })).toBe('');
});
