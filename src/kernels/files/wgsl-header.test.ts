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

test('lines of comment say what a kernel claims and accepts: words, numbers, booleans and lists', () => {
  const { said } = wgslHeader(`
// claims.order: split-k
// claims.parts: 8
// claims.order: any
// claims.cut.tile: 3.5e1
// claims.deterministic: false
// claims.recursion.reversed: rows, inner
// claims.arithmetic: fast
// claims.arithmetic.accumulator.bits: 26
// claims.constructor.name: x
// claims.__proto__.levels: 3
// accepts.sizes: m=1..64;k=1,2
// accepts.empty: true
// claims: nothing
// a word on claims.order: none`);
  expect(JSON.parse(JSON.stringify(said))).toEqual({
    claims: {
      ...{ order: 'split-k', parts: 8, cut: { tile: 35 }, deterministic: false, arithmetic: 'fast' },
      ...{ recursion: { reversed: ['rows', 'inner'] }, constructor: { name: 'x' } },
      ['__proto__']: { levels: 3 },
    },
    accepts: { sizes: 'm=1..64;k=1,2', empty: true },
  });
  expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('levels');
  expect({ ...wgslHeader('').said }).toEqual({});
});

test('a header of whoever is not trusted is read at once', () => {
  const lines = Array.from({ length: 50_000 }, (_, at) => `// claims.x${at}: ${at}\n`).join('');
  expect(Object.keys(wgslHeader(lines).said.claims ?? {})).toHaveLength(50_000);
  expect(Object.keys(wgslHeader(`// claims${'.a'.repeat(100_000)}: 1`).said)).toEqual([]);
  expect(wgslHeader(`// accepts.sizes: m=${'1,'.repeat(1000)}1`).wrong).toBe(
    'has more than 300 characters in the line "accepts.sizes"',
  );
});

test.each([
  ['// tile: large', 'has the line "tile: large", expected one like "tile: 64x32"'],
  ['// workgroups: n/0', 'has the line "workgroups: n/0", expected one like "workgroups: n/64 m/32"'],
  [
    '// workgroups: process.exit()',
    'has the line "workgroups: process.exit()", expected one like "workgroups: n/64 m/32"',
  ],
  [
    '// bindings: a=0 b=0 c=1',
    'has the line "bindings: a=0 b=0 c=1", expected one like "bindings: a=0 b=1 c=2 sizes=3"',
  ],
])('%s cannot be read', (line, wrong) => {
  expect(wgslHeader(line).wrong).toBe(wrong);
});
