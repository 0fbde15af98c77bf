import { afterAll, beforeAll, expect, test } from 'vitest';
import { classical } from '../../../algorithms/classical.ts';
import { inShort, itWhole } from '../../../base/in-short.testing.ts';
import { uniform } from '../../../inputs/uniform.ts';
import { builtinKernel } from '../../../kernels/builtin.ts';
import { multiply } from '../../../kernels/kernel.ts';
import { modelKernel } from '../../../kernels/model-kernel.ts';
import type { Shape } from '../../../matrix/dense.ts';
import { compile } from '../../../plan/compile.ts';
import type { Style } from '../../../plan/plan.ts';
import { precisions } from '../../../precision/precisions.ts';
import { singleComputation } from '../../../precision/single.ts';
import { computationIn } from '../../computation.ts';
import type { OpenDevice } from '../../device.ts';
import { openNodeDevice } from '../../node/open.ts';
import type { DeviceJob, Executable } from '../../runner/device-job.ts';
import { requireProduct } from '../../runner/product.ts';
import { runDeviceJobs } from '../../runner/run.ts';
import { compileProgram } from '../dispatches.ts';
import { leafTilings, tripOf } from '../tilings.ts';
import { type Leaf, whyExceeded } from './leaf.ts';
import { findLeaf, leafOf, leaves } from './leaves.ts';
import { leafVariant } from './shaders.ts';

let open: OpenDevice;
beforeAll(async () => {
  open = await openNodeDevice({ adapter: 'software' });
});
afterAll(() => open.close());

async function product(leaf: Leaf, shape: Shape, name: string, terms?: number) {
  const computation = await computationIn(open, precisions.find(name));
  const { precision, numeric } = computation;
  const { a, b } = uniform.generate({ ...shape, seed: 2, precision });
  const plan = compile({ algorithm: classical, shape, tile: leaf.tile, run: terms });
  const kernel = modelKernel('classical', computation);
  const model = await multiply({ kernel, plan, operands: { a, b } });
  const [outcome] = await runDeviceJobs(open, [
    { plan, made: compileProgram(plan, leaf, numeric), a, b, kernel: leaf.name },
  ]);
  return { ...requireProduct(outcome), model: model.c };
}

// Blocks of few steps and entries, which compile quickly.
const four = { family: 'staged', rows: 4, cols: 4 } as const;
const small = [
  { ...four, across: 8, down: 4, abreast: 8, depth: 8, stage: 'columns', buffers: 2 },
  { ...four, across: 4, down: 8, abreast: 4, depth: 8, stage: 'rows', buffers: 1 },
  { ...four, across: 4, down: 8, abreast: 4, depth: 16, stage: 'blocks', buffers: 1 },
  { ...four, across: 8, down: 4, abreast: 8, depth: 8, stage: 'turned', buffers: 2, parts: 4 },
] as const;

/** Shapes, in units of a trip, for each variant: whole blocks, blocks with a last part of k, vec4s, and single entries. */
const variants = {
  whole: ({ m, k, n }: Shape) => ({ m: 2 * m, k: 3 * k, n: 2 * n }),
  guarded: ({ m, k, n }: Shape) => ({ m: m + 4, k: 2 * k, n: n + 4 }),
  'whole ragged': ({ m, k, n }: Shape) => ({ m: m, k: k + 4, n: 2 * n }),
  'guarded ragged': ({ m, k, n }: Shape) => ({ m: m + 4, k: 2 * k + 4, n: n + 4 }),
  'guarded ragged rows': ({ m, k, n }: Shape) => ({ m: m + 3, k: 2 * k + 4, n: n + 4 }),
  'guarded ragged entries': ({ m, k, n }: Shape) => ({ m: m + 1, k: k + 3, n: n + 7 }),
  // The last part of k is one of several parts that do not fill a trip.
  'guarded ragged entries rows': ({ m, k, n }: Shape) => ({ m: m + 1, k: 2 * k - 5, n: n + 7 }),
  'guarded entries': ({ m, k, n }: Shape) => ({ m: m + 1, k: 2 * k, n: n + 7 }),
};

