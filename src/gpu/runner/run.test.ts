import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { findAlgorithm } from '../../algorithms/algorithms.ts';
import { inShort, isWhole, itWhole } from '../../base/in-short.testing.ts';
import { uniform } from '../../inputs/uniform.ts';
import { type Matrix, matrix, type Shape } from '../../matrix/dense.ts';
import { compile, type PlanOptions } from '../../plan/compile.ts';
import { ALIGNMENT } from '../../plan/layout.ts';
import type { Plan } from '../../plan/plan.ts';
import { POISON } from '../../precision/entries.ts';
import { binary64 } from '../../precision/wgsl/f64.ts';
import { type Numeric, single } from '../../precision/wgsl/numeric.ts';
import { pairs } from '../../precision/wgsl/pairs.ts';
import { openNodeDevice } from '../node/open.ts';
import { OPERATIONS_AT_ONCE } from '../tuning/tuning.ts';
import type { Dispatch } from '../wgsl/dispatch.ts';
import { compileProgram, type GpuProgram } from '../wgsl/dispatches.ts';
import { findLeaf } from '../wgsl/leaves/leaves.ts';
import { requireProduct } from './product.ts';
import { runDeviceJobs } from './run.ts';

const open = await openNodeDevice({ adapter: 'software' });
afterAll(() => open.close());
afterEach(() => vi.restoreAllMocks());

const cube = (size: number): Shape => ({ m: size, k: size, n: size });

function prepare(
  shape: Shape,
  levels: number,
  { numeric = single, ...options }: Partial<PlanOptions> & { readonly numeric?: Numeric } = {},
) {
  const plan = compile({ algorithm: findAlgorithm('strassen'), shape, depth: { levels }, ...options });
  const { a, b } = uniform.generate({ ...shape, seed: 1 });
  return { plan, made: compileProgram(plan, findLeaf('naive', shape), numeric), a, b };
}

async function run(plan: Plan, made: GpuProgram, a: Matrix, b: Matrix, on = open) {
  const [outcome] = await runDeviceJobs(on, [{ plan, made, a, b, kernel: 'strassen:naive' }]);
  return requireProduct(outcome);
}

/** Returns the program with each dispatch changed. */
const changed = (made: GpuProgram, change: (dispatch: Dispatch) => Dispatch): GpuProgram => ({
  ...made,
  dispatches: made.dispatches.map(change),
});

const ones = (rows: number, cols: number) => matrix(rows, cols, new Float32Array(rows * cols).fill(1));

describe('a product', () => {
  test.each(
    inShort(
      [
        [0, 'pad'],
        [1, 'pad'],
        [2, 'peel'],
        [3, 'peel'],
      ] as const,
      2,
    ),
  )('%d levels, %s', async (levels, fringe) => {
    const { plan, made } = prepare({ m: 13, k: 9, n: 11 }, levels, { fringe });
    const { c, seconds, ...rest } = await run(plan, made, ones(13, 9), ones(9, 11));
    expect(c).toEqual(matrix(13, 11, new Float32Array(143).fill(9)));
    expect(rest).toEqual({ unwritten: 0, overwritten: 0, changed: 0 });
    expect(seconds).toBeGreaterThan(0);
  });

  test('submitted in portions is the same', async () => {
    const { plan, made, a, b } = prepare(cube(12), 2);
    const whole = await run(plan, made, a, b);
    const submit = vi.spyOn(open.device.queue, 'submit');
    const heavy = changed(made, (dispatch) => ({ ...dispatch, operations: OPERATIONS_AT_ONCE / 10 }));
    const inPortions = await run(plan, heavy, a, b);
    expect(inPortions.c).toEqual(whole.c);
    // one more submission copies the result
    expect(submit).toHaveBeenCalledTimes(Math.ceil(made.dispatches.length / 10) + 1);
  });

  test('of rows in several dispatches is the same', async () => {
    const { plan, made, a, b } = prepare(cube(20), 0);
    const [only] = made.dispatches;
    const [m, k, n] = only.params;
    const rows = (first: number, end: number): Dispatch => ({ ...only, params: [m, k, n, first, end] });
    const split = { ...made, dispatches: [rows(0, 8), rows(8, 16), rows(16, 20)] };
    expect((await run(plan, split, a, b)).c).toEqual((await run(plan, made, a, b)).c);
  });

  test('needs each shader compiled once', async () => {
    const { plan, made, a, b } = prepare({ m: 6, k: 10, n: 14 }, 1);
    await run(plan, made, a, b);
    const create = vi.spyOn(open.device, 'createComputePipelineAsync');
    await run(plan, made, a, b);
    expect(create).not.toHaveBeenCalled();
  });

  test('needs few bind groups: they move to where each dispatch has its blocks', async () => {
    const { plan, made, a, b } = prepare(cube(24), 2);
    const bind = vi.spyOn(open.device, 'createBindGroup');
    await run(plan, made, a, b);
    expect(bind.mock.calls.length).toBeLessThan(made.dispatches.length / 2);
  });
});

