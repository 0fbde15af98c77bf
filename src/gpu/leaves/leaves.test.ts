import { afterAll, beforeAll, expect, test } from 'vitest';
import { classical } from '../../algorithms/classical.ts';
import { findPrecision } from '../../formats/precision.ts';
import { uniform } from '../../inputs/uniform.ts';
import { builtinKernel } from '../../kernel/builtin.ts';
import { mirrorKernel } from '../../kernel/mirror-kernel.ts';
import type { Shape } from '../../matrix/dense.ts';
import { compile } from '../../plan/compile.ts';
import { computationIn } from '../computation.ts';
import type { OpenDevice } from '../device.ts';
import { program } from '../dispatches.ts';
import { execute } from '../execute.ts';
import { executeMany, type Work } from '../execute-many.ts';
import { openNodeDevice } from '../node/open.ts';
import { broadcast } from './broadcast.ts';
import { exceeds, type Leaf } from './leaf.ts';
import { findLeaf, leaves } from './leaves.ts';
import { staged } from './staged.ts';
import { stagedBlocks } from './staged-blocks.ts';

let open: OpenDevice;
beforeAll(async () => {
  open = await openNodeDevice({ adapter: 'software' });
});
afterAll(() => open.close());

async function product(leaf: Leaf, shape: Shape) {
  const { a, b } = uniform.generate({ ...shape, seed: 2 });
  const plan = compile({ algorithm: classical, shape, tile: leaf.tile });
  const mirror = await mirrorKernel('classical', open.arithmetic).multiply(a, b, plan);
  return { ...(await execute(open, plan, program(plan, leaf), a, b, leaf.name)), mirror: mirror.c };
}

// Blocks of few steps and entries, which compile quickly.
const small = [
  { rows: 4, cols: 4, across: 8, down: 4, abreast: 8, depth: 8, x: 'columns', buffers: 2 },
  { rows: 4, cols: 4, across: 4, down: 8, abreast: 4, depth: 8, x: 'rows', buffers: 1 },
  { rows: 4, cols: 4, across: 4, down: 8, abreast: 4, depth: 16, x: 'blocks', buffers: 1 },
] as const;

/** Shapes of a tile that are multiplied as whole blocks, with a last part of k, as vec4s, and as single entries. */
const variants = {
  whole: ({ m, k, n }: Shape) => ({ m: 2 * m, k: 3 * k, n: 2 * n }),
  guarded: ({ m, k, n }: Shape) => ({ m: m + 4, k: 2 * k, n: n + 4 }),
  'whole ragged': ({ m, k, n }: Shape) => ({ m: m, k: k + 4, n: 2 * n }),
  'guarded ragged': ({ m, k, n }: Shape) => ({ m: m + 4, k: 2 * k + 4, n: n + 4 }),
  'guarded ragged rows': ({ m, k, n }: Shape) => ({ m: m + 3, k: 2 * k + 4, n: n + 4 }),
  'guarded ragged entries': ({ m, k, n }: Shape) => ({ m: m + 1, k: k + 3, n: n + 7 }),
  'guarded ragged entries rows': ({ m, k, n }: Shape) => ({ m: m + 1, k: k + 3, n: n + 7 }),
  'guarded entries': ({ m, k, n }: Shape) => ({ m: m + 1, k: 2 * k, n: n + 7 }),
};

test.each([
  ['columns', 'whole'],
  ['columns', 'guarded'],
  ['columns', 'guarded ragged rows'],
  ['columns', 'guarded ragged entries rows'],
  ['rows', 'whole'],
  ['rows', 'guarded ragged'],
  ['rows', 'guarded ragged entries'],
  ['blocks', 'whole ragged'],
  ['blocks', 'guarded entries'],
] as const)('staged by %s, %s, has the bits of the mirror', async (x, variant) => {
  const leaf = staged(small.find((block) => block.x === x) ?? small[0], `staged by ${x}`);
  const shape = variants[variant](leaf.tile);
  expect(leaf.variant(shape)).toBe(variant);
  const { c, mirror, ...left } = await product(leaf, shape);
  expect(c).toEqual(mirror);
  expect(left).toMatchObject({ unwritten: 0, guardsTouched: 0, operandsChanged: 0 });
});

const shared = {
  whole: variants.whole,
  guarded: variants['guarded ragged rows'],
  'guarded entries': variants['guarded ragged entries'],
};

test.each([
  ['broadcasts', 'whole'],
  ['broadcasts', 'guarded entries'],
  ['swaps', 'whole'],
  ['swaps', 'guarded'],
  ['swaps', 'guarded entries'],
] as const)('rows by %s, %s, have the bits of the mirror', async (by, variant) => {
  const leaf = broadcast({ subgroup: open.subgroup ?? 0, rows: 8, vectors: 2, by }, by);
  const shape = shared[variant](leaf.tile);
  expect(leaf.variant(shape)).toBe(variant);
  const { c, mirror, ...left } = await product(leaf, shape);
  expect(c).toEqual(mirror);
  expect(left).toMatchObject({ unwritten: 0, guardsTouched: 0, operandsChanged: 0 });
});