async function expectModel(leaf: Leaf, shape: Shape, variant: string, precision = 'f32', terms?: number) {
  expect(leafVariant(leaf, shape)).toBe(variant);
  const { c, model, ...left } = await product(leaf, shape, precision, terms);
  expect(c).toEqual(model);
  expect(left).toMatchObject({ unwritten: 0, overwritten: 0, changed: 0 });
}

test.each(
  inShort(
    [
      ['columns', 'guarded ragged entries rows'],
      ['columns', 'guarded ragged rows'],
      ['columns', 'guarded'],
      ['turned', 'whole'],
      ['columns', 'whole'],
      ['rows', 'whole'],
      ['blocks', 'whole ragged'],
      ['rows', 'guarded ragged'],
      ['rows', 'guarded ragged entries'],
      ['turned', 'guarded ragged entries'],
      ['blocks', 'guarded entries'],
      ['turned', 'guarded'],
      ['turned', 'whole ragged'],
      ['turned', 'guarded entries'],
    ],
    3,
  ),
)('staged by %s, %s, has the bits of the model', async (stage, variant) => {
  const tiling = small.find((one) => one.stage === stage) ?? small[0];
  const leaf = leafOf({ ...tiling, name: `staged by ${stage}` });
  await expectModel(leaf, variants[variant]({ ...leaf.tile, k: tripOf(tiling) }), variant);
});

// A trip takes two parts of 8 steps: the remainder has one part or two, and the last of them may be incomplete.
itWhole.each(
  inShort(
    [
      ...[16, 32, 48].map((k) => [k, 'whole'] as const),
      ...[4, 8, 12, 20, 24, 28, 40].map((k) => [k, 'whole ragged'] as const),
      ...[1, 7, 9, 15, 17, 25, 31].map((k) => [k, 'whole ragged entries'] as const),
    ],
    3,
  ),
)('two parts a trip, of %i steps of k, %s, have the bits of the model', async (k, variant) => {
  const leaf = leafOf({ ...small[0], name: 'two parts a trip' });
  await expectModel(leaf, { m: 2 * leaf.tile.m, k, n: leaf.tile.n }, variant);
});

// Runs of 16 steps: three whole runs; two runs and a remainder, of whole parts or not. Sums are kept in the block, otherwise in registers.
itWhole.each([
  [48, 'whole', 'f32'],
  [44, 'whole ragged', 'f32'],
  [36, 'whole ragged', 'f16-f32'],
  [33, 'whole ragged entries', 'f32'],
  [16, 'whole', 'f32'],
  [48, 'whole', 'f64'],
])('sums of runs, of %i steps of k, %s, in %s, have the bits of the model', async (k, variant, precision) => {
  for (const tiling of [small[0], { ...small[3], parts: 2 }]) {
    const leaf = leafOf({ ...tiling, name: `in runs, ${tiling.stage}` });
    await expectModel(leaf, { m: 2 * leaf.tile.m, k, n: leaf.tile.n }, variant, precision, 16);
  }
});

itWhole.each([
  ['winograd:wide-runs', 1],
  ['strassen:runs', 1],
  ['classical:runs', 0],
] as const)('%s, %i levels, has the bits of the model', async (name, levels) => {
  const kernel = builtinKernel(name, open);
  const shape = { m: 128, k: 300 * 2 ** levels, n: 128 };
  const plan = kernel.plan(shape, { levels, fringe: 'pad', tail: 'mask' });
  expect(plan.run).toBe(256);
  const operands = uniform.generate({ ...shape, seed: 3, precision: precisions.find('f32') });
  const model = modelKernel(name.split(':')[0], singleComputation(open.arithmetic));
  const [found, expected] = [kernel, model].map((kernel) => multiply({ kernel, plan, operands }));
  expect((await found).c).toEqual((await expected).c);
});

