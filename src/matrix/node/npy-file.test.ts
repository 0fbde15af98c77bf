import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { matrix } from '../dense.ts';
import { readNpy, requireWritable, writeNpy } from './npy-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'npy-file-'));
});
afterAll(() => rm(folder, { recursive: true }));

const x = matrix(2, 2, Float32Array.of(1, 2, 3, 4));

it('reads what it wrote, over an older file, and leaves nothing else', async () => {
  const path = join(folder, 'x.npy');
  await writeFile(path, 'old');
  await requireWritable(path);
  expect(await readFile(path, 'utf8')).toBe('old');
  await writeNpy(path, x);
  expect(await readNpy(path)).toEqual(x);
  expect(await readdir(folder)).toEqual(['x.npy']);
});

it('says what is missing or in the way when reading', async () => {
  await expect(readNpy(join(folder, 'none.npy'))).rejects.toMatchObject({
    code: 'npy-unreadable',
    exitCode: 2,
    message: expect.stringContaining('none.npy cannot be read: it does not exist.'),
  });
  await expect(readNpy(folder)).rejects.toThrow('it is a folder');
});

it('measures a file by its shape before it reads more than its header', async () => {
  const path = join(folder, 'large.npy');
  await writeNpy(path, x);
  await truncate(path, 2 ** 42);
  await expect(readNpy(path)).rejects.toMatchObject({ code: 'npy-wrong-length' });
  await rm(path);
  if (process.platform !== 'win32')
    await expect(readNpy('/dev/zero')).rejects.toThrow('/dev/zero cannot be read: it is a device.');
});

it.each([
  ['a folder that is not there', 'none/x.npy', 'its folder does not exist'],
  ['a folder in its place', '.', 'it is a folder'],
  ['a file for a folder', 'x.npy/y.npy', 'a part of its path is not a folder'],
])('refuses to write to %s', async (_, name, why) => {
  const path = join(folder, name);
  await writeNpy(join(folder, 'x.npy'), x);
  for (const attempt of [() => requireWritable(path), () => writeNpy(path, x)]) {
    await expect(attempt()).rejects.toMatchObject({ code: 'npy-unwritable', exitCode: 2 });
  }
  await expect(requireWritable(path)).rejects.toThrow(why);
  expect(await readdir(folder)).toEqual(['x.npy']);
});
