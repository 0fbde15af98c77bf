import { describe, expect, it } from 'vitest';
import { judgeKernels } from '../src/config/node/judge-kernels.ts';
import { judgeProduct } from '../src/evidence/judge-product.ts';
import { checkKernel } from '../src/kernels/check-kernel.ts';
import type { Claims } from '../src/kernels/claims.ts';
import { defineKernel } from '../src/kernels/user-kernel.ts';
import { matrix } from '../src/matrix/dense.ts';
import { toBeProductOf, toPassGate } from '../src/vitest/matchers.ts';

/**
 * The law: claims that contradict each other or the precision are refused by every entry point, in the same sentence. The matchers do not
 * pass with them, under `not` either.
 *
 * Why: a bound from impossible claims is the bound of no kernel; to keep it proves nothing.
 */
const wrong: readonly (readonly [claims: object | null, precision: string, why: RegExp])[] = [
  [{ arithmetic: { accumulator: { bits: 22 } } }, 'f32', /from 24 \(the bits of f32\) to 128/],
  [
    { arithmetic: { accumulator: { compensated: 'kahan' } }, order: 'split-k' },
    'f32',
    /of the order split-k, but neither partition nor parts/,
  ],
  [
    { order: 'blocked', partition: 0 },
    'f32',
    /its claims\.partition must be a whole number of terms, at least 1, but is 0\./,
  ],
  [
    { order: 'blocked', partition: Number.NaN },
    'f32',
    /its claims\.partition must be a whole number of terms, at least 1, but is NaN\./,
  ],
  [{ order: 'split-k', parts: 4, partition: 4 }, 'f32', /both partition and parts/],
  [{ order: 'split-k', cut: 'even' }, 'f32', /a cut of k, but not the number of parts/],
  [
    { order: 'split-k', parts: 4, cut: { tile: 0 } },
    'f32',
    /its claims\.cut\.tile must be a whole number of terms, at least 1, but is 0\./,
  ],
  [{ order: 'sequential', parts: 4 }, 'f32', /but the order sequential has none/],
  [
    { order: 'sequentially' },
    'f32',
    /its claims\.order must be one of \(any, .*\), but is "sequentially"; did you mean "sequential"\?/,
  ],
  [{ ordre: 'sequential' }, 'f32', /`claims` has the unknown key "ordre"; did you mean "order"\?/],
  [
    { arithmetic: { rounding: 'up' } },
    'f32',
    /its claims\.arithmetic\.rounding must be one of \(nearest, .*\), but is "up"\./,
  ],
  [
    { arithmetic: { operands: { rounding: 'toward-zero' } } },
    'f32',
    /a rounding of operands, but f32 multiplies them unrounded/,
  ],
  [
    { arithmetic: { result: { rounding: 'toward-zero' } } },
    'f32',
    /a rounding of results, but f32 leaves its sums unrounded/,
  ],
  [{ arithmetic: { accumulator: { terms: 8 } } }, 'f16-f32', /but not within how many bits/],
  [
    { arithmetic: { subnormals: { operands: true, below: Number.POSITIVE_INFINITY } } },
    'f32',
    /its claims\.arithmetic\.subnormals\.below must be a finite number, at least 0, but is Infinity\./,
  ],
  [{ arithmetic: { rounding: 'toward-zero' } }, 'int8-i32', /sums of int8-i32 are exact/],
  [{ algorithm: 'strassen' }, 'posit16', /posit16 multiplies only entries/],
  [{ beta: 'result' }, 'posit16', /the relative error of posit16 is not constant/],
  [{ arithmetic: { result: { rounding: 'toward-zero' } } }, 'posit16', /posit16 always rounds to nearest/],
  [{ arithmetic: { accumulator: { compensated: 'kahan' } } }, 'int8-i32', /but sums of int8-i32 are exact/],
  [{ arithmetic: { zeroPoints: 'last' } }, 'f32', /f32 has no zero points/],
  [
    { alpha: 'middle' },
    'f32',
    /its claims\.alpha must be one of \(first, operand, last, result\), but is "middle"\./,
  ],
  [
    { alpha: 'operand' },
    'f32',
    /alpha is rounded with operands, but operands of f32 have the format of its sums/,
  ],
  [
    { alpha: 'operand', algorithm: 'strassen' },
    'f16-f32',
    /alpha is rounded with operands, but a fast algorithm adds operands first/,
  ],
  [{ beta: 'result' }, 'f16-f32', /applies to rounded results, but f16-f32 does not round its sums/],
  [{ beta: 'operand' }, 'f16-f32', /its claims\.beta must be first, last or result, but is "operand"\./],
  [
    { alpha: 'result', arithmetic: { result: { overflow: 'saturate' } } },
    'f16-f32-f16',
    /applies to rounded results, but also that these saturate/,
  ],
  [{ deterministic: 'yes' }, 'f32', /its claims\.deterministic must be true or false, but is "yes"\./],
  [{ algorithm: '3m' }, 'f32', /claims 3m, which multiplies complex matrices, but its precision is f32/],
  [{ algorithm: 'strasen' }, 'f32', /"strasen"\. Did you mean "strassen"\?/],
  [
    { algorithm: 'strassen', levels: 1.5 },
    'f32',
    /its claims\.levels must be a whole number from 0 to 15, but is 1\.5\./,
  ],
  [
    { recursion: { fringe: 'pad' } },
    'f32',
    /its claims\.recursion\.fringe must be one of \(static-pad, .*\), but is "pad"[.;]/,
  ],
  [{ recursion: { fringe: 'static-pad' } }, 'f32', /a classical product does not recurse/],
  [null, 'f32', /its claims must be an object, but is null\./],
];

const state = { testPath: '/p/gemm.test.ts', currentTestName: 'refuses', isNot: false };
const one = matrix(1, 1, Float32Array.of(1));
const kernelOf = (claims: unknown, precision: string) =>
  defineKernel({
    name: 'mine',
    precision,
    claims: claims as Claims,
    multiply: () => Float32Array.of(1),
  } as never);

/** Each entry point: its error, or the message of a matcher that does not pass. */
const ways: Readonly<Record<string, (claims: Claims, precision: string) => unknown>> = {
  judgeProduct: (claims, precision) => judgeProduct(one, one, one, { claims, precision }),
  checkKernel: (claims, precision) => checkKernel(kernelOf(claims, precision)),
  judgeKernels: (claims, precision) => judgeKernels({ kernels: [kernelOf(claims, precision)] }),
  ...Object.fromEntries(
    [false, true].flatMap((isNot) => [
      [
        `${isNot ? 'not.' : ''}toBeProductOf`,
        (claims: Claims, precision: string) =>
          failing(isNot, toBeProductOf.call({ ...state, isNot }, one, one, one, { claims, precision })),
      ],
      [
        `${isNot ? 'not.' : ''}toPassGate`,
        async (claims: Claims, precision: string) =>
          failing(isNot, await toPassGate.call({ ...state, isNot }, kernelOf(claims, precision))),
      ],
    ]),
  ),
};

function failing(isNot: boolean, { pass, message }: { pass: boolean; message: () => string }): void {
  if (pass === isNot) throw new Error(message());
}

describe.each(Object.entries(ways))('by %s', (_, enter) => {
  it.each(wrong)('%j in %s are refused', async (claims, precision, why) => {
    const entering = async () => enter(claims as Claims, precision);
    await expect(entering()).rejects.toThrow(why);
    await expect(entering()).rejects.toThrow(/^[^\n]*[.?]$|Known: /);
  });
});
