import { afterAll, expect, it } from 'vitest';
import { ParanoiaError } from '../base/errors.ts';
import { inShort } from '../base/in-short.testing.ts';
import { Evaluator } from '../evidence/evaluate.ts';
import { haveSameBits } from '../evidence/numbers.ts';
import { prepareJob } from '../evidence/prepare.ts';
import { exactProduct } from '../exact/exact.ts';
import { computationIn } from '../gpu/computation.ts';
import { openNodeDevice } from '../gpu/node/open.ts';
import type { Executable } from '../gpu/runner/device-job.ts';
import { programOfJob, storeMatrices } from '../gpu/runner/work.ts';
import { plainGemm } from '../matrix/gemm.ts';
import type { Plan } from '../plan/plan.ts';
import { codings } from '../precision/coding/codings.ts';
import { precisions } from '../precision/precisions.ts';
import { parseCase } from '../problem/case.ts';
import { builtinKernel } from './builtin.ts';
import { codesOnDevice } from './codes-on-device.ts';

const open = await openNodeDevice({ adapter: 'software' });
afterAll(() => open.close());

async function requestOf(text: string, precision: string) {
  const value = parseCase(`${text};precision=${precision}`);
  const computation = await computationIn(open, precisions.find(precision));
  return { case: value, kernel: builtinKernel(value.kernel, open, undefined, computation) };
}

/** Reports whether a product has the model's bits and left all other memory unchanged. */
async function found(text: string, precision: string) {
  const evidence = await new Evaluator(exactProduct).attempt(await requestOf(text, precision), open);
  if (evidence instanceof ParanoiaError) return evidence.message;
  const [{ c, unwritten, overwritten, changed }] = evidence.outcomes;
  const model = evidence.analysis?.model;
  return [model !== undefined && haveSameBits(c.data, model.data), unwritten, overwritten, changed];
}

const RIGHT = [true, 0, 0, 0];

/** True if a built-in shader reads a coding: none reads superblocks. */
const isServed = (name: string) => typeof precisions.find(name).wgsl === 'function';

// No tile and no block divides these sizes; k of 128 and more takes several factors in every coding.
const onLoad = ['naive', 'tiled', 'register'].map((leaf) => `kernel=classical:${leaf};m=21;k=135;n=19`);
const packed = ['strassen:naive;levels=1', 'winograd:naive;levels=1', 'classical:naive'].map(
  (kernel) => `kernel=${kernel};m=9;k=135;n=11;batch=2;a=t+3@2;b=tf*5;alpha=2;beta=-1`,
);

it.each(
  inShort(
    codings.items.map(({ name }, at) => [name, at] as const).filter(([name]) => isServed(name)),
    12,
  ),
)('%s: what is decoded on load, or as it is packed, has the model’s bits', async (name, at) => {
  // Neighbors in the list have similar elements: the next one tests the other way.
  const cases = at % 2 === 0 ? onLoad : packed;
  const tail = at % 4 < 2 ? 'mask' : 'pad';
  const turn = Math.floor(at / 2) % 3;
  expect(await found(`${cases[turn]};tail=${tail};input=uniform`, name)).toEqual(RIGHT);
});

it('one coded matrix of all products of a batch', async () => {
  expect(await found('kernel=classical:naive;input=uniform;m=5;k=40;n=7;batch=3;b=n*same', 'nvfp4')).toEqual(
    RIGHT,
  );
});

it.each(
  inShort(
    [
      ['classical:naive;m=9;k=70;n=11;b=t', 'int8-i32', false],
      ['winograd:naive;levels=1;m=9;k=75;n=11;batch=2;b=t', 'int8-i32', false],
      ['strassen:register;levels=1;m=9;k=30;n=11', 'int4-i32', false],
      ['classical:naive;m=9;k=72;n=11;batch=2;b=t', 'int8-i32', true],
      ['classical:naive;m=9;k=75;n=11;a=n+1;b=t+1', 'int8-i32', true],
      ['classical:naive;m=9;k=72;n=11;b=t', 'uint8-i32', false],
      ['classical:tiled;m=9;k=72;n=11;alpha=-3;beta=2', 'uint8-i32', false],
    ],
    3,
  ),
)('%s in %s: sums are the exact ones, four at once: %s', async (text, precision, fourAtOnce) => {
  expect(await found(`kernel=${text};input=integers`, precision)).toEqual(RIGHT);
  const { dispatches } = programOfJob(await jobOf(`kernel=${text};input=integers`, precision));
  expect(dispatches.some(({ shader }) => shader.includes('dot4I8Packed('))).toBe(fourAtOnce);
});

