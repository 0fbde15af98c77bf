import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAlgorithm } from '../../../algorithms/algorithms.ts';
import { isWhole, itWhole } from '../../../base/in-short.testing.ts';
import { uniform } from '../../../inputs/uniform.ts';
import { compile } from '../../../plan/compile.ts';
import { precisions } from '../../../precision/precisions.ts';
import { runModel } from '../../../readers/model.ts';
import { computationIn } from '../../computation.ts';
import type { OpenDevice } from '../../device.ts';
import { openNodeDevice } from '../../node/open.ts';
import { requireProduct } from '../../runner/product.ts';
import { runDeviceJobs } from '../../runner/run.ts';
import { compileProgram } from '../dispatches.ts';
import { leafOf } from '../leaves/leaves.ts';

let open: OpenDevice;
beforeAll(async () => {
  open = await openNodeDevice({ adapter: 'software' });
});
afterAll(() => open.close());

const small = {
  name: 'of the test',
  family: 'staged',
  rows: 4,
  cols: 4,
  across: 8,
  down: 4,
  abreast: 8,
  depth: 8,
  stage: 'columns',
  buffers: 1,
} as const;
const [plain, turned, doubled] = [
  small,
  { ...small, across: 4, down: 8, abreast: 4, depth: 16, stage: 'blocks' },
  { ...small, stage: 'rows', buffers: 2 },
] as const;
const none = { alpha: 1, beta: 0 };
const both = { alpha: -0.3, beta: 1.7 };

const staged = 'xs: array<array<array';

// Cases that take seconds each to compile.
const long = [
  ['strassen', 2, plain, 'f32', none],
  ['winograd', 1, doubled, 'f32', none],
  ['strassen', 1, turned, 'f32', both],
  ['strassen', 2, { ...small, buffers: 2 }, 'bf16-f32', both],
] as const;

itWhole.each([
  ['classical', 0, doubled, 'f32', none],
  ['classical', 0, turned, 'f32', both],
  ['strassen', 1, plain, 'f16-f32', none],
  ...(isWhole ? long : []),
] as const)(
  '%s, %i levels, on the staged loop %o, in %s, scaled by %o, has the bits of the model',
  async (name, levels, block, precision, factors) => {
    const leaf = leafOf(block);
    const scaling = { alpha: Math.fround(factors.alpha), beta: Math.fround(factors.beta) };
    const side = 2 ** levels;
    const shape = { m: side * leaf.tile.m, k: 4 * side * leaf.tile.k, n: side * leaf.tile.n };
    const computation = await computationIn(open, precisions.find(precision));
    const { a, b } = uniform.generate({ ...shape, seed: 3, precision: precisions.find(precision) });
    const c = uniform.generate({
      m: shape.m,
      k: shape.n,
      n: 1,
      seed: 5,
      precision: precisions.find(precision),
    }).a;
    const plan = compile({
      algorithm: findAlgorithm(name),
      shape,
      depth: { levels },
      style: 'fused',
      scaling,
    });
    const made = compileProgram(plan, leaf, computation.numeric);
    expect(made.dispatches.every(({ shader }) => shader.includes(staged))).toBe(true);
    const before = scaling.beta === 0 ? {} : { c };
    const job = { plan, made, a, b, ...before, kernel: 'of the test' };
    const found = requireProduct((await runDeviceJobs(open, [job]))[0]);
    expect(found.c).toEqual(runModel(plan, a, b, computation, c));
    expect(found).toMatchObject({ unwritten: 0, overwritten: 0, changed: 0 });
  },
);

test('what trips of two parts leave a rest of is left to another shader, with the bits of the model', async () => {
  const leaf = leafOf(doubled);
  const shape = { m: leaf.tile.m, k: 3 * leaf.tile.k, n: leaf.tile.n };
  const computation = await computationIn(open, precisions.find('f32'));
  const { a, b } = uniform.generate({ ...shape, seed: 8 });
  const plan = compile({ algorithm: findAlgorithm('classical'), shape, style: 'fused' });
  const made = compileProgram(plan, leaf, computation.numeric);
  expect(made.dispatches.some(({ shader }) => shader.includes(staged))).toBe(false);
  const found = requireProduct((await runDeviceJobs(open, [{ plan, made, a, b, kernel: 'of the test' }]))[0]);
  expect(found.c).toEqual(runModel(plan, a, b, computation));
});