describe('what a wrong program leaves is counted', () => {
  test('entries never written, which hold the poison', async () => {
    const { plan, made, a, b } = prepare(cube(16), 1);
    const withoutC22 = made.dispatches.filter(({ blocks }) =>
      blocks.every(({ buffer, offset }) => buffer !== 'C' || offset !== 3 * ALIGNMENT),
    );
    const { c, unwritten } = await run(plan, { ...made, dispatches: withoutC22 }, a, b);
    expect(unwritten).toBe(64);
    expect(new Uint32Array(c.data.buffer)[c.data.length - 1]).toBe(POISON);
  });

  test('words outside C', async () => {
    const { plan, made, a, b } = prepare(cube(8), 0);
    const after = changed(made, (dispatch) => ({
      ...dispatch,
      blocks: dispatch.blocks.map((block) =>
        block.buffer === 'C' ? { ...block, offset: block.offset + ALIGNMENT } : block,
      ),
    }));
    expect(await run(plan, after, a, b)).toMatchObject({ overwritten: 64, unwritten: 64 });
    const before = changed(made, (dispatch) => ({
      ...dispatch,
      blocks: dispatch.blocks.map((block) =>
        block.buffer === 'C' ? { ...block, offset: block.offset - ALIGNMENT } : block,
      ),
    }));
    expect(await run(plan, before, a, b)).toMatchObject({ overwritten: 64, unwritten: 64 });
  });

  test('words outside the workspace', async () => {
    const { plan, made, a, b } = prepare(cube(16), 1);
    const end = plan.sizes.W;
    const beyond = changed(made, (dispatch) => ({
      ...dispatch,
      blocks: dispatch.blocks.map((block) => (block.buffer === 'W' ? { ...block, offset: end } : block)),
    }));
    expect((await run(plan, beyond, a, b)).overwritten).toBe(64);
  });

  itWhole.each([single, binary64, pairs])(
    'and who reads what was never written reads NaN',
    async (numeric) => {
      const { plan, made, a, b } = prepare(cube(8), 1, { numeric });
      const first = made.dispatches.findIndex(({ blocks }) => blocks.some(({ buffer }) => buffer === 'W'));
      const without = { ...made, dispatches: made.dispatches.toSpliced(first, 1) };
      expect((await run(plan, without, a, b)).c.data.some(Number.isNaN)).toBe(true);
    },
  );

  test('and who reads beyond an operand reads NaN', async () => {
    const { plan, made, a, b } = prepare(cube(8), 0);
    for (const name of ['A', 'B']) {
      const astray = changed(made, (dispatch) => ({
        ...dispatch,
        blocks: dispatch.blocks.map((block) =>
          block.buffer === name ? { ...block, offset: block.offset + ALIGNMENT } : block,
        ),
      }));
      expect((await run(plan, astray, a, b)).c.data.every(Number.isNaN)).toBe(true);
    }
  });

  test('entries of the operands', async () => {
    const { plan, made, a, b } = prepare(cube(8), 0);
    const clearing = changed(made, (dispatch) => ({
      ...dispatch,
      shader: dispatch.shader.replace(
        'finish(i * params.n + j, sum);',
        'finish(i * params.n + j, sum); y[j] = 0.0;',
      ),
    }));
    expect(await run(plan, clearing, a, b)).toMatchObject({ changed: 8, unwritten: 0 });
  });
});

describe.each([
  ['f64', binary64, 'vec2<u32>()'],
  ['f32x2', pairs, 'vec2<f32>()'],
] as const)('entries of two words, in %s', (_, numeric, nothing) => {
  const { plan, made } = prepare(cube(8), 0, { numeric });
  const wide = (value: number) => matrix(8, 8, new Float64Array(64).fill(value));
  const [a, b] = [wide(1 + 2 ** -40), wide(1)];

  test('come back as doubles with more than 24 bits', async () => {
    const { seconds, ...rest } = await run(plan, made, a, b);
    const c = wide(8 * (1 + 2 ** -40));
    expect(rest).toEqual({ c, unwritten: 0, overwritten: 0, changed: 0 });
  });

  test.each([1, -1])('are counted once each where they are missing or astray', async (direction) => {
    const astray = changed(made, (dispatch) => ({
      ...dispatch,
      blocks: dispatch.blocks.map((block) =>
        block.buffer === 'C' ? { ...block, offset: block.offset + direction * ALIGNMENT } : block,
      ),
    }));
    const { c, ...rest } = await run(plan, astray, a, b);
    expect(rest).toMatchObject({ overwritten: 64, unwritten: 64, changed: 0 });
    expect(c.data.every(Number.isNaN)).toBe(true);
  });

  test.runIf(isWhole || numeric === pairs).each(['x', 'y'])(
    'are counted astray where that is one of their words, %s',
    async (word) => {
      for (const direction of [1, -1]) {
        const astray = changed(made, (dispatch) => ({
          ...dispatch,
          shader: dispatch.shader.replace(/s0\[e\] = (.*);/, `s0[e].${word} = $1.${word};`),
          blocks: dispatch.blocks.map((block) =>
            block.buffer === 'C' ? { ...block, offset: block.offset + direction * ALIGNMENT } : block,
          ),
        }));
        expect((await run(plan, astray, a, b)).overwritten).toBe(64);
      }
    },
  );

  test.runIf(isWhole || numeric === pairs)(
    'of an operand are counted once each where they change',
    async () => {
      const clearing = changed(made, (dispatch) => ({
        ...dispatch,
        shader: dispatch.shader.replace(
          'finish(i * params.n + j, sum);',
          `finish(i * params.n + j, sum); y[j] = ${nothing};`,
        ),
      }));
      expect(await run(plan, clearing, a, b)).toMatchObject({ changed: 8, unwritten: 0 });
    },
  );
});

