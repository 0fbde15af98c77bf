import { expect, it } from 'vitest';
import { registryOf } from '../../base/registry.ts';
import { exactProduct } from '../../exact/exact.ts';
import { modelKernel } from '../../kernels/model-kernel.ts';
import { emulated } from '../../precision/arithmetic.ts';
import { singleComputation } from '../../precision/single.ts';
import { parseCase } from '../../problem/case.ts';
import { Evaluator } from '../evaluate.ts';
import { resultOf } from '../result-of.ts';
import { defaultThresholds } from './check.ts';
import { checks } from './checks.ts';
import { type CheckSpec, defineCheck } from './define-check.ts';

const value = parseCase('kernel=classical:model;m=5;k=6;n=7');
const kernel = modelKernel('classical', singleComputation(emulated));
const evaluator = new Evaluator(exactProduct);
const evidence = await evaluator.evaluate(await evaluator.prepare(value, kernel));

/** Judges a case by the built-in checks and one more. */
function judgedBy(judge: unknown, more: Partial<CheckSpec> = {}) {
  const mine = defineCheck({ name: 'mine', what: 'Is it mine?', judge, ...more } as CheckSpec);
  return resultOf(value, kernel, evidence, defaultThresholds, { checks: checks.with([mine]) });
}

it('appears in the verdict of a case', async () => {
  expect(await judgedBy(() => ({ status: 'pass', message: 'It is.' }))).toMatchObject({
    verdict: 'pass',
    checks: expect.arrayContaining([{ name: 'mine', status: 'pass', message: 'It is.' }]),
  });
  const failed = await judgedBy(({ outcomes }: typeof evidence) => ({
    status: 'fail',
    message: `C has ${outcomes[0].c.data.length} entries.`,
    found: 35,
  }));
  expect(failed).toMatchObject({ verdict: 'fail', reason: 'C has 35 entries.' });
});

it('passes a case that nothing else judges only where it is decisive', async () => {
  const verdictBy = async (decisive: boolean) => {
    const only = { name: 'only', what: 'Is all well?', decisive };
    const check = defineCheck({ ...only, judge: () => ({ status: 'pass', message: 'Yes.' }) });
    const { verdict } = await resultOf(value, kernel, evidence, defaultThresholds, {
      checks: registryOf('check', [check]),
    });
    return verdict;
  };
  expect([await verdictBy(true), await verdictBy(false)]).toEqual(['pass', 'inconclusive']);
});

it('has entries shown where it fails, unless it judges the product', async () => {
  const failing = (judges?: 'product') =>
    judgedBy(() => ({ status: 'fail', message: 'No.' }), judges && { judges });
  expect(await failing()).toHaveProperty('excerpt');
  expect(await failing('product')).not.toHaveProperty('excerpt');
});

it.each([
  [
    () => {
      throw new TypeError('x is undefined');
    },
    'The check mine threw an error: x is undefined.',
  ],
  [
    () => {
      throw new Error('No file a.json was found.');
    },
    /^The check mine threw an error: No file a\.json was found\.$/,
  ],
  [() => undefined, 'The check mine returned no valid answer: must be an object, but is undefined.'],
  [
    () => ({ status: 'good', message: 'Yes.' }),
    /^The check mine returned no valid answer: status: must be "pass" or .*, but is "good"\.$/,
  ],
])('that fails to answer leaves its case inconclusive (%#)', async (judge, reason) => {
  const result = await judgedBy(judge);
  expect(result.verdict).toBe('inconclusive');
  expect(result.reason).toMatch(reason);
});

it.each([
  [
    { name: 'exact' },
    /The check "exact" cannot be registered: gemm-paranoia already has one of this name. Rename the one in the config/,
  ],
  [{ name: 'a b' }, /a name cannot contain spaces/],
  [{ what: '' }, /what must be a question/],
  [{ judges: 'rows' as never }, /judges must be "entries" or "product"/],
  [{ judge: 7 as never }, /judge must be a function/],
])('is refused where it is none: %o', (more, message) => {
  expect(() => judgedBy(() => ({ status: 'pass', message: 'Yes.' }), more)).toThrow(message);
});
