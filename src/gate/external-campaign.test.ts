import { describe, expect, it } from 'vitest';
import { hasSpecialEntries } from '../inputs/edits/edited-family.ts';
import { checkCase } from '../kernels/check-case.ts';
import { makeKernelCatalog } from '../kernels/kernel-catalog.ts';
import { defineKernel, type UserKernel } from '../kernels/user-kernel.ts';
import { type Case, changeCase, flattenCase } from '../problem/case.ts';
import { type Budget, budgetOf } from '../run/budget.ts';
import { orderPlanned } from '../run/core.ts';
import { defaultCampaign, defaultInputs, defaultShapes } from './campaign.ts';
import { drawCasesAround, findRefusedShapes } from './external-campaign.ts';
import { planCampaign } from './plan-campaign.ts';

const multiply = () => new Float32Array(1);
const planned = (kernel: UserKernel, inputs = defaultInputs) =>
  planCampaign({ ...defaultCampaign, kernels: [kernel.name], inputs }, makeKernelCatalog([kernel]));

describe('a kernel that is not ours', () => {
  const mine = defineKernel({ name: 'mine', multiply });

  it('meets every input on every shape the input accepts, and the growth series, in one manner', () => {
    const cases = planned(mine);
    for (const input of ['integers', 'uniform', 'wide-exponents']) {
      const of = cases.filter((value) => value.problem.input === input);
      expect(of.map(({ problem: { m, k, n } }) => ({ m, k, n }))).toEqual(
        expect.arrayContaining(defaultShapes.map((shape) => shape)),
      );
    }
    expect(cases.filter(({ series }) => series).length).toBe(4 * 3 + 4);
    expect(new Set(cases.map(({ method: { levels, fringe, tail } }) => `${levels}${fringe}${tail}`))).toEqual(
      new Set(['0padmask']),
    );
    for (const value of cases) checkCase(value, makeKernelCatalog([mine]));
  });

  it.each(['quick', 'usual'])('has a core of 71 to 149 cases (%s)', (name) => {
    const draws = [1, 2, 3].map((seed) => ({ seed, ...(budgetOf(name) as Budget) }));
    for (const one of draws) {
      const campaign = { ...defaultCampaign, kernels: [mine.name], draws: one };
      const core = orderPlanned(planCampaign(campaign, makeKernelCatalog([mine]))).filter(
        ({ needed }) => needed === true,
      );
      expect(core.length).toBeGreaterThan(70);
      expect(core.length).toBeLessThan(150);
    }
  });

  it('is run at the levels it claims for a shape, in the precision it claims', () => {
    const levels = ({ n }: { n: number }) => (n >= 64 ? 2 : 0);
    const fast = defineKernel({
      ...mine,
      precision: 'f64',
      claims: { algorithm: 'strassen', levels },
    });
    const cases = planned(fast);
    expect(cases.length).toBeGreaterThan(100);
    for (const value of cases) {
      expect(flattenCase(value)).toMatchObject({ levels: levels(value.problem), precision: 'f64' });
    }
  });

  it('is not run on shapes that it refuses, and the report can say so', () => {
    const even = defineKernel({ ...mine, accepts: ({ m }) => m % 2 === 0 || 'm is odd' });
    const cases = planned(even);
    expect(cases.filter(({ problem: { m } }) => m % 2 === 1)).toEqual([]);
    const refused = findRefusedShapes(defaultCampaign, even);
    expect(refused).toMatchObject({ kernel: 'mine', of: defaultShapes.length, reason: 'm is odd' });
    expect(refused?.shapes.every(({ m }) => m % 2 === 1)).toBe(true);
    expect(findRefusedShapes(defaultCampaign, mine)).toBeUndefined();
    const odd = changeCase(cases[0], { m: 7 });
    expect(() => checkCase(odd, makeKernelCatalog([even]))).toThrow(
      /^mine does not support 7×.*, because m is odd\.$/,
    );
  });

  it('cannot be asked for another precision, nor for a planted fault', () => {
    const [value] = planned(mine);
    const check = (change: Parameters<typeof changeCase>[1]) => () =>
      checkCase(changeCase(value, change), makeKernelCatalog([mine]));
    expect(check({ precision: 'f16' })).toThrow(/mine computes in f32/);
    expect(check({ fault: 'one-tile-off' })).toThrow(/faults can be planted only in built-in kernels/);
  });
});

it('cases around a size fit the sums that a kernel claims', () => {
  const partialSums = { format: 'bf16', added: 'bf16' } as const;
  const claimed = { order: 'split-k', parts: 32, partialSums } as const;
  const inputs = [{}, claimed].map((claims) => {
    const mine = defineKernel({ name: 'mine', precision: 'bf16-f32-bf16', claims, multiply });
    const draws = { seed: 1, ...(budgetOf('usual') as Budget) };
    const around = drawCasesAround({ ...defaultCampaign, draws }, makeKernelCatalog([mine]));
    return around('mine', { k: [128] }).map(({ problem }) => problem.input);
  });
  expect(inputs.map((names) => names.includes('powers-of-two'))).toEqual([true, false]);
});

const AROUND = { m: [32, 64, 128], k: [64, 96, 128, 200], n: [32, 64, 128] };

it('a kernel that claims nothing about NaN and infinities meets random entries in their place', () => {
  const draws = { seed: 1, ...(budgetOf('usual') as Budget) };
  const isSpecial = ({ problem }: Case) => hasSpecialEntries(problem);
  const counts = [true, false].map((exceptions) => {
    const claims = { arithmetic: { exceptions } };
    const known = makeKernelCatalog([defineKernel({ name: 'mine', claims, multiply })]);
    const all = planCampaign({ ...defaultCampaign, kernels: ['mine'], draws }, known);
    const around = drawCasesAround({ ...defaultCampaign, draws }, known)('mine', AROUND);
    const before = all.flatMap(({ after = [] }) => after);
    return [all.length, ...[all, around, before].map((cases) => cases.filter(isSpecial).length)];
  });
  const [[whole, ...some], [fewer, ...none]] = counts;
  expect(Math.min(some[0], some[1])).toBeGreaterThan(0);
  expect(none).toEqual([0, 0, 0]);
  expect(fewer).toBeGreaterThan(0.98 * whole);
});
