import { closeSync, mkdtempSync, openSync, rmSync, truncateSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RealArray } from '../../src/matrix/dense.ts';
import { readNpy, writeNpy } from '../../src/matrix/node/npy-file.ts';
import { safetensorsBytes } from '../../src/tensors/files.testing.ts';
import { readTensor } from '../../src/tensors/node/read-tensor.ts';
import { lackOf, lacks } from '../support/needs.ts';

/** Files of more than 4 GiB, which no array of bytes holds. They are zeros, but for a few entries, and take no space on most disks. */

const SIZE = 32_768;
const BYTES = 4 * SIZE * SIZE;
/** Entries with numbers: the first and last of the file, and those at parts' ends. */
const PLANTED = [0, 2 ** 28 - 1, 2 ** 28, 2 ** 29, 2 ** 30 - SIZE, 2 ** 30 - 1];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'large-files-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, header: Uint8Array): string {
  const path = join(folder, name);
  const file = openSync(path, 'w');
  writeSync(file, header);
  for (const entry of PLANTED) {
    const position = header.length + 4 * entry;
    writeSync(file, new Uint8Array(Float32Array.of(entry + 1).buffer), 0, 4, position);
  }
  closeSync(file);
  truncateSync(path, header.length + BYTES);
  return path;
}

function expectPlanted(data: RealArray): void {
  expect(data).toHaveLength(SIZE * SIZE);
  for (const entry of PLANTED) expect(data[entry], `${entry}`).toBe(Math.fround(entry + 1));
  let others = 0;
  for (let e = 0; e < data.length; e++) if (data[e] !== 0) others++;
  expect(others).toBe(PLANTED.length);
}

function npyHeader(): Uint8Array {
  const text = `{'descr': '<f4', 'fortran_order': False, 'shape': (${SIZE}, ${SIZE}), }`.padEnd(117);
  return Uint8Array.of(0x93, ...new TextEncoder().encode(`NUMPY\x01\0\x76\0${text}\n`));
}

it('a .npy file is read as a tensor, and as a matrix, which can be written', async ({ skip }) => {
  if (lacks('memory')) return skip(lackOf('memory'));
  const path = write('x.npy', npyHeader());
  expectPlanted(readTensor(path).data);
  const matrix = await readNpy(path);
  expectPlanted(matrix.data);
  if (process.platform !== 'win32') await writeNpy('/dev/null', matrix);
});

it('a .safetensors file is read, and only the tensor that is named', ({ skip }) => {
  if (lacks('memory')) return skip(lackOf('memory'));
  const header = {
    x: { dtype: 'F32', shape: [SIZE, SIZE], data_offsets: [0, BYTES] },
    last: { dtype: 'F32', shape: [1, 1], data_offsets: [BYTES - 4, BYTES] },
  };
  const path = write('x.safetensors', safetensorsBytes(header, new Uint8Array(0)));
  expectPlanted(readTensor(`${path}#x`).data);
  expect([...readTensor(`${path}#last`).data]).toEqual([2 ** 30]);
});
