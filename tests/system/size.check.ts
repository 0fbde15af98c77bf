import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type OutputChunk, rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleBrowser } from '../../config/bundle-browser.ts';

const root = join(import.meta.dirname, '../..');

/** The most bytes that importing `gate` loads before the first case, with Brotli as page servers use it. */
const MOST = 150_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'size-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/gemm-paranoia'), 'junction');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Bundles a script as a user's bundler does by default. */
async function bundled(script: string): Promise<OutputChunk[]> {
  const input = join(folder, 'page.js');
  writeFileSync(input, script);
  const bundle = await rolldown({ input, platform: 'browser', cwd: folder });
  const { output } = await bundle.generate({ minify: true });
  await bundle.close();
  return output.filter((one) => one.type === 'chunk');
}

/** The chunks that load with an entry. */
function loadedWith(entry: OutputChunk, chunks: readonly OutputChunk[]): OutputChunk[] {
  const wanted = [entry];
  for (const { imports } of wanted)
    for (const chunk of chunks)
      if (imports.includes(chunk.fileName) && !wanted.includes(chunk)) wanted.push(chunk);
  return wanted;
}

/** The largest modules of the file that every gate loads, for the message about its size. */
async function largest(): Promise<string> {
  const chunks = await bundleBrowser(join(folder, 'browser'));
  const { modules } = chunks.find(({ name }) => name === 'core') as OutputChunk;
  return Object.entries(modules)
    .map(([id, { code }]) => [id.slice(root.length + 1), gzipSync(code ?? '').length] as const)
    .sort(([, one], [, other]) => other - one)
    .slice(0, 20)
    .map(([id, size]) => `${size} ${id}`)
    .join('\n');
}

it('loads little before the first case', async () => {
  const chunks = await bundled("import { gate } from 'gemm-paranoia';\nglobalThis.gate = gate;\n");
  const [entry] = chunks;
  const code = loadedWith(entry, chunks).map((chunk) => chunk.code);
  const size = code.reduce((sum, text) => sum + brotliCompressSync(text).length, 0);
  expect(size, size > MOST ? await largest() : '').toBeLessThanOrEqual(MOST);
  expect(size).toBeGreaterThan(MOST / 10);
});

it('is one file where a bundler cannot split it', async () => {
  const input = join(folder, 'page.js');
  writeFileSync(input, "export { gate } from 'gemm-paranoia';\n");
  const bundle = await rolldown({
    input,
    platform: 'neutral',
    cwd: folder,
    resolve: { conditionNames: ['browser'] },
  });
  const file = join(folder, 'whole.mjs');
  await bundle.write({ file, codeSplitting: false, minify: true });
  await bundle.close();
  const { gate } = await import(file);
  const multiply = (a: Float32Array, b: Float32Array, { m, k, n }: Record<'m' | 'k' | 'n', number>) =>
    Float32Array.from({ length: m * n }, (_, at) => {
      let sum = 0;
      for (let p = 0; p < k; p++)
        sum = Math.fround(sum + Math.fround(a[Math.floor(at / n) * k + p] * b[p * n + (at % n)]));
      return sum;
    });
  const { verdict, cases } = await gate({
    kernels: [{ name: 'mine', multiply }],
    sizes: [1, 17],
    replicates: 1,
  });
  expect([verdict, cases.length > 5]).toEqual(['pass', true]);
});