test('every block shape of staged is brought by all invocations alike', () => {
  for (const { name, rows, cols, across, down, abreast, depth, x } of stagedBlocks) {
    const together = x === 'blocks' ? 16 : 4;
    const uneven = [
      (rows * down * depth) % (together * across * down),
      (cols * across * depth) % (4 * across * down),
      across % abreast,
      down % (32 / abreast),
    ];
    expect([name, ...uneven]).toEqual([name, 0, 0, 0, 0]);
  }
});

const flat = { levels: 0, border: 'pad', edge: 'guard' } as const;

test.each([
  ['classical:gpu8', 'f32', { m: 32, k: 64, n: 128 }, flat],
  ['classical:gpu8', 'f32', { m: 37, k: 71, n: 130 }, flat],
  ['classical:texture', 'f32', { m: 37, k: 71, n: 130 }, flat],
  // Its products are added to up to three blocks.
  ['strassen:staged-32x32-4x4-columns-double', 'f32', { m: 64, k: 32, n: 64 }, { ...flat, levels: 1 }],
  // Precisions without lanes have blocks of their own, which must cover the same tile.
  ['classical:staged-64x64-4x4-columns-double', 'f64', { m: 65, k: 5, n: 66 }, flat],
] as const)('%s in %s, %o, has the bits of the mirror', async (name, precision, shape, manner) => {
  const computation = await computationIn(open, precision);
  const { a, b } = uniform.generate({ ...shape, seed: 4, precision: findPrecision(precision) });
  const kernel = builtinKernel(name, open, {}, computation);
  const plan = kernel.plan(shape, manner);
  const mirror = await mirrorKernel(kernel.algorithm, computation.arithmetic).multiply(a, b, plan);
  const found = await kernel.multiply(a, b, plan);
  expect(found.c).toEqual(mirror.c);
  expect(found).toMatchObject({ unwritten: 0, guardsTouched: 0, operandsChanged: 0 });
});

test('each of several products has its texture', async () => {
  const shapes = [
    { m: 37, k: 71, n: 130 },
    { m: 9, k: 300, n: 20 },
    { m: 37, k: 71, n: 130 },
  ];
  const kernel = builtinKernel('classical:texture', open);
  const works = shapes.map((shape, at) => {
    const { a, b } = uniform.generate({ ...shape, seed: at });
    return kernel.work?.(a, b, kernel.plan(shape, flat)) as Work;
  });
  const found = await executeMany(open, works);
  const mirror = mirrorKernel('classical', open.arithmetic);
  for (const [at, { a, b, plan }] of works.entries()) {
    expect(found[at].c).toEqual((await mirror.multiply(a, b, plan)).c);
  }
});

test('words go through a texture as they are: subnormals, NaN and pairs', async () => {
  const shape = { m: 3, k: 70, n: 5 };
  const computation = await computationIn(open, 'f32x2');
  const { a, b } = uniform.generate({ ...shape, seed: 6 });
  a.data.set([1e-41, Number.NaN, -0]);
  const kernels = ['texture', 'naive'].map((leaf) =>
    builtinKernel(`classical:${leaf}`, open, {}, computation),
  );
  const [one, other] = await Promise.all(
    kernels.map(async (kernel) => {
      const { c } = await kernel.multiply(a, b, kernel.plan(shape, flat));
      return c;
    }),
  );
  expect(one).toEqual(other);
});

test('a block that exceeds a texture is refused with the largest that fits', async () => {
  const limits = new Proxy(open.limits, {
    get: (target, key) => (key === 'maxTextureDimension2D' ? 16 : Reflect.get(target, key, target)),
  });
  const kernel = builtinKernel('classical:texture', { ...open, limits });
  const shape = { m: 40, k: 40, n: 4 };
  const { a, b } = uniform.generate({ ...shape, seed: 1 });
  const plan = kernel.plan(shape, flat);
  await expect(kernel.multiply(a, b, plan)).rejects.toThrow(/16×16 texels .* blocks fit up to 32×32/);
});

test('what a device cannot run is refused in a sentence', () => {
  const limits = { maxComputeInvocationsPerWorkgroup: 256, maxComputeWorkgroupStorageSize: 16384 };
  const said = (name: string, subgroup?: number) =>
    exceeds(findLeaf(name, { m: 1, k: 1, n: 1 }), { limits, subgroup });
  expect(said('tiled-32')).toBe('needs workgroups of 1024 invocations, and the device allows 256');
  expect(said('staged-128x128-8x8-columns')).toMatch(/^needs 16640 bytes of workgroup memory/);
  expect(said('register-64x64')).toBeUndefined();
  expect(said('broadcast8-8x32', 8)).toBeUndefined();
  expect(said('broadcast8-8x32', 32)).toMatch(/needs subgroups of 8 .* has subgroups of 32$/);
  expect(said('broadcast8-8x32')).toMatch(/does not promise one size$/);
  expect(new Set(leaves.map(({ name }) => name)).size).toBe(leaves.length);
});