test('a binary64 number whose lower word is that of the poison was written all the same', async () => {
  const { plan, made } = prepare(cube(8), 0, { numeric: binary64 });
  const [value] = new Float64Array(Uint32Array.of(POISON, 0x3ff00000).buffer);
  const identity = matrix(
    8,
    8,
    Float64Array.from({ length: 64 }, (_, at) => (at % 9 === 0 ? 1 : 0)),
  );
  const a = matrix(8, 8, new Float64Array(64).fill(value));
  const { c, unwritten } = await run(plan, made, a, identity);
  expect(c).toEqual(a);
  expect(unwritten).toBe(0);
});

describe('what cannot run is told by kernel and step', () => {
  test('a shader that does not compile', async () => {
    const { plan, made, a, b } = prepare(cube(8), 1);
    const broken = changed(made, (dispatch) => ({ ...dispatch, shader: `${dispatch.shader}\nfn` }));
    await expect(run(plan, broken, a, b)).rejects.toMatchObject({
      code: 'bad-shader',
      message: expect.stringMatching(/strassen:naive, step 1 of 17, product 0: sub\(A21, A11, C12\)/),
    });
  });

  test('a binding that the shader does not have', async () => {
    const { plan, made, a, b } = prepare(cube(8), 0);
    const more = changed(made, (dispatch) => ({ ...dispatch, layouts: true }));
    await expect(run(plan, more, a, b)).rejects.toMatchObject({
      code: 'gpu-error',
      message: expect.stringContaining('strassen:naive'),
    });
  });

  test('buffers above the limits of the device, before anything is compiled', async () => {
    const { plan, made, a, b } = prepare(cube(64), 0);
    const small = {
      ...open,
      limits: { ...open.limits, maxStorageBufferBindingSize: 4 * 64 * 64 - 4, maxBufferSize: 2 ** 30 },
    };
    const create = vi.spyOn(open.device, 'createShaderModule');
    await expect(run(plan, made, a, b, small)).rejects.toMatchObject({ code: 'too-large' });
    expect(create).not.toHaveBeenCalled();
  });

  test('params of more dispatches than fit in a buffer', async () => {
    // 64 leaf products and 5 copies of 256 bytes each; the matrices with their guards take 3 KiB.
    const { plan, made, a, b } = prepare(cube(4), 2);
    const small = { ...open, limits: { ...open.limits, maxBufferSize: 256 * made.dispatches.length - 1 } };
    await expect(run(plan, made, a, b, small)).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringContaining(`${256 * made.dispatches.length} bytes for the params of`),
    });
  });

  test('but not a matrix larger than a binding, of which blocks are bound alone', async () => {
    const { plan, made, a, b } = prepare(cube(64), 1);
    const small = { ...open, limits: { ...open.limits, maxStorageBufferBindingSize: 4 * 32 * 32 } };
    expect((await run(plan, made, a, b, small)).unwritten).toBe(0);
  });

  test('and its buffers are given back', async () => {
    // A size that no other test uses: their buffers may be kept for the next product.
    const { plan, made, a, b } = prepare(cube(11), 0);
    const created: GPUBuffer[] = [];
    const create = open.device.createBuffer.bind(open.device);
    vi.spyOn(open.device, 'createBuffer').mockImplementation((descriptor) => {
      const buffer = create(descriptor);
      vi.spyOn(buffer, 'destroy');
      created.push(buffer);
      return buffer;
    });
    const more = changed(made, (dispatch) => ({ ...dispatch, layouts: true }));
    await expect(run(plan, more, a, b)).rejects.toThrow();
    expect(created.length).toBe(7);
    for (const buffer of created) expect(buffer.destroy).toHaveBeenCalledTimes(1);
  });
});
