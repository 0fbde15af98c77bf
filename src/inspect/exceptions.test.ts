import { expect } from 'vitest';
import { isWhole, itWhole } from '../base/in-short.testing.ts';
import { stillClock } from '../base/time.ts';
import { externalKernel } from '../kernels/external-kernel.ts';
import { openFunctionKernel } from '../kernels/function-kernel.ts';
import type { FunctionKernel } from '../kernels/user-kernel.ts';
import type { ArithmeticClaims } from '../precision/arithmetic.ts';
import { applyClaims } from '../precision/precision.ts';
import { precisions } from '../precision/precisions.ts';
import { contradictions, promisesOf } from './contradictions.ts';
import { inspectKernel } from './inspect-kernel.ts';

const f = Math.fround;

/** Multiplies weights in blocks of 32, with zero points subtracted from elements or from sums, in binary32. */
const ofWeights =
  (from: 'elements' | 'sums'): FunctionKernel['multiply'] =>
  (a, b, { m, k, n }, _, d, factors = {}) => {
    const { scales: [scales] = [[]], zeros = [] } = factors.b ?? {};
    const blocks = Math.ceil(k / 32);
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < n; j++) {
        let sum = 0;
        for (let block = 0; block < blocks; block++) {
          const zero = zeros[j * blocks + block];
          let [part, left] = [0, 0];
          for (let p = block * 32; p < Math.min(k, block * 32 + 32); p++) {
            const y = b[p * n + j];
            part = f(part + f(a[i * k + p] * (from === 'sums' ? y : y - zero)));
            left = f(left + a[i * k + p]);
          }
          const own = from === 'sums' ? f(part - f(left * zero)) : part;
          sum = f(sum + f(own * scales[j * blocks + block]));
        }
        d[i * n + j] = sum;
      }
    }
    return d;
  };

async function inspected(from: 'elements' | 'sums', zeroPoints?: ArithmeticClaims['zeroPoints']) {
  const claims = zeroPoints === undefined ? {} : { arithmetic: { zeroPoints } };
  const spec = { name: 'mine', precision: 'nbits8', claims, multiply: ofWeights(from) };
  const computation = applyClaims(precisions.find('nbits8'), claims);
  const kernel = externalKernel(spec, openFunctionKernel(spec), computation);
  const found = await inspectKernel(kernel, { quick: true, sizes: [16], clock: stillClock });
  const method = { levels: 0, fringe: 'pad', tail: 'mask' } as const;
  return { told: found.measures.zeroPoints, disproved: contradictions(found, promisesOf(kernel, method)) };
}

itWhole('where zero points are subtracted is told, and what is claimed of it compared', async () => {
  expect(await inspected('elements')).toEqual({ told: 'elements', disproved: [] });
  if (isWhole) {
    expect(await inspected('sums', 'last')).toEqual({ told: 'sums', disproved: [] });
    expect(await inspected('elements', 'last')).toEqual({ told: 'elements', disproved: [] });
  }
  const { told, disproved } = await inspected('sums');
  expect(told).toBe('sums');
  expect(disproved).toContainEqual(expect.stringContaining("claim arithmetic: { zeroPoints: 'last' }"));
});
