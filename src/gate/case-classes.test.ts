import { describe, expect, it } from 'vitest';
import { makeKernelCatalog } from '../kernels/kernel-catalog.ts';
import { defineKernel, type UserKernel } from '../kernels/user-kernel.ts';
import { everything, features } from '../matrix/features.ts';
import { requestedGemm } from '../matrix/gemm.ts';
import { toGemm } from '../problem/gemm-of.ts';
import { type Budget, budgetOf } from '../run/budget.ts';
import { markCore } from '../run/core.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import { defaultCampaign } from './campaign.ts';
import { planCampaign } from './plan-campaign.ts';

const KEYS = ['m', 'k', 'n'] as const;
type Sizes = Pick<PlannedCase['problem'], (typeof KEYS)[number]>;
type Key = (typeof KEYS)[number];

const multiply = () => new Float64Array(1);
const plain = defineKernel({ name: 'plain', precision: 'f64', multiply });
const whole = defineKernel({ ...plain, name: 'whole', accepts: everything });

/** Plans the default gate of a kernel for several seeds. */
const plansOf = (kernel: UserKernel): PlannedCase[][] =>
  [1, 2, 3].map((seed) => {
    const draws = { seed, ...(budgetOf('usual') as Budget) };
    const planned = planCampaign(
      { ...defaultCampaign, kernels: [kernel.name], draws },
      makeKernelCatalog([kernel]),
    );
    return markCore(planned);
  });

const plans = { plain: plansOf(plain), whole: plansOf(whole) };
const others = (key: Key, sizes: Sizes) => KEYS.filter((one) => one !== key).map((one) => sizes[one]);
const isTiny = ({ m, k, n }: Sizes) => Math.max(m, k, n) <= 3 && m * k * n > 0;

describe.each(Object.entries(plans))('every default gate of a %s kernel', (_, all) => {
  const meets = (is: (sizes: Sizes) => boolean) =>
    all.every((plan) => plan.some(({ problem }) => is(problem)));

  it.each(KEYS)('meets %s alone aligned to a smaller power of two', (key) => {
    for (const power of [8, 16, 32, 64, 128]) {
      const is = (sizes: Sizes) =>
        sizes[key] % (2 * power) === power &&
        others(key, sizes).every((size) => size > 0 && size % 256 === 0);
      expect(meets(is), `${key} with ${power}`).toBe(true);
    }
  });

  it.each(KEYS)('meets %s alone beside each power of two', (key) => {
    for (const power of [64, 128, 256, 512, 1024]) {
      for (const size of [power - 1, power + 1]) {
        const is = (sizes: Sizes) =>
          sizes[key] === size && others(key, sizes).every((other) => other > 0 && other % 64 === 0);
        expect(meets(is), `${key} of ${size}`).toBe(true);
      }
    }
  });

  it.each(KEYS)('meets two other sizes of 2 with %s small and large', (key) => {
    const is = (least: number, most: number) => (sizes: Sizes) =>
      sizes[key] >= least && sizes[key] <= most && others(key, sizes).every((size) => size === 2);
    expect(meets(is(8, 128))).toBe(true);
    expect(meets(is(129, 4096))).toBe(true);
  });

  it('needs all sizes beyond 512 for a pass', () => {
    for (const plan of all) {
      const needed = plan.filter((value) => value.needed === true);
      expect(needed.some(({ problem: { m, k, n } }) => Math.min(m, k, n) > 512)).toBe(true);
    }
  });
});

describe('every default gate of a whole kernel', () => {
  const tiny = plans.whole.map((plan) => plan.filter(({ problem }) => isTiny(problem)));

  it.each(features.filter(({ key }) => everything[key] === true && key !== 'empty'))(
    'meets $key in several tiny products',
    ({ needs }) => {
      for (const cases of tiny) {
        const having = cases.filter(({ problem }) => needs(requestedGemm(toGemm(problem))));
        expect(having.length).toBeGreaterThan(3);
      }
    },
  );

  it('meets alpha = 0 with NaN in operands of tiny products, and needs alpha = 0 in one', () => {
    for (const cases of tiny) {
      const unread = cases.filter(({ problem: { alpha } }) => alpha === 0);
      expect(unread.filter(({ problem: { edit } }) => edit.startsWith('nan:')).length).toBeGreaterThan(3);
      expect(unread.some(({ needed }) => needed === true)).toBe(true);
    }
  });

  it('needs batches of blocks with an edge along k, and batches of long sums', () => {
    for (const plan of plans.whole) {
      const needed = plan.filter((value) => value.needed === true && value.problem.batch > 1);
      expect(
        needed.some(({ problem: { m, k, n } }) => Math.min(m, k, n) > 32 && k % 32 > 0),
        'blocks',
      ).toBe(true);
      expect(
        needed.some(({ problem: { k } }) => k >= 32_767),
        'long sums',
      ).toBe(true);
    }
  });
});
