import { afterAll, describe, expect, it } from 'vitest';
import { inShort, isWhole, itWhole } from '../base/in-short.testing.ts';
import { Evaluator } from '../evidence/evaluate.ts';
import { exactProduct } from '../exact/exact.ts';
import { openNodeDevice } from '../gpu/node/open.ts';
import { type Fault, faults, findFault, rungs } from '../kernels/faults/faults.ts';
import { isSampled, precisions } from '../precision/precisions.ts';
import { formatCase } from '../problem/case.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import { defaultCampaign } from './campaign.ts';
import { defaultSample } from './default-sample.ts';
import { planCampaign } from './plan-campaign.ts';
import { casesFor, type FaultOutcome, selfTest } from './self-test.ts';
import { isAsExpected, summarizeFaults } from './self-test-summary.ts';

const open = await openNodeDevice({ adapter: 'software' });
afterAll(() => open.close());
const evaluator = new Evaluator(exactProduct);

/** Returns the cases of a gate of one kernel in one precision. */
function planIn(precision: string, kernel: string): Set<string> {
  const known = plans.get(`${precision} ${kernel}`);
  if (known !== undefined) return known;
  const cases = planCampaign({ ...defaultCampaign, precisions: [precision], kernels: [kernel] });
  const made = new Set(cases.map(formatCase));
  plans.set(`${precision} ${kernel}`, made);
  return made;
}
const plans = new Map<string, Set<string>>();

describe('the self-test', () => {
  itWhole('tells the case that failed, and what it said', async () => {
    const told: string[] = [];
    const onFault = ({ fault }: FaultOutcome) => told.push(fault.name);
    const planted = [findFault('dropped-last-k')];
    const [{ fault, failed }] = await selfTest(open, evaluator, { planted, onFault });
    expect(told).toEqual([fault.name]);
    expect(failed?.case).toContain(';fault=dropped-last-k');
    expect(failed?.reason).toMatch(fault.pointsAt);
  });

  itWhole('counts what changes nothing as not planted, and as no success', async () => {
    // The kernel has no such loop to shorten, so it stays correct.
    const harmless: Fault = { ...findFault('dropped-k-tail'), kernel: 'classical:naive', levels: [0] };
    const [outcome] = await selfTest(open, evaluator, { planted: [harmless] });
    expect(outcome).toMatchObject({ run: 0, failed: undefined, pointed: false, unlike: 0 });
    expect(isAsExpected(outcome)).toBe(false);
    expect(summarizeFaults([outcome])).toMatchObject([
      { planted: 0, missed: [], unplanted: ['dropped-k-tail'] },
    ]);
  });

  itWhole('says how many missed cases have other bits than the model', async () => {
    const planted = [findFault('operands-23-bits')];
    const [{ failed, unlike, run }] = await selfTest(open, evaluator, { planted });
    expect(failed).toBeUndefined();
    expect(unlike).toBeGreaterThan(0);
    expect(unlike).toBeLessThan(run);
  });

  it.runIf(isWhole)(
    'tells a failure whose message points elsewhere from one that points at the cause',
    async () => {
      const elsewhere: Fault = { ...findFault('transposed-b'), pointsAt: /nowhere/ };
      const [outcome] = await selfTest(open, evaluator, { planted: [elsewhere] });
      expect(outcome.failed?.verdict).toBe('fail');
      expect(outcome.pointed).toBe(false);
    },
  );

  it('ends when it is stopped, with what is finished', async () => {
    const planted = ['dropped-last-k', 'transposed-b'].map(findFault);
    let asked = false;
    const stop = () => asked;
    const onFault = () => {
      asked = true;
    };
    const outcomes = await selfTest(open, evaluator, { planted, onFault, stop });
    expect(outcomes.map(({ fault }) => fault.name)).toEqual(['dropped-last-k']);
  });

  itWhole('runs cases of the default gate, those that the fault may show in', () => {
    const gate = new Set(
      [...planCampaign(defaultCampaign), ...defaultSample(defaultCampaign)].map(formatCase),
    );
    // For precisions outside the default gate, the cases of a gate in that precision.
    const isMet = (value: PlannedCase, { precision = 'f32', kernel }: Fault) =>
      isSampled(precisions.find(precision))
        ? gate.has(formatCase(value))
        : planIn(precision, kernel).has(formatCase(value));
    const places = ({ kernel, levels, precision }: Fault) => [kernel, levels, precision].join();
    const distinct = new Map([...faults, ...rungs].map((fault) => [places(fault), fault]));
    expect(distinct.size).toBeGreaterThan(10);
    for (const fault of inShort([...distinct.values()], 4)) {
      const cases = casesFor(fault);
      expect(cases.length).toBeGreaterThan(3);
      for (const value of cases) {
        expect(isMet({ ...value, fault: undefined }, fault)).toBe(true);
        expect(value).toMatchObject({ kernel: fault.kernel, fault: fault.name, series: false });
        expect(value.problem.precision).toBe(fault.precision ?? 'f32');
        expect(fault.levels).toContain(value.method.levels);
      }
    }
  });
});
