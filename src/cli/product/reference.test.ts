import { link, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { itWhole } from '../../base/in-short.testing.ts';
import { matrix } from '../../matrix/dense.ts';
import { readNpy, writeNpy } from '../../matrix/node/npy-file.ts';
import { runCommand } from '../in-process.testing.ts';

let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reference-'));
  await writeNpy(at('a.npy'), matrix(2, 2, Float32Array.of(1, 2, 3, 4)));
  await writeNpy(at('b.npy'), matrix(2, 1, Float64Array.of(2 ** 53, 0.5)));
});
afterAll(() => rm(folder, { recursive: true }));

async function run(options: Readonly<Record<string, unknown>>): Promise<string> {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    const words = Object.entries(options).flatMap(([name, value]) =>
      value === undefined ? [] : value === true ? [`--${name}`] : [`--${name}`, String(value)],
    );
    expect(await runCommand(['reference', ...words])).toBe(0);
    return written.mock.calls.map(([text]) => text).join('');
  } finally {
    written.mockRestore();
  }
}

describe('reference', () => {
  it('writes the correctly rounded product and says how it is known', async () => {
    const text = await run({ a: at('a.npy'), b: at('b.npy'), out: at('c.npy') });
    expect(await readNpy(at('c.npy'))).toEqual(matrix(2, 1, Float64Array.of(2 ** 53, 3 * 2 ** 53)));
    expect(text.replaceAll(folder, '…')).toMatchInlineSnapshot(`
      "A  2×2 f32  …/a.npy
      B  2×1 f64  …/b.npy
      C  2×1 f64  …/c.npy

      Every entry of C is the exact inner product, rounded once to f64, to nearest, ties to even.
        entries                        2
        decided by exact sums          0
        decided by double-double sums  2
        decided by exact expansions    0
        decided by exact integers      0
        NaN or infinite operands       0
        beyond the largest f64         0
        error before rounding          none: every sum was exact
      "
    `);
  });

  it('writes alpha·A·B + beta·C, rounded once, and leaves the file of C', async () => {
    await writeNpy(at('before.npy'), matrix(2, 1, Float64Array.of(-(2 ** 53), 0.1)));
    const given = { a: at('a.npy'), b: at('b.npy'), c: at('before.npy'), out: at('scaled.npy') };
    const text = await run({ ...given, alpha: 1, beta: 1 });
    const { data } = await readNpy(at('scaled.npy'));
    // Rounding A·B first would leave 0 and lose the 0.1: both of its entries lie half-way between doubles.
    expect([...data]).toEqual([1, 3 * 2 ** 53 + 4]);
    expect(text).toContain('Every entry of D is the exact 1·A·B + 1·C, rounded once to f64');
    expect(text).toMatch(/^C {2}2×1 f64 {2}.*before\.npy\nD {2}2×1 f64 {2}.*scaled\.npy$/m);
    const onto = run({ ...given, beta: 1, out: at('before.npy') });
    await expect(onto).rejects.toMatchObject({ code: 'would-overwrite' });
    await expect(run({ ...given, c: undefined, beta: 1 })).rejects.toMatchObject({ code: 'missing-option' });
    await expect(run({ ...given, beta: 0 })).rejects.toMatchObject({ code: 'vain-option' });
    await expect(run({ ...given, c: at('a.npy'), beta: 1 })).rejects.toMatchObject({ code: 'shapes-differ' });
  });

  it.each(['a.npy', './a.npy', 'link.npy', 'hard.npy'])('does not write over an operand: %s', async (out) => {
    await symlink(at('a.npy'), at('link.npy')).catch(() => undefined);
    await link(at('a.npy'), at('hard.npy')).catch(() => undefined);
    const attempt = run({ a: at('a.npy'), b: at('b.npy'), out: `${folder}/${out}` });
    await expect(attempt).rejects.toMatchObject({ code: 'would-overwrite', exitCode: 2 });
    expect(await readNpy(at('a.npy'))).toEqual(matrix(2, 2, Float32Array.of(1, 2, 3, 4)));
  });

  it('prints JSON', async () => {
    const text = await run({ a: at('a.npy'), b: at('b.npy'), out: at('d.npy'), json: true });
    expect(JSON.parse(text)).toMatchObject({
      a: { rows: 2, cols: 2, format: 'f32' },
      b: { rows: 2, cols: 1, format: 'f64' },
      out: { file: at('d.npy'), rows: 2, cols: 1, format: 'f64' },
      certificate: { entries: 2, byDoubleDouble: 2, worstAbsolute: 0 },
    });
  });

  it.each([
    [
      'no left matrix',
      { b: 'b.npy', out: 'e.npy' },
      'missing-option',
      '--a needs the .npy file of the left matrix',
    ],
    ['shapes that differ', { a: 'b.npy', b: 'a.npy', out: 'e.npy' }, 'shapes-differ', 'A is 2×1'],
    [
      'no such folder',
      { a: 'a.npy', b: 'b.npy', out: 'none/e.npy' },
      'npy-unwritable',
      'its folder does not',
    ],
  ])('refuses %s and writes nothing', async (_, options, code, says) => {
    const before = await readdir(folder);
    const given = Object.fromEntries(Object.entries(options).map(([key, name]) => [key, at(name)]));
    await expect(run(given)).rejects.toMatchObject({
      code,
      exitCode: 2,
      message: expect.stringContaining(says),
    });
    expect(await readdir(folder)).toEqual(before);
  });

  itWhole('makes operands, computes on a GPU, and keeps the product only where it is told to', async () => {
    const made = { size: '9x12x7', seed: 3, input: 'uniform' };
    const onGpu = { ...made, on: 'gpu', adapter: 'software' };
    const before = await readdir(folder);
    const text = await run(onGpu);
    expect(text).toContain('A  9×12 f32  uniform, seed 3');
    expect(text).toMatch(/decided by exact integers +63\n/);
    expect(text).toMatch(/Computed on SwiftShader.* by dot4I8Packed: 4 slices of A, 4 of B, 1 part\./);
    expect(text).toContain('The CPU checked 63 of 63 entries: equal to the last bit.');
    expect(await readdir(folder)).toEqual(before);
    expect(await run(made)).toMatch(/Computed on the CPU .*G multiplications\/s\./);
    await run({ ...onGpu, out: at('gpu.npy') });
    await run({ ...made, out: at('cpu.npy') });
    expect(await readNpy(at('gpu.npy'))).toEqual(await readNpy(at('cpu.npy')));
  });

  it.each([
    [{ size: 4, a: 'a.npy' }, 'conflicting-options'],
    [{ size: -1 }, 'bad-number'],
    [{ size: 4, on: 'tpu' }, 'unknown-name'],
    [{ size: 4, on: 'cpu,gpu' }, 'unknown-name'],
    [{ size: 4, by: 'dot-plain' }, 'vain-option'],
    [{ size: 4, on: 'cpu', adapter: 'software' }, 'vain-option'],
    [{ on: 'gpu', input: 'uniform' }, 'vain-option'],
    [{ size: 4, on: 'gpu', adapter: 'software', by: 'matrix' }, 'unknown-name'],
  ])('refuses %j', async (options, code) => {
    await expect(run(options)).rejects.toMatchObject({ code, exitCode: 2 });
  });
});