itWhole.each(['f16-f32', 'bf16-f32', 'tf32-f32', 'f16-f32-f16', 'bf16-f32-bf16'])(
  'two parts a trip in %s have the bits of the model',
  async (precision) => {
    const leaf = leafOf({ ...small[0], name: 'two parts a trip' });
    await expectModel(leaf, { m: 33, k: 27, n: 37 }, 'guarded ragged entries rows', precision);
  },
);

const shared = {
  whole: variants.whole,
  guarded: variants['guarded ragged rows'],
  'guarded entries': variants['guarded ragged entries'],
};

test.each(
  inShort(
    [
      ['broadcasts', 'whole'],
      ['broadcasts', 'guarded entries'],
      ['swaps', 'whole'],
      ['swaps', 'guarded'],
      ['swaps', 'guarded entries'],
    ] as const,
    4,
  ),
)('rows by %s, %s, have the bits of the model', async (hands, variant) => {
  const sizes = { rows: 8, cols: 8, across: open.subgroup ?? 0, down: 1, depth: 4 };
  const leaf = leafOf({ name: hands, family: 'subgroup', ...sizes, hands });
  await expectModel(leaf, shared[variant](leaf.tile), variant);
});

test('every block shape of staged is brought by all invocations alike', () => {
  for (const tiling of leafTilings) {
    if (tiling.family !== 'staged') continue;
    const { name, rows, cols, across, down, abreast, depth, stage } = tiling;
    const together = stage === 'blocks' ? 16 : 4;
    const uneven = [
      (rows * down * depth) % (together * across * down),
      (cols * across * depth) % (4 * across * down),
      across % abreast,
      down % (32 / abreast),
    ];
    expect([name, ...uneven]).toEqual([name, 0, 0, 0, 0]);
  }
});

const flat = { levels: 0, fringe: 'pad', tail: 'mask' } as const;

test.each(
  inShort(
    [
      ['classical:gpu8', 'f32', { m: 32, k: 64, n: 128 }, flat],
      ['classical:gpu8', 'f32', { m: 37, k: 71, n: 130 }, flat],
      ['classical:staged-128x128-8x8-turned-double', 'f32', { m: 130, k: 44, n: 132 }, flat],
      ['classical:staged-64x64-8x8-columns-double', 'f32', { m: 65, k: 27, n: 68 }, flat],
      // Its products are added to up to three blocks.
      ['strassen:staged-32x32-4x4-columns-double', 'f32', { m: 64, k: 32, n: 64 }, { ...flat, levels: 1 }],
      [
        'strassen:staged-128x128-8x8-turned-double',
        'f16-f32',
        { m: 256, k: 128, n: 256 },
        { ...flat, levels: 1 },
      ],
      ['classical:texture', 'f32', { m: 37, k: 71, n: 130 }, flat],
      // Precisions without lanes have blocks of their own, which must cover the same tile.
      ['classical:staged-64x64-4x4-columns-double', 'f64', { m: 65, k: 5, n: 66 }, flat],
    ],
    3,
  ),
)('%s in %s, %o, has the bits of the model', async (name, precision, shape, manner) => {
  const computation = await computationIn(open, precisions.find(precision));
  const { a, b } = uniform.generate({ ...shape, seed: 4, precision: precisions.find(precision) });
  const kernel = builtinKernel(name, open, undefined, computation);
  const plan = kernel.plan(shape, manner);
  const job = { kernel, plan, operands: { a, b } };
  const model = await multiply({ ...job, kernel: modelKernel(kernel.algorithm, computation) });
  const found = await multiply(job);
  expect(found.c).toEqual(model.c);
  expect(found).toMatchObject({ unwritten: 0, overwritten: 0, changed: 0 });
});

