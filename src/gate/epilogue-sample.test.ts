import { describe, expect, it } from 'vitest';
import { NO_EPILOGUE } from '../epilogue/chain-text.ts';
import { builtinCaseItems } from '../kernels/case-items.ts';
import { makeKernelCatalog } from '../kernels/kernel-catalog.ts';
import type { UserKernel } from '../kernels/user-kernel.ts';
import { formatCase, parseCase } from '../problem/case.ts';
import { whyImpossible } from '../problem/why-impossible.ts';
import { markCore } from '../run/core.ts';
import { defaultCampaign } from './campaign.ts';
import { describeEpilogueLimits } from './epilogue-sample.ts';
import { planCampaign } from './plan-campaign.ts';

const draws = {
  ...{ seed: 1, rounds: 1, extent: { products: 2 ** 12, entries: 2 ** 12 } },
  ...{ largest: 1, sizes: 16, programs: 2, sweeps: 0 },
};
const CHAINS = ['bias:row,gelu-tanh', 'scale:column,bias:row,relu', 'swiglu'];
const accepts = {
  ...{ alpha: true, beta: true, batch: true, outOfPlace: true, transposed: true },
  epilogue: [NO_EPILOGUE, ...CHAINS].join('|'),
};

const planned = (epilogue = accepts.epilogue, claims: UserKernel['claims'] = {}) => {
  const spec: UserKernel = {
    ...{ name: 'mine', claims },
    multiply: () => new Float32Array(),
    accepts: { ...accepts, epilogue },
  };
  const catalog = makeKernelCatalog([spec], builtinCaseItems);
  return planCampaign({ ...defaultCampaign, kernels: ['mine'], draws }, catalog);
};

describe('epilogues of a plan', () => {
  const cases = planned();
  const of = (chain: string) => cases.filter(({ problem }) => problem.epilogue === chain);

  it('follow about half of the products, each as often as others', () => {
    const share = of(NO_EPILOGUE).length / cases.length;
    expect(share).toBeGreaterThan(0.4);
    expect(share).toBeLessThan(0.7);
    for (const chain of CHAINS) expect(of(chain).length / cases.length).toBeGreaterThan(0.08);
  });

  it.each(CHAINS)('%s meets batches, factors, layouts, tails and repetitions', (chain) => {
    const own = of(chain).map(({ problem }) => problem);
    expect(own.filter(({ batch }) => batch > 1).length).toBeGreaterThan(2);
    expect(own.filter(({ alpha }) => alpha !== 1).length).toBeGreaterThan(2);
    expect(own.filter(({ beta }) => beta !== 0).length).toBeGreaterThan(2);
    expect(own.filter(({ a }) => a.op === 't').length).toBeGreaterThan(2);
    expect(own.filter(({ d }) => d !== undefined).length).toBeGreaterThan(2);
    expect(own.filter(({ m, n }) => m > 32 && n > 32 && m % 32 > 0 && n % 32 > 0).length).toBeGreaterThan(0);
    expect(own.filter(({ repeats }) => repeats > 1).length).toBeGreaterThan(2);
  });

  it('of gates never follow a product that is nearly I, whose halves cancel', () => {
    const pairs = cases.filter(({ problem }) => problem.input === 'inverse-pair');
    expect(pairs.length).toBeGreaterThan(2);
    expect(pairs.filter(({ problem }) => problem.epilogue === 'swiglu')).toEqual([]);
    expect(planned('swiglu').filter(({ problem }) => problem.input === 'inverse-pair')).toEqual([]);
  });

  it('follow special entries of classical products alone', () => {
    const special = (all: ReturnType<typeof planned>) =>
      all.filter(({ problem: { input, edit } }) => input === 'special-values' || /nan|infinity/.test(edit));
    const chainsOf = (all: ReturnType<typeof planned>) =>
      special(all).filter(({ problem }) => problem.epilogue !== NO_EPILOGUE).length;
    expect(chainsOf(cases)).toBeGreaterThan(3);
    const fast = planned(accepts.epilogue, { algorithm: 'strassen', levels: 1 });
    expect(special(fast).length).toBeGreaterThan(3);
    expect(
      special(fast).filter(({ problem, method }) => problem.epilogue !== NO_EPILOGUE && method.levels > 0),
    ).toEqual([]);
  });

  it('are possible, and their texts give the same cases', () => {
    for (const value of cases) {
      expect(whyImpossible(value)).toBeUndefined();
      expect(formatCase(parseCase(formatCase(value)))).toBe(formatCase(value));
    }
  });

  it('are all in the core', () => {
    const core = markCore(cases).filter(({ needed }) => needed === true);
    for (const chain of CHAINS) expect(core.some(({ problem }) => problem.epilogue === chain)).toBe(true);
  });

  it('follow every product of a kernel that accepts no others, at even n before a gate', () => {
    const gated = planned('swiglu');
    expect(gated.length).toBeGreaterThan(cases.length / 3);
    expect(gated.every(({ problem: { epilogue, n } }) => epilogue === 'swiglu' && n % 2 === 0)).toBe(true);
  });

  it('leave the plan of other kernels as it is', () => {
    expect(planned(NO_EPILOGUE).every(({ problem }) => problem.epilogue === NO_EPILOGUE)).toBe(true);
  });
});

it('says with what epilogues are not tested', () => {
  const spec = { name: 'mine', multiply: () => new Float32Array(), accepts } as UserKernel;
  expect(describeEpilogueLimits(spec)).toEqual([
    'The epilogues of mine were not tested with call sequences, the growth series and odd n before a gate.',
    'Errors behind an epilogue are judged by bounds: sigmas are not derived through its steps.',
  ]);
  expect(describeEpilogueLimits({ ...spec, accepts: {} } as UserKernel)).toEqual([]);
});
