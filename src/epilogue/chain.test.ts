import { describe, expect, it } from 'vitest';
import { describeEpilogue, readEpilogue } from './chain.ts';

const sizes = { m: 3, n: 5, batch: 2 };
const row = new Float32Array(5);
const square = (rows: number, cols: number, x = 1) => ({
  rows,
  cols,
  data: new Float64Array(rows * cols).fill(x),
});

describe('an epilogue is refused in one sentence', () => {
  it.each<[given: unknown, message: RegExp]>([
    ['relu', /^The epilogue cannot be read: it must be a list of steps, as \["relu"\], but is "relu"\.$/],
    [[7], /step 1 must be a name, or an object such as/],
    [['relu', 'relu', 'relu', 'relu', 'relu'], /it has 5 steps, and at most 4 are judged\.$/],
    [['gelu-tahn'], /^Unknown epilogue step "gelu-tahn"\. Did you mean "gelu-tanh"\?/],
    [['toString'], /^Unknown epilogue step "toString"\./],
    [
      ['bias'],
      /^Step 1 of the epilogue, bias, cannot be used: it needs "values": a number, a row or a column\.$/,
    ],
    [
      [{ step: 'bias', values: new Float32Array(4) }],
      /"values" has 4 entries; a number, a row of 5 or a column of 3 is needed\.$/,
    ],
    [[{ step: 'bias', values: square(4, 1) }], /"values" is 4×1; /],
    [[{ step: 'bias', value: row }], /it has no parameter "value"; did you mean "values"\.$/],
    [[{ step: 'relu', slope: 1 }], /it has no parameters, and "slope" is given\.$/],
    [[{ step: 'residual', values: row }], /"values" has 5 entries; a 3×5 matrix is needed\.$/],
    [[{ step: 'residual', values: 1 }], /"values" must be a 3×5 matrix, but is 1\.$/],
    [
      [{ step: 'scale', values: 0 }],
      /"values" must be a number, a row or a column, finite and not 0, but is 0\.$/,
    ],
    [[{ step: 'scale', values: Number.NaN }], /but is NaN\.$/],
    [[{ step: 'scale', values: [1, 2, Infinity, 1, 1] }], /but is Infinity at entry 2\.$/],
    [
      ['swiglu'],
      /^Step 1 of the epilogue, swiglu, cannot be used: it takes two halves of the columns, and the product has 5 columns\.$/,
    ],
    [
      [{ step: 'requantize', to: 'int8', scale: 1 }, 'relu'],
      /^Step 1 of the epilogue, requantize, .*it must be the last step, and relu follows; put relu before it\.$/,
    ],
    [[{ step: 'requantize', to: 'int9', scale: 1 }], /"to" must be one of int8, .*, but is "int9"\.$/],
    [[{ step: 'requantize', to: 'int8' }], /it needs "scale"/],
    [[{ step: 'requantize', to: 'int8', scale: -1 }], /finite and above 0, but is -1\.$/],
    [
      [{ step: 'requantize', to: 'int8', scale: 1, zeroPoint: 128 }],
      /"zeroPoint" must be a number of int8, from -128 to 127, but is 128\.$/,
    ],
    [
      [{ step: 'requantize', to: 'int8', scale: 1, overflow: 'special' }],
      /"overflow" must be saturate or wraps, since int8/,
    ],
    [
      [{ step: 'requantize', to: 'e4m3', scale: 1, zeroPoint: 1 }],
      /"zeroPoint" must be 0, since e4m3 has none\.$/,
    ],
    [[{ step: 'requantize', to: 'e4m3', scale: 1, overflow: 'wraps' }], /since e4m3 does not wrap\.$/],
    [[{ step: 'clamp', low: 2, high: 1 }], /"low" is 2 and exceeds "high", 1\.$/],
    [[{ step: 'leaky-relu', slope: -1 }], /"slope" must be a finite number, at least 0, but is -1\.$/],
    [
      [{ step: 'gelu', accuracy: 'cudafast' }],
      /"accuracy" must be one of cuda, cuda-fast, wgsl, but is "cudafast"\.$/,
    ],
    [[{ step: 'gelu', ulps: -1 }], /"ulps" must be a number, at least 0, but is -1\.$/],
  ])('%j', (given, message) => {
    expect(() => readEpilogue(given, sizes)).toThrow(message);
  });
});

it('describes steps by their places and settings', () => {
  const steps = [
    { step: 'bias', values: row },
    'gelu',
    { step: 'scale', values: square(6, 1) },
    { step: 'requantize', to: 'uint8', scale: 0.5, zeroPoint: 8 },
  ];
  expect(describeEpilogue(readEpilogue(steps, sizes))).toBe(
    'bias (row), gelu, scale (column), requantize (uint8, scale 0.5, zeroPoint 8)',
  );
});
