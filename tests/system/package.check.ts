import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run, tarball } from '../support/packed.ts';

/** The package as npm publishes it. */
const root = join(import.meta.dirname, '../..');
const tool = (path: string, ...args: readonly string[]) =>
  run(root, [join(root, 'node_modules', path), ...args]);

it('has every file that it exports', () => {
  expect(tool('publint/src/cli.js', '--strict', tarball())).toContain('All good!');
});

it('resolves under every way of TypeScript to find modules', () => {
  expect(tool('@arethetypeswrong/cli/dist/index.js', tarball(), '--profile', 'esm-only')).toContain('🟢');
});

it.each([[[]], [['--lib', 'es2023,dom']]])('compiles in a strict project, %j', (more) => {
  expect(tool('typescript/bin/tsc', '-p', 'fixtures/consumer', ...more)).toBe('');
});
