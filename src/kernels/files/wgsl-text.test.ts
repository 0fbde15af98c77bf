import { expect, test } from 'vitest';
import { wgslParts } from './wgsl-text.ts';

test('a source tells its entry points, buffers, overrides, structs and tile', () => {
  const parts = wgslParts(/* wgsl */ `
// tile: 64x32
override SIDE: u32 = 8; override m: u32;
const WIDE = 16u; /* @compute fn no() {} */
struct Sizes { m: u32, k : u32, n: u32 }
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@binding(0) @group(0) var<storage> a : array<f32>;
@group(0) @binding(3) var<uniform> sizes: Sizes;
fn helper() {}
@compute @workgroup_size(WIDE, SIDE, 1) fn one(@builtin(global_invocation_id) id: vec3u) { let row = id.y; }
@workgroup_size(64) @compute fn two() {}
@workgroup_size(2 * SIDE) @compute fn three() {}`);
  expect(parts.entryPoints).toEqual([
    { name: 'one', size: [16, 8] },
    { name: 'two', size: [64, 1] },
    { name: 'three', size: [undefined, 1] },
  ]);
  expect(parts.variables).toEqual([
    { name: 'c', binding: 2, space: 'storage', isWritten: true, type: 'array<f32>' },
    { name: 'a', binding: 0, space: 'storage', isWritten: false, type: 'array<f32>' },
    { name: 'sizes', binding: 3, space: 'uniform', isWritten: false, type: 'Sizes' },
  ]);
  expect(parts.overrides).toEqual(['SIDE', 'm']);
  expect(parts.fields('Sizes')).toEqual(['m', 'k', 'n']);
  expect(parts.fields('vec4u')).toEqual([]);
  expect(parts.header.tile).toEqual({ rows: 64, cols: 32 });
  expect(parts.readsY).toBe(true);
  expect(wgslParts('@compute @workgroup_size(1) fn main() { c[0] = v.x; }').readsY).toBe(false);
});

test('a text of many attributes is read at once', () => {
  // With backtracking over all divisions of the spaces, it would take longer than any test.
  expect(wgslParts(`${'@a '.repeat(500)}x`).entryPoints).toEqual([]);
});
