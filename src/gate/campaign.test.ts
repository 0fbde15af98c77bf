import { describe, expect, it } from 'vitest';
import { growthOfKernel } from '../algorithms/growth.ts';
import { itWhole } from '../base/in-short.testing.ts';
import { findInput } from '../inputs/inputs.ts';
import { builtinCatalog } from '../kernels/kernel-catalog.ts';
import { precisions } from '../precision/precisions.ts';
import { changeCase, formatCase } from '../problem/case.ts';
import { fringes, tails } from '../problem/method.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import { type Campaign, defaultCampaign, defaultInputs, defaultShapes } from './campaign.ts';
import { planCampaign } from './plan-campaign.ts';
import type { DrawParameters } from './sampler.ts';

const planned = planCampaign(defaultCampaign);
const broad = planned.filter(({ series }) => !series);
const kernels = defaultCampaign.kernels.flatMap(builtinCatalog.expand);
const distinct = <T>(items: readonly T[]) => [...new Set(items)].sort();

describe('the default campaign', () => {
  it('meets every kernel × level × input that applies', () => {
    const met = distinct(
      planned.map(({ kernel, method: { levels }, problem: { input } }) => `${kernel} ${levels} ${input}`),
    );
    const expected = kernels.flatMap((kernel) =>
      [0, 1, 2, 3].flatMap((levels) => defaultInputs.map((input) => `${kernel} ${levels} ${input}`)),
    );
    expect(met).toEqual(expected.sort());
  });

  it('meets sizes of 1, primes, edges of tiles, rectangles and powers of two', () => {
    const shapes = distinct(broad.map(({ problem: { m, k, n } }) => `${m}×${k}×${n}`));
    for (const { m, k, n } of defaultShapes) expect(shapes).toContain(`${m}×${k}×${n}`);
    const sizes = new Set(broad.flatMap(({ problem: { m, k, n } }) => [m, k, n]));
    for (const size of [1, 2, 3, 7, 13, 15, 16, 17, 31, 33, 63, 64, 65, 97, 101, 127, 128, 129]) {
      expect(sizes).toContain(size);
    }
    expect(broad.some(({ problem: { m, k, n } }) => k > 8 * Math.max(m, n))).toBe(true);
    expect(broad.some(({ problem: { m, n } }) => m > 8 * n)).toBe(true);
    expect(broad.some(({ problem: { m, n } }) => n > 8 * m)).toBe(true);
  });

  it('meets integers of a shape that nothing divides with every kernel, level, fringe and tail', () => {
    const met = planned.filter(
      ({ problem: { input, m, k, n } }) => input === 'integers' && `${m},${k},${n}` === '43,29,51',
    );
    const how = met.map(
      ({ kernel, method: { levels, fringe, tail } }) => `${kernel} ${levels} ${fringe} ${tail}`,
    );
    const expected = kernels.flatMap((kernel) =>
      [0, 1, 2, 3].flatMap((levels) =>
        fringes.flatMap((fringe) => tails.map((tail) => `${kernel} ${levels} ${fringe} ${tail}`)),
      ),
    );
    expect(distinct(how)).toEqual(expected.sort());
  });

  it('computes at most 16,384 leaf products a drawn case, each of which is a dispatch', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const draws = { ...(defaultCampaign.draws as DrawParameters), seed };
      const cases = planCampaign({ ...defaultCampaign, draws });
      for (const { drawn, problem, method } of cases) {
        if (drawn) expect(problem.batch * 8 ** method.levels).toBeLessThanOrEqual(16_384);
      }
    }
  });

  it('meets every fringe with every tail on every input', () => {
    for (const input of defaultInputs) {
      const cases = broad.filter((value) => value.problem.input === input);
      expect(distinct(cases.map(({ method: { fringe, tail } }) => `${fringe} ${tail}`))).toHaveLength(4);
    }
  });

  it('has a growth series for every algorithm and level, with replicates where seeds matter', () => {
    const series = planned.filter((value) => value.series);
    for (const algorithm of ['classical', 'strassen', 'winograd']) {
      const own = series.filter(({ kernel }) => kernel.startsWith(`${algorithm}:`));
      for (const levels of [0, 1, 2, 3]) {
        const at = (input: string) =>
          own
            .filter((value) => value.method.levels === levels && value.problem.input === input)
            .map(({ problem: { n, seed } }) => `${n} ${seed}`);
        const sizes = [32, 64, 128, 256];
        expect(distinct(at('inverse-pair'))).toEqual(sizes.map((n) => `${n} 1`).sort());
        expect(distinct(at('uniform'))).toEqual(
          sizes.flatMap((n) => [1, 2, 3].map((s) => `${n} ${s}`)).sort(),
        );
      }
    }
  });

  it('names no case twice, and only cases that their input accepts', () => {
    expect(distinct(planned.map(formatCase))).toHaveLength(planned.length);
    for (const { kernel, problem, method } of planned) {
      const { m, k, n, input } = problem;
      const limits = {
        levels: method.levels,
        growth: growthOfKernel(kernel),
        precision: precisions.find(problem.precision),
      };
      expect(findInput(input).accepts({ m, k, n, ...limits })).toEqual({ ok: true });
    }
  });

  itWhole('is the same every time, and lists cases of one input together, large products last', () => {
    expect(planCampaign(defaultCampaign)).toEqual(planned);
    const products = planned.map(({ problem: { m, k, n, batch } }) => m * k * n * batch);
    const small = products.findIndex((count) => count > 2 ** 21);
    expect(products.slice(small)).toEqual(products.slice(small).sort((x, y) => x - y));
    const inputs = planned.slice(0, small).map(({ problem: { input } }) => input);
    expect(inputs.filter((input, at) => input !== inputs[at - 1])).toEqual(defaultInputs);
  });
});

