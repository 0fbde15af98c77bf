import { expect, test } from 'vitest';
import { wgslHeader } from './wgsl-header.ts';

test('lines of comment tell how a shader is run', () => {
  const header = wgslHeader(`
// A kernel of somebody's.
// tile: 64x32
// precision: f16
  // workgroups: n/64 m*k/32 2
// entry: product
// bindings: a=1 b=0 c=4 sizes=2
// entry: another
code // tile: 1x1`);
  expect(header.tile).toEqual({ rows: 64, cols: 32 });
  expect(header.precision).toBe('f16');
  expect(header.entry).toBe('product');
  expect(header.bindings).toEqual({ a: 1, b: 0, c: 4, sizes: 2 });
  expect(header.workgroups?.({ m: 3, k: 11, n: 65 })).toEqual([2, 2, 2]);
  expect(header.wrong).toBeUndefined();
});

test.each([
  ['// tile: large', 'says "tile: large", which is to be like "tile: 64x32"'],
  ['// workgroups: n/0', 'says "workgroups: n/0", which is to be like "workgroups: n/64 m/32"'],
  [
    '// workgroups: process.exit()',
    'says "workgroups: process.exit()", which is to be like "workgroups: n/64 m/32"',
  ],
  [
    '// bindings: a=0 b=0 c=1',
    'says "bindings: a=0 b=0 c=1", which is to be like "bindings: a=0 b=1 c=2 sizes=3"',
  ],
])('%s cannot be read', (line, wrong) => {
  expect(wgslHeader(line).wrong).toBe(wrong);
});
