import { readFile } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { openNodeDevice } from '../gpu/node/open.ts';
import { faultClasses } from '../kernel/faults/fault.ts';
import { type Fault, faults, findFault, rungs } from '../kernel/faults/faults.ts';
import { exactProduct } from '../reference/exact.ts';
import { defaultCampaign } from './campaign.ts';
import { formatCase } from './case.ts';
import { defaultSample } from './default-sample.ts';
import { Laboratory } from './evidence.ts';
import { planCampaign } from './plan-campaign.ts';
import { casesFor, type FaultOutcome, selfTest } from './self-test.ts';

const open = await openNodeDevice({ adapter: 'software' });
afterAll(() => open.close());
const laboratory = new Laboratory(exactProduct);

/** One fault of every class that shows early; the command runs them all. */
const SAMPLE = [
  'dropped-last-k',
  'unwritten-last-row',
  'transposed-b',
  'stale-tile',
  'swapped-m3-m5',
  'f16-accumulator',
  'infinity-to-nan',
  'order-by-run',
  'stale-sizes',
];

describe('the self-test', () => {
  it('fails planted faults of every class, with a message that points at the cause', async () => {
    const told: string[] = [];
    // Special values come last among the inputs: at one level there are fewer cases before them.
    const planted = SAMPLE.map(findFault).map((fault) =>
      fault.class === 'special-values' ? { ...fault, levels: [0] } : fault,
    );
    const onFault = ({ fault }: FaultOutcome) => told.push(fault.name);
    const outcomes = await selfTest(open, laboratory, { planted, onFault });
    expect(told).toEqual(SAMPLE);
    expect(new Set(planted.map((fault) => fault.class)).size).toBe(faultClasses.length);
    for (const { fault, failed, pointed } of outcomes) {
      expect(`${fault.name} ${failed?.verdict} ${pointed}`).toBe(`${fault.name} fail true`);
      expect(failed?.case).toContain(`;fault=${fault.name}`);
      expect(failed?.reason).toMatch(fault.pointsAt);
    }
  });

  it('reports what the gate does not fail as missed', async () => {
    // The kernel has no such loop to shorten, so it stays honest.
    const harmless: Fault = { ...findFault('dropped-k-tail'), kernel: 'classical:naive', levels: [0] };
    const [outcome] = await selfTest(open, laboratory, { planted: [harmless] });
    const { fault, failed, pointed } = outcome;
    expect({ fault, failed, pointed }).toEqual({ fault: harmless, failed: undefined, pointed: false });
    expect(outcome).toMatchObject({ run: casesFor(harmless).length, unlike: 0 });
  });

  it('says how many missed cases have other bits than the mirror', async () => {
    const planted = [findFault('operands-23-bits')];
    const [{ failed, unlike, run }] = await selfTest(open, laboratory, { planted });
    expect(failed).toBeUndefined();
    expect(unlike).toBeGreaterThan(0);
    expect(unlike).toBeLessThan(run);
  });

  it('tells a failure whose message points elsewhere from one that points at the cause', async () => {
    const elsewhere: Fault = { ...findFault('transposed-b'), pointsAt: /nowhere/ };
    const [outcome] = await selfTest(open, laboratory, { planted: [elsewhere] });
    expect(outcome.failed?.verdict).toBe('fail');
    expect(outcome.pointed).toBe(false);
  });

  it('ends when it is stopped, with what is finished', async () => {
    const planted = ['dropped-last-k', 'transposed-b'].map(findFault);
    let asked = false;
    const stop = () => asked;
    const onFault = () => {
      asked = true;
    };
    const outcomes = await selfTest(open, laboratory, { planted, onFault, stop });
    expect(outcomes.map(({ fault }) => fault.name)).toEqual(['dropped-last-k']);
  });

  it('runs cases of the default gate, those that the fault may show in', () => {
    const gate = new Set(
      [...planCampaign(defaultCampaign), ...defaultSample(defaultCampaign)].map(formatCase),
    );
    const places = ({ kernel, levels, precision }: Fault) => [kernel, levels, precision].join();
    const distinct = new Map([...faults, ...rungs].map((fault) => [places(fault), fault]));
    expect(distinct.size).toBeGreaterThan(10);
    for (const fault of distinct.values()) {
      const cases = casesFor(fault);
      expect(cases.length).toBeGreaterThan(3);
      for (const value of cases) {
        expect(gate.has(formatCase({ ...value, fault: undefined }))).toBe(true);
        expect(value).toMatchObject({ kernel: fault.kernel, fault: fault.name, series: false });
        expect(value.precision).toBe(fault.precision);
        expect(fault.levels).toContain(value.levels);
      }
    }
  });

  it('has a committed table of these very faults, with nothing missed that is in sight', async () => {
    const file = new URL('../../fixtures/selftest/swiftshader.json', import.meta.url);
    const table = JSON.parse(await readFile(file, 'utf8'));
    const told = ({ name, kernel, what }: { name: string; kernel: string; what: string }) => ({
      name,
      kernel,
      what,
    });
    expect(table.faults.map(told)).toEqual([...faults, ...rungs].map(told));
    expect(table.classes.flatMap(({ missed }: { missed: string[] }) => missed)).toEqual([]);
    expect(table.classes.map((one: { class: string }) => one.class)).toEqual(faultClasses);
  });
});
