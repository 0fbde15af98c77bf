import { expect, it } from 'vitest';
import { builtinPlan } from '../kernels/builtin-plan.ts';
import type { Kernel } from '../kernels/kernel.ts';
import { modelKernel } from '../kernels/model-kernel.ts';
import { emulated } from '../precision/arithmetic.ts';
import { singleComputation } from '../precision/single.ts';
import { parseCase } from '../problem/case.ts';
import { builtinItems } from './items.ts';
import { prepareJob } from './prepare.ts';
import { listRepetitions } from './repetitions.ts';

const kernel: Kernel = {
  ...modelKernel('classical', singleComputation({ ...emulated, fma: 'once' })),
  leaf: 'naive',
  plan: (shape, manner, scaling) => builtinPlan('classical:naive', shape, manner, undefined, scaling),
};

it('a vector follows products by wider matrices of NaN, of small and of large widths', () => {
  const widths = Array.from({ length: 12 }, (_, at) => {
    const value = parseCase(`kernel=classical:naive;input=uniform;m=9;k=11;n=1;seed=${at + 1};repeats=30`);
    const repetitions = listRepetitions(prepareJob(value, kernel, builtinItems), value, builtinItems);
    const before = repetitions.flatMap((one) => one.before.map(({ operands: { a, b } }) => ({ a, b })));
    const poisoned = before.filter(({ b }) => b.cols > 1 && b.data.every(Number.isNaN));
    expect(poisoned.every(({ a }) => a.data.every(Number.isFinite))).toBe(true);
    return poisoned.map(({ b }) => b.cols);
  });
  expect(widths.every((own) => own.length > 0)).toBe(true);
  expect(Math.min(...widths.flat())).toBeLessThan(8);
  expect(Math.max(...widths.flat())).toBeGreaterThan(128);
});
