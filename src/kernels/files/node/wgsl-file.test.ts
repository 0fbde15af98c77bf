import { expect, test } from 'vitest';
import { plainGemm } from '../../../matrix/gemm.ts';
import { acceptsOf, checkKernel, whyNotComputed } from '../../check-kernel.ts';
import { inFolder } from './files.testing.ts';
import { wgslFile } from './wgsl-file.ts';

const put = inFolder();
const gemm = plainGemm({ m: 100, k: 7, n: 30 });

const buffer = (binding: number, name: string, access = 'read', type = 'f32') =>
  `@group(0) @binding(${binding}) var<storage, ${access}> ${name}: array<${type}>;\n`;
const ARRAYS = buffer(0, 'x') + buffer(1, 'y') + buffer(2, 'z', 'read_write');
const SIZES = '@group(0) @binding(3) var<uniform> sizes: vec4u;\n';
const MAIN = '@compute @workgroup_size(8, 4) fn main() { let row = id.y; }\n';

test('bindings, sizes and workgroups are those that the source tells', async () => {
  const { wgsl, precision } = await wgslFile(put('a.wgsl', ARRAYS + SIZES + MAIN));
  expect(wgsl).toMatchObject({ entryPoint: 'main', bindings: { a: 0, b: 1, c: 2, sizes: 3 } });
  expect(wgsl.workgroups(gemm)).toEqual([4, 25]);
  expect(precision).toBe('f32');
});

test('names go before places, overrides are sizes, and f16 is told by its arrays', async () => {
  const arrays =
    buffer(5, 'A', 'read', 'f16') + buffer(4, 'B', 'read', 'f16') + buffer(0, 'C', 'read_write', 'f16');
  const overrides = 'override M: u32; override K: u32; override N: u32;\n';
  const kernel = await wgslFile(put('b.wgsl', `enable f16;\n${overrides}${arrays}${MAIN}`));
  expect(kernel.wgsl.bindings).toEqual({ a: 5, b: 4, c: 0 });
  expect(kernel.precision).toBe('f16');
  expect((kernel.wgsl.constants as (asked: typeof gemm) => object)(gemm)).toEqual({ M: 100, K: 7, N: 30 });
});

test('a comment says the tile of a workgroup, and one dimension counts all entries', async () => {
  const tiled = await wgslFile(put('c.wgsl', `// tile: 64x16\n${ARRAYS}${SIZES}${MAIN}`));
  expect(tiled.wgsl.workgroups(gemm)).toEqual([2, 2]);
  const line = '@compute @workgroup_size(64) fn main() { z[id.x] = 0.0; }';
  const linear = await wgslFile(put('d.wgsl', ARRAYS + SIZES + line));
  expect(linear.wgsl.workgroups(gemm)).toEqual([47, 1]);
  const accepts = linear.accepts as (shape: typeof gemm) => unknown;
  expect(accepts(gemm)).toBe(true);
  expect(accepts({ ...gemm, m: 2 ** 21, n: 4 })).toMatch('more than 65535 workgroups');
});

test('a header says claims, and sizes beside those whose workgroups fit', async () => {
  const header = '// claims.order: sequential\n// accepts.sizes: m=1..64\n// accepts.narrow: true\n';
  const kernel = checkKernel(await wgslFile(put('said.wgsl', header + ARRAYS + SIZES + MAIN)));
  expect({ ...kernel.claims }).toEqual({ order: 'sequential' });
  expect(acceptsOf(kernel).narrow).toBe(true);
  expect(whyNotComputed(kernel, { m: 64, k: 7, n: 30 })).toBeUndefined();
  expect(whyNotComputed(kernel, { m: 65, k: 7, n: 30 })).toBe('it accepts only m=1..64');
  expect(whyNotComputed(kernel, { m: 1, k: 7, n: 2 ** 21 })).toMatch('more than 65535 workgroups');
});

test.each([
  [
    'alpha',
    `// accepts.alpha: true\n${ARRAYS}${SIZES}${MAIN}`,
    'accepts alpha, but a WGSL file gets only m, k and n.',
  ],
  ['no entry', ARRAYS + SIZES, 'has no @compute function.'],
  ['no sizes', ARRAYS + MAIN, 'cannot know the sizes: it has neither a uniform of m, k and n nor overrides'],
  [
    'two arrays',
    buffer(0, 'a') + SIZES + MAIN,
    'declares the storage arrays a and 1 uniform. A shader needs three arrays, A and B to read and C to write.',
  ],
  [
    'no arrays',
    SIZES + MAIN,
    'declares no storage arrays. A and B need arrays to read, C needs one to write.',
  ],
  [
    'another order',
    `struct S { m: u32, n: u32, k: u32 }\n${ARRAYS}${SIZES.replace('vec4u', 'S')}${MAIN}`,
    'has the order m, n, k in S, but its uniform holds m, k, n and 0. Put them in that order.',
  ],
  [
    'a size',
    ARRAYS + SIZES + MAIN.replace('8, 4', '2 * X'),
    'does not give the @workgroup_size of main in numbers',
  ],
])('%s is refused in a sentence', async (_, text, why) => {
  await expect(wgslFile(put('bad.wgsl', text))).rejects.toThrow(why);
});