it.each(inShort(['e4m3-f32', 'e5m2-f32', 'e2m1-f32', 'e4m3-f32-bf16', 'e4m3fnuz-f32'], 3))(
  '%s: entries of few bits lie as patterns, without factors',
  async (precision) => {
    const text = 'kernel=classical:register;input=uniform;m=9;k=70;n=11';
    expect(await found(text, precision)).toEqual(RIGHT);
    expect((await jobOf(text, precision)).codes?.a?.scales).toEqual([]);
  },
);

it.each([
  ['m=0;k=3;n=2', 'mxfp4'],
  ['m=3;k=0;n=2', 'mxfp4'],
  ['m=1;k=1;n=1', 'nbits4'],
])('%s', async (sizes, precision) => {
  expect(await found(`kernel=classical:tiled;input=integers;${sizes}`, precision)).toEqual(RIGHT);
});

it('entries that no pattern stands for are uploaded as they are', async () => {
  const {
    kernel,
    plan,
    operands,
    gemm = plainGemm(plan.shape),
  } = await preparedOf('kernel=classical:naive;input=integers;m=2;k=3;n=2', 'e4m3-f32');
  expect(codesOnDevice(operands, gemm, kernel.precision)?.b).toBeDefined();
  const other = { ...operands, a: { ...operands.a, data: operands.a.data.map(() => 1 / 3) } };
  expect(codesOnDevice(other, gemm, kernel.precision)).toBe(undefined);
});

async function preparedOf(text: string, precision: string) {
  const request = await requestOf(text, precision);
  return prepareJob(request.case, request.kernel);
}

/** Returns the data of a product on the device, and its program. */
async function jobOf(text: string, precision: string) {
  const { kernel, plan, operands, gemm = plainGemm(plan.shape) } = await preparedOf(text, precision);
  const executable = (kernel.executable as (plan: Plan) => Executable)(plan);
  const codes = codesOnDevice(operands, gemm, kernel.precision);
  return { ...executable, ...{ a: operands.a, b: operands.b, codes, gemm } };
}

it('elements lie four or eight to a word, and factors as their own bits', async () => {
  const bytes = async (kernel: string, precision: string) => {
    const { ranges } = storeMatrices(await jobOf(`kernel=${kernel};input=uniform;m=32;k=64;n=32`, precision));
    return [ranges.A.bytes, ranges.B.bytes];
  };
  expect(await bytes('classical:naive', 'f32')).toEqual([8192, 8192]);
  expect(await bytes('classical:naive', 'mxfp8-e4m3')).toEqual([2048, 2048]);
  expect(await bytes('strassen:naive', 'mxfp6-e2m3')).toEqual([2048, 2048]);
  expect(await bytes('classical:tiled', 'nvfp4')).toEqual([1024, 1024]);
  expect(await bytes('classical:tiled', 'q4_0')).toEqual([8192, 1024]);
});

it('words of codes and factors that are not what they were are counted', async () => {
  const { ranges } = storeMatrices(
    await jobOf('kernel=classical:naive;input=uniform;m=32;k=64;n=32', 'nvfp4'),
  );
  for (const range of [ranges.A, ranges.SA, ranges.SB]) {
    if (typeof range?.before !== 'function') throw new Error('it is written entry by entry');
    const words = new Uint32Array(range.bytes / 4);
    range.before(words);
    expect(range.changed?.(words)).toBe(0);
    words[words.length - 2] ^= 1;
    expect(range.changed?.(words)).toBe(1);
  }
});

it('leaves decode as they load, where there are no levels; else a pass before them', async () => {
  const labels = async (kernel: string, rest: string) =>
    programOfJob(
      await jobOf(`kernel=${kernel};input=uniform;m=32;k=64;n=32;${rest}`, 'mxfp4'),
    ).dispatches.map(({ label, shader }) => [
      label.replace(/step.*/, 'step'),
      shader.includes('xNumber('),
      shader.includes('yNumber('),
    ]);
  for (const leaf of ['naive', 'tiled', 'register', 'staged-64x64-8x8-columns']) {
    expect(await labels(`classical:${leaf}`, '')).toEqual([['step', true, true]]);
  }
  expect((await labels('strassen:naive', 'levels=1')).slice(0, 3)).toEqual([
    ['packing A', true, false],
    ['packing B', false, true],
    ['step', false, false],
  ]);
  expect((await labels('classical:gpu8', ''))[0]).toEqual(['packing A', true, false]);
});
