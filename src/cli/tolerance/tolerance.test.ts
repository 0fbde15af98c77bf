import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { npyBytes } from '../../tensors/files.testing.ts';
import { runHere } from '../in-process.testing.ts';

let folder: string;
/** Numbers of both signs without a pattern. */
const entries = (count: number) =>
  Float32Array.from({ length: count }, (_, at) => (Math.imul(at + 1, 2654435761) >>> 8) / 2 ** 23 - 1);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tolerance-'));
  writeFileSync(join(folder, 'a.npy'), npyBytes('<f4', [100, 30], entries(3000)));
  writeFileSync(join(folder, 'b.npy'), npyBytes('<f4', [30, 70], entries(2100)));
  writeFileSync(join(folder, 'c.npy'), npyBytes('<f4', [29, 70], entries(2030)));
});
afterAll(() => rmSync(folder, { recursive: true }));

const tolerance = (text: string) => runHere(folder, ['tolerance', ...text.split(' ')]);

it('says what a correct kernel may err, and which tolerances fit', async () => {
  const { code, stdout } = await tolerance('--k 64');
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^Error of a correct kernel: algorithm classical, f32, k = 64, input uniform, 4096 entries of D$/m,
  );
  expect(stdout).toMatch(/^smallest that suffices +0 +1\.80e-5 +[\d.]+ +none$/m);
  expect(stdout).toMatch(/^numpy\.allclose, torch\.allclose .* 3\.15 +[\d.]+ %$/m);
});

it('reads the operands of the user, of which it takes a sample', async () => {
  const { code, stdout } = await tolerance('--a a.npy --b b.npy --json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    k: 30,
    precision: 'f32',
    algorithm: 'classical',
    entries: 4096,
  });
});

it('follows precision, claims and sigmas', async () => {
  const atol = async (text: string): Promise<number> =>
    JSON.parse((await tolerance(`--k 200 --json ${text}`)).stdout).fitting.atol;
  const usual = await atol('--sigmas 6');
  expect(await atol('--sigmas 3')).toBeCloseTo(usual / 2, 8);
  expect(await atol('--precision f16')).toBeGreaterThan(1000 * usual);
  expect(await atol('--claims {"order":"pairwise"}')).toBeLessThan(usual);
  expect(await atol('--algorithm strassen:1')).toBeGreaterThan(usual);
});

it.each([
  ['--precision f32', /^--k needs .* or else --a and --b/],
  ['--k 3 --a a.npy --b b.npy', /--k/],
  ['--a a.npy', /--b/],
  ['--a a.npy --b c.npy', /A is 100×30 and B is 29×70; A must have as many columns as B has rows/],
  ['--k 0', /--k/],
])('refuses %s', async (text, message) => {
  const { code, stderr } = await tolerance(text);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});