describe('a campaign of one’s own', () => {
  const plan = (change: Partial<Campaign>): PlannedCase[] => planCampaign({ ...defaultCampaign, ...change });
  const few: Partial<Campaign> = { kernels: ['classical:naive'], replicates: 0, combinations: false };

  it('runs every shape asked for, each once', () => {
    const shapes = [
      { m: 4, k: 5, n: 6 },
      { m: 7, k: 8, n: 9 },
      { m: 7, k: 8, n: 9 },
    ];
    const cases = plan({
      ...few,
      inputs: ['uniform'],
      shapes,
      shapesEach: 'all',
      fringes: ['pad'],
      tails: ['mask'],
    });
    expect(cases).toHaveLength(2 * defaultCampaign.levels.length);
    expect(distinct(cases.map(({ problem: { m, k, n } }) => `${m},${k},${n}`))).toEqual(['4,5,6', '7,8,9']);
  });

  it('replaces shapes that an input refuses by others, and leaves out what none suits', () => {
    const shapes = [
      { m: 4, k: 5, n: 6 },
      { m: 8, k: 8, n: 8 },
      { m: 9, k: 9, n: 9 },
    ];
    const pair = plan({ ...few, inputs: ['inverse-pair'], levels: [0], shapes });
    expect(pair.map(({ problem: { n } }) => n)).toEqual([8, 9]);
    expect(plan({ ...few, inputs: ['inverse-pair'], levels: [0], shapes: shapes.slice(0, 1) })).toEqual([]);
  });

  itWhole('takes the seed, and as many replicates as asked for', () => {
    const cases = plan({ kernels: ['strassen'], inputs: ['uniform'], seed: 40, replicates: 2 });
    const series = cases.filter((value) => value.series);
    expect(distinct(series.map(({ problem: { seed } }) => seed))).toEqual([40, 41]);
    expect(distinct(series.map(({ kernel }) => kernel))).toHaveLength(1);
    expect(distinct(cases.filter((value) => !value.series).map(({ problem: { seed } }) => seed))).toEqual([
      40,
    ]);
    expect(plan({ replicates: 0 }).some(({ series }) => series)).toBe(false);
  });

  it('is planned anew for every precision, on the inputs and levels that it can hold', () => {
    const inputs = ['integers', 'uniform', 'scaled-rows'];
    const cases = plan({ ...few, inputs, precisions: ['f16', 'f32', 'f64'], shapesEach: 1 });
    const met = (name: string) =>
      distinct(
        cases
          .filter((value) => value.problem.precision === name)
          .map((value) => `${value.problem.input} ${value.method.levels}`),
      );
    const all = ['integers', 'scaled-rows', 'uniform'].flatMap((input) =>
      [0, 1, 2, 3].map((l) => `${input} ${l}`),
    );
    expect(met('f32')).toEqual(all);
    expect(met('f64')).toEqual(all);
    // 2^20 is beyond binary16, and so are the sums of three levels.
    expect(met('f16')).toEqual(all.filter((text) => !text.startsWith('scaled') && text !== 'integers 3'));
  });

  it('gives every precision its combinations and its growth series, one precision after the other', () => {
    const cases = plan({ kernels: ['strassen:naive'], precisions: ['bf16-f32', 'f32'], levels: [0, 3] });
    const of = (name: string) =>
      cases
        .filter((value) => value.problem.precision === name)
        .map((value) => formatCase(changeCase(value, { precision: 'f32' })));
    expect(of('bf16-f32').length).toBeGreaterThan(40);
    expect(of('bf16-f32').toSorted()).toEqual(of('f32').toSorted());
    const small = cases.filter(({ problem: { m, k, n } }) => m * k * n < 2 ** 20);
    const names = small.map(({ problem: { precision } }) => precision);
    expect(names.filter((name, at) => at === 0 || name !== names[at - 1])).toHaveLength(2);
    expect(distinct(cases.map(formatCase))).toHaveLength(cases.length);
  });
});
