import { expect, test } from 'vitest';
import { findAlgorithm } from '../algorithms/algorithms.ts';
import { compile } from '../plan/compile.ts';
import type { Step } from '../plan/plan.ts';
import type { Fringe } from '../problem/method.ts';
import { kernelCall } from './basic-kernels.ts';

/** Returns the steps of one level over a schedule of one group, after its operands were written. */
function stepsOf(schedule: string[][], fringe: Fringe = 'pad', size = 16): readonly Step[] {
  const algorithm = { ...findAlgorithm('classical'), name: 'made', schedule };
  return compile({ algorithm, shape: { m: size, k: size, n: size }, depth: { levels: 1 }, fringe }).steps;
}

const text = (step: Step) => {
  const { kernel, args } = kernelCall(step);
  return `${kernel}(${args.join(', ')})`;
};

// The ten kernels of Figure 11 with the arguments of section 5. Where two orders of a sum are one kernel, both.
test.each([
  [['C11 = A11 + A12'], 'add(A11, A12, C11)'],
  [['C11 = C11 + A12'], 'add(C11, A12, C11)'],
  [['C11 = A12 + C11'], 'add(A12, C11, C11)'],
  [['C11 = A11 - A12'], 'sub(A11, A12, C11)'],
  [['C11 = C11 - A12'], 'sub(C11, A12, C11)'],
  [['C11 = A12 - C11'], 'sub(A12, C11, C11)'],
  [['C11 = A11 * B11'], 'mul(A11, B11, C11)'],
  [['T1 = A11 * B11', 'C11 = C11 + T1'], 'mulInc(A11, B11, C11)'],
  [['T1 = A11 * B11', 'C11 = T1 + C11'], 'mulInc(A11, B11, C11)'],
  [['T1 = A11 * B11', 'C11 = C11 + T1', 'C12 = T1 + C12'], 'mulIncInc(A11, B11, C11, C12)'],
  [['T1 = A11 * B11', 'C11 = C11 + T1', 'C12 = C12 - T1'], 'mulIncDec(A11, B11, C11, C12)'],
  [['C11 = A11 * B11', 'C12 = C12 - C11'], 'mulStoreDec(A11, B11, C11, C12)'],
  [['C11 = A11 * B11', 'C12 = C12 + C11'], 'mulStoreInc(A11, B11, C11, C12)'],
  [['C11 = A11 * B11', 'C11 = C12 + C11'], 'mulAdd(A11, B11, C12, C11)'],
  [
    ['C22 = A11 * B11', 'C11 = C11 + C22', 'C12 = C11 + C12', 'C11 = C11 + C21'],
    'mulIncIncInc(A11, B11, C22, C21, C11, C12)',
  ],
  [['C21 = A11 * B11', 'C21 = C11 - C21', 'C22 = C11 + C22'], 'mulSubInc(A11, B11, C11, C21, C22)'],
  // A product that no step reads.
  [['T1 = A11 * B11'], 'multiply(A11, B11)'],
  // No kernel of the paper.
  [['C11 = -A11'], 'combine(A11, C11)'],
  [['C11 = A11 + A12', 'C12 = A11 - A12'], 'combine(A11, A12, C11, C12)'],
  [['T1 = A11 * B11', 'C11 = -T1'], 'multiply(A11, B11, C11)'],
  [['C21 = A11 * B11', 'C21 = C21 - C11', 'C22 = C11 + C22'], 'multiply(A11, B11, C11, C21, C22)'],
])('%o is %s', (group, call) => {
  const steps = stepsOf([group]);
  expect(steps.map(text)).toEqual([call]);
});

test('the thin products of peeling are mulInc and mul', () => {
  const steps = stepsOf([['C11 = A11 * B11']], 'peel', 17);
  expect(steps.slice(1).map(text)).toEqual(['mulInc(A, B, C)', 'mul(A, B, C)', 'mul(A, B, C)']);
});
