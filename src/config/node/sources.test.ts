import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { itWhole } from '../../base/in-short.testing.ts';
import { optionsOf } from './options-of.ts';
import { digestOfSources, type KernelSource } from './sources.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const FILES = {
  'paranoia.config.mjs': `
    import { multiply } from './lib/multiply.mjs';
    import shapes from './shapes.json' with { type: 'json' };
    import { createRequire } from 'node:module';
    const { scale } = createRequire(import.meta.url)('./scale.cjs');
    export default {
      sizes: shapes,
      kernels: [
        { name: 'mine', multiply },
        { name: 'ours', program: { command: ['python3', 'worker.py', '--fast'], mode: 'worker' } },
        { name: 'shader', wgsl: { source: 'fn main() {} // ' + scale, workgroups: () => [1, 1, 1] } },
      ],
    };`,
  'lib/multiply.mjs': `export { multiply } from './deep.ts';`,
  'lib/deep.ts': `export const multiply = (a: Float32Array) => a;`,
  'native.mjs': `export { f } from './lib/native-too.mjs'; export const later = () => import('./later.js');`,
  'lib/native-too.mjs': 'export const f = (a) => a;',
  'later.js': '1;',
  'shapes.json': '[4]',
  'scale.cjs': `exports.scale = require('./two.cjs');`,
  'two.cjs': 'module.exports = 2;',
  'worker.py': 'pass',
  'other.mjs': 'export const f = (a) => a;',
};

/** The sources of a project in a temporary folder, with some of its files changed. */
async function sourcesIn(changed: Partial<typeof FILES> = {}): Promise<KernelSource[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sources-'));
  folders.push(folder);
  for (const [name, text] of Object.entries({ ...FILES, ...changed })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const { sources } = await optionsOf({
    config: join(folder, 'paranoia.config.mjs'),
    files: [join(folder, 'native.mjs#f')],
  });
  return sources();
}

itWhole('are the files that a config loads and kernels name, wherever the project lies', async () => {
  const sources = await sourcesIn();
  const loaded = Object.keys(FILES).filter((name) => name !== 'other.mjs');
  expect(sources.map(({ name }) => name)).toEqual(
    [...loaded, 'options of native.mjs#f', 'wgsl of shader'].sort(),
  );
  expect(await sourcesIn()).toEqual(sources);
});

itWhole('are others where one of these files is edited, and the same where another one is', async () => {
  const digests = [digestOfSources('1', await sourcesIn({ 'other.mjs': '' }))];
  for (const [name, text] of Object.entries(FILES)) {
    const edited = name.endsWith('.json') ? '[5]' : `${text}${name.endsWith('.py') ? '#' : '//'} edited`;
    digests.push(digestOfSources('1', await sourcesIn({ [name]: edited })));
  }
  expect(new Set(digests).size).toBe(Object.keys(FILES).length);
  expect(digests[0]).toBe(digests.at(-1));
});

it('have another digest in another version', () => {
  expect(digestOfSources('1', [])).not.toBe(digestOfSources('2', []));
});
