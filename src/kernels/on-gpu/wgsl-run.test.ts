import { describe, expect, test } from 'vitest';
import { plainGemm } from '../../matrix/gemm.ts';
import type { WgslKernel } from '../user-kernel.ts';
import { bindingsOf, wgslRun } from './wgsl-run.ts';

const limits = { maxComputeWorkgroupsPerDimension: 65535 } as GPUSupportedLimits;
const shape = plainGemm({ m: 5, k: 3, n: 7 });
const made = (wgsl: object) =>
  ({ name: 'mine', wgsl: { source: '', workgroups: () => [1], ...wgsl } }) as WgslKernel;
const run = (wgsl: object) => wgslRun(made(wgsl), shape, limits);

test('a kernel is asked for each shape', () => {
  const asked = run({
    source: ({ m }: typeof shape) => `const m = ${m};`,
    workgroups: ({ n }: typeof shape) => [n, undefined, 2],
    constants: ({ k }: typeof shape) => ({ K: k }),
  });
  expect(asked).toMatchObject({
    ...{ source: 'const m = 5;', entryPoint: 'main', needsHalf: false },
    ...{ workgroups: [7, 1, 2], constants: { K: 3 } },
  });
});

describe('answers that cannot be used', () => {
  test.each([
    ...[[Number.NaN], [1.5], [-1], [65536], [], [1, 2, 3, 4], ['1'], [undefined], [1, Infinity]],
    ...[undefined, null, 4, 'no', Promise.resolve([1])],
  ])('workgroups %j', (answer) => {
    expect(() => run({ workgroups: () => answer })).toThrow(
      /^mine returned no valid product for 5×3×7: its workgroups are .*, but must be 1 to 3 whole numbers from 0 to 65535\.$/,
    );
  });

  test.each([
    [{ source: () => 5 }, /its source is 5, but must be a string/],
    [{ source: async () => '' }, /its source is an object/],
    [{ constants: { SIDE: Number.NaN } }, /its constant SIDE is NaN, but must be a number/],
    [{ constants: () => ({ SIDE: '4' }) }, /its constant SIDE is a string/],
    [{ constants: 'SIDE' }, /its constants are a string/],
  ])('%o', (wgsl, message) => {
    expect(() => run(wgsl)).toThrow(message);
  });

  test('what its functions throw passes through', () => {
    const failure = new Error('mine');
    const fail = () => {
      throw failure;
    };
    expect(() => run({ workgroups: fail })).toThrow(failure);
  });
});

describe('bindings', () => {
  test.each([
    { a: 0, b: 1, c: 1 },
    { a: 0, b: 1, c: 2, sizes: 0 },
    { a: 0, b: 1, c: 2, d: 2 },
    { a: 0, b: 1, c: -2 },
    { a: 0, b: 1.5, c: 2 },
    { a: 0, b: 1 },
  ])('%o are refused', (bindings) => {
    expect(() => bindingsOf(made({ bindings }))).toThrow(
      /"mine" cannot be used: its bindings of a, b, c, d, sizes and factors/,
    );
  });

  const A = '@group(0) @binding(0) var<storage, read> left: array<f32>;';
  const C = '@binding(2u) @group(0)\nvar<storage, read_write>\nc\n: array<f32>;';
  test.each([
    ['no length', `${A}${C} c[0] = left[0];`, []],
    ['that of C', `${A}${C} arrayLength(&c)`, [2]],
    ['those of both', `${C}${A} arrayLength( & c ) + arrayLength(&left)`, [0, 2]],
    ['one in comments', `${A}${C} // arrayLength(&c)\n/* arrayLength(&left) */`, []],
    ['one by a pointer', `${A}${C} let p = &c; arrayLength(p)`, [0, 2]],
    ['one of a name not found', `${A}${C} arrayLength(&d)`, [0, 2]],
  ])('%s is asked for', (_, source, exact) => {
    const { isExact } = run({ source });
    expect([0, 2].filter(isExact)).toEqual(exact);
  });
});

test.each([
  ['enable f16;', true],
  ['enable subgroups, f16;', true],
  ['// enable f16;', false],
  ['enable subgroups; const f16x = 1;', false],
])('%s needs f16: %s', (source, needsHalf) => {
  expect(run({ source }).needsHalf).toBe(needsHalf);
});
