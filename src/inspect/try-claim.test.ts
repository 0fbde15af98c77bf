import { expect, test } from 'vitest';
import { itWhole } from '../base/in-short.testing.ts';
import { externalKernel } from '../kernels/external-kernel.ts';
import { openFunctionKernel } from '../kernels/function-kernel.ts';
import type { FunctionKernel } from '../kernels/user-kernel.ts';
import { applyClaims } from '../precision/precision.ts';
import { singlePrecision } from '../precision/single.ts';
import type { Inspection } from './inspection.ts';
import { tryClaim } from './try-claim.ts';

/** Makes a kernel of three loops that rounds its products this way. */
function kernelOf(round: (x: number) => number) {
  const multiply: FunctionKernel<Float32Array>['multiply'] = (a, b, { m, k, n }) => {
    const c = new Float32Array(m * n);
    for (let i = 0; i < m; i++)
      for (let j = 0; j < n; j++)
        for (let p = 0; p < k; p++) c[i * n + j] += round(Math.fround(a[i * k + p] * b[p * n + j]));
    return c;
  };
  const spec = {
    name: 'x',
    multiply,
    accepts: { sizes: ({ k }: { k: number }) => (k < 40 ? true : 'it is kept small') },
  };
  return externalKernel(spec, openFunctionKernel(spec), applyClaims(singlePrecision));
}

const found: Inspection = {
  ...{ kernel: 'x', precision: 'f32', quick: true, seed: 1, findings: [], products: 1, seconds: 1 },
  measures: { multiplies: true, algorithm: 'classical' },
};

itWhole('a claim that products keep may be printed', async () => {
  expect(
    await tryClaim(
      kernelOf((x) => x),
      found,
    ),
  ).toBeUndefined();
});

test('products of one term that are not rounded to nearest keep no claim of that', async () => {
  // Added to 2^-8 of itself, each product loses its last bits.
  const parted = kernelOf((x) => Math.fround(Math.fround(x * (1 + 2 ** -8)) - Math.fround(x * 2 ** -8)));
  expect(await tryClaim(parted, found)).toMatch(
    /: \d+ of 2304 products of one term are not correctly rounded\. /,
  );
});

itWhole('a claim that products break is told with the case that shows it', async () => {
  const lossy = kernelOf((x) => (x > 0.1 && x < 4 ? x : x * (1 + 3 * 2 ** -24)));
  expect(await tryClaim(lossy, found)).toMatch(
    /^No claim holds: \d+ of \d+ entries .* \(kernel=x;.*;m=\d+;k=\d+;n=\d+;seed=1\)\.$/,
  );
});

test('what has no claim is not tried', async () => {
  const wrong = { ...found, measures: { multiplies: false } };
  expect(
    await tryClaim(
      kernelOf(() => 1),
      wrong,
    ),
  ).toBe('No claim fits, since the product is wrong or untested.');
});

test('one that is ended finds nothing', async () => {
  expect(
    await tryClaim(
      kernelOf(() => 1),
      found,
      () => true,
    ),
  ).toBeUndefined();
});