// All ways in which a shader finds its rows: every family, with and without lanes, and fused products.
itWhole.each(
  inShort<[leaf: string, precision: string, style: Style, blocking?: string]>(
    [
      ['naive', 'f32', 'scheduled'],
      ['tiled-4', 'f32', 'scheduled'],
      ['register-8x16', 'f32', 'scheduled'],
      ['register-8x16', 'f32x2', 'scheduled'],
      ['staged-32x32-4x4-columns-double', 'f32', 'scheduled'],
      ['swap4-32x32', 'f32', 'scheduled'],
      ['gpu8', 'f32', 'scheduled'],
      ['staged-32x32-4x4-columns-double', 'f32', 'fused'],
      ['naive', 'f32', 'fused', 'small'],
      ['staged-128x128-8x8-turned-double', 'f32', 'fused'],
    ],
    2,
  ),
)(
  '%s in %s, %s, a row of tiles a submission, has the bits of the model',
  async (...[name, precision, style, blocking]) => {
    const computation = await computationIn(open, precisions.find(precision));
    const leaf = findLeaf(name, { m: 1, k: 1, n: 1 });
    if (whyExceeded(leaf, open) !== undefined) return;
    const shape = { m: 3 * Math.max(16, leaf.tile.m), k: 8, n: leaf.tile.n };
    const { a, b } = uniform.generate({ ...shape, seed: 7, precision: computation.precision });
    const plan = compile({ algorithm: classical, shape, style });
    const made = compileProgram(plan, leaf, computation.numeric, blocking, 1);
    expect(made.dispatches.length).toBeGreaterThanOrEqual(3);
    const [outcome] = await runDeviceJobs(open, [{ plan, made, a, b, kernel: name }]);
    const kernel = modelKernel('classical', computation);
    const model = await multiply({ kernel, plan, operands: { a, b } });
    expect(requireProduct(outcome).c).toEqual(model.c);
  },
);

test('each of several products has its texture', async () => {
  const shapes = [
    { m: 37, k: 71, n: 130 },
    { m: 9, k: 300, n: 20 },
    { m: 37, k: 71, n: 130 },
  ];
  const kernel = builtinKernel('classical:texture', open);
  const jobs = shapes.map((shape, at): DeviceJob => {
    const { a, b } = uniform.generate({ ...shape, seed: at });
    return { ...(kernel.executable?.(kernel.plan(shape, flat)) as Executable), a, b };
  });
  const found = (await runDeviceJobs(open, jobs)).map(requireProduct);
  const model = modelKernel('classical', singleComputation(open.arithmetic));
  for (const [at, { a, b, plan }] of jobs.entries()) {
    expect(found[at].c).toEqual((await multiply({ kernel: model, plan, operands: { a, b } })).c);
  }
});

itWhole('words go through a texture as they are: subnormals, NaN and pairs', async () => {
  const shape = { m: 3, k: 70, n: 5 };
  const computation = await computationIn(open, precisions.find('f32x2'));
  const { a, b } = uniform.generate({ ...shape, seed: 6 });
  a.data.set([1e-41, Number.NaN, -0]);
  const kernels = ['texture', 'naive'].map((leaf) =>
    builtinKernel(`classical:${leaf}`, open, undefined, computation),
  );
  const [one, other] = await Promise.all(
    kernels.map(async (kernel) => {
      const { c } = await multiply({ kernel, plan: kernel.plan(shape, flat), operands: { a, b } });
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
  await expect(multiply({ kernel, plan, operands: { a, b } })).rejects.toThrow(
    /16×16 texels, .*\. Blocks fit up to 32×32/,
  );
});

test('what a device cannot run is refused in a sentence', () => {
  const limits = { maxComputeInvocationsPerWorkgroup: 256, maxComputeWorkgroupStorageSize: 16384 };
  const said = (name: string, subgroup?: number) =>
    whyExceeded(findLeaf(name, { m: 1, k: 1, n: 1 }), { limits, subgroup });
  expect(said('tiled-32')).toBe('needs workgroups of 1024 invocations, and the device allows 256');
  expect(said('staged-128x128-8x8-columns')).toMatch(/^needs 16640 bytes of workgroup memory/);
  expect(said('register-64x64')).toBeUndefined();
  expect(said('broadcast8-8x32', 8)).toBeUndefined();
  expect(said('broadcast8-8x32', 32)).toMatch(/needs subgroups of 8 .* has subgroups of 32$/);
  expect(said('broadcast8-8x32')).toMatch(/does not promise one size$/);
  expect(new Set(leaves.map(({ name }) => name)).size).toBe(leaves.length);
});
