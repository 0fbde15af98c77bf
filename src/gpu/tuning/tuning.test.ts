import { expect, test } from 'vitest';
import { findLeaf, leafOfSums, leaves } from '../wgsl/leaves/leaves.ts';
import { builtInTuning } from './tables.ts';
import { OPERATIONS_AT_ONCE, operationsAtOnce, type Tuning } from './tuning.ts';

const tuning: Tuning = {
  because: 'a test',
  rates: [
    { size: 128, teraflops: { 'register-8x16': 2, 'register-64x64': 1, gone: 9 } },
    { size: 1024, teraflops: { 'register-8x16': 1, 'register-64x64': 4 } },
  ],
};
const named = (m: number, n: number, by?: Tuning) => findLeaf('register', { m, k: 64, n }, by).name;

test('register is the kernel that is fastest at the nearest size', () => {
  expect(named(128, 128, tuning)).toBe('register-8x16');
  expect(named(600, 600, tuning)).toBe('register-64x64');
  expect(findLeaf('tiled', { m: 64, k: 64, n: 64 }, tuning).name).toBe('tiled-16');
});

test('blocks that a product would waste count as slow', () => {
  expect(named(8, 32_000, tuning)).toBe('register-8x16');
});

test('a tuning that knows none of the kernels changes nothing', () => {
  const rates = [{ size: 64, teraflops: { gone: 1 } }];
  expect(named(512, 512, { because: '', rates })).toBe(named(512, 512));
});

test('portions are as large as a kernel was measured fast, and small where nothing is known', () => {
  const leaf = findLeaf('register-64x64', { m: 1, k: 1, n: 1 });
  expect(operationsAtOnce(tuning, leaf)).toBe(1e12);
  expect(operationsAtOnce({ ...tuning, scale: 1e-9 }, leaf)).toBe(OPERATIONS_AT_ONCE);
  expect(operationsAtOnce(tuning, findLeaf('naive', { m: 1, k: 1, n: 1 }))).toBe(OPERATIONS_AT_ONCE);
  expect(operationsAtOnce(undefined, leaf)).toBe(OPERATIONS_AT_ONCE);
});

test('tables name kernels that there are', () => {
  const known = leaves.map(({ name }) => name);
  const limits = { maxComputeInvocationsPerWorkgroup: 1024, maxComputeWorkgroupStorageSize: 49152 };
  const h200 = builtInTuning({ kind: 'hardware', vendor: 'nvidia', name: 'NVIDIA H200' }, { limits });
  const other = builtInTuning(
    { kind: 'hardware', vendor: 'nvidia', name: 'NVIDIA GeForce MX450' },
    { limits },
  );
  expect(known).toEqual(
    expect.arrayContaining(h200?.rates.flatMap(({ teraflops }) => Object.keys(teraflops)) ?? []),
  );
  expect(h200?.because).toBe('the table for the H200');
  expect(other?.scale).toBeLessThan(0.1);
  expect(builtInTuning({ kind: 'hardware', vendor: 'amd', name: 'Radeon' }, { limits })).toBeUndefined();
  const chosen = (adapter: string, subgroup?: number) => {
    const found = builtInTuning({ kind: 'software', vendor: '', name: adapter }, { limits, subgroup });
    return [64, 256, 512].map((size) => named(size, size, found));
  };
  expect(chosen('SwiftShader', 4)).toEqual(['register-64x64', 'swap4-32x32', 'swap4-32x32']);
  expect(chosen('llvmpipe (LLVM)', 8)).toEqual(['register-64x64', 'broadcast8-16x32', 'broadcast8-32x32']);
  // A leaf kernel that the device cannot run is never chosen.
  expect(chosen('SwiftShader')).toEqual(['register-64x64', 'register-64x64', 'register-64x64-16x16']);
});

test('fused products take the block shape that is named for large ones, else the fastest small one', () => {
  const of = (n: number, by?: Tuning) => leafOfSums({ m: n, k: 64, n }, by)?.name;
  const sums = { from: 512, leaf: 'staged-128x64-8x8-blocks' };
  expect([of(256, { ...tuning, sums }), of(512, { ...tuning, sums })]).toEqual(['register-8x16', sums.leaf]);
  const rates = [{ size: 512, teraflops: { 'staged-128x256-8x8-columns': 9, 'register-64x64': 1 } }];
  expect([named(512, 512, { ...tuning, rates }), of(512, { ...tuning, rates })]).toEqual([
    'staged-128x256-8x8-columns',
    'register-64x64',
  ]);
  expect(of(512)).toBeUndefined();
});
