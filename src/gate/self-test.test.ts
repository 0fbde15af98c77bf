import { afterAll, describe, expect, it } from 'vitest';
import { openNodeDevice } from '../gpu/node/open.ts';
import { type Fault, faults, findFault } from '../kernel/faults/faults.ts';
import { exactProduct } from '../reference/exact.ts';
import { Laboratory } from './evidence.ts';
import { casesFor, selfTest } from './self-test.ts';

const open = await openNodeDevice({ adapter: 'software' });
afterAll(() => open.close());
const laboratory = new Laboratory(exactProduct);

describe('the self-test', () => {
  it('fails every planted fault, with a message that points at its cause', async () => {
    const told: string[] = [];
    const outcomes = await selfTest(open, laboratory, ({ fault }) => told.push(fault.name));
    expect(told).toEqual(faults.map(({ name }) => name));
    const missed = outcomes.filter(({ failed }) => failed === undefined);
    expect(missed.map(({ fault }) => fault.name)).toEqual([]);
    const pointless = outcomes.filter(({ pointed }) => !pointed);
    expect(pointless.map(({ fault, failed }) => `${fault.name}: ${failed?.reason}`)).toEqual([]);
    for (const { fault, failed } of outcomes) {
      expect(failed?.verdict).toBe('fail');
      expect(failed?.case).toContain(`;fault=${fault.name}`);
      expect(failed?.reason).toMatch(fault.pointsAt);
    }
  });

  it('reports what the gate does not fail as missed', async () => {
    // The kernel has no such loop to shorten, so it stays honest.
    const harmless: Fault = { ...findFault('dropped-k-tail'), kernel: 'classical:naive', levels: [0] };
    const [outcome] = await selfTest(open, laboratory, () => {}, [harmless]);
    expect(outcome).toEqual({
      fault: harmless,
      run: casesFor(harmless).length,
      failed: undefined,
      pointed: false,
    });
  });

  it('tells a failure whose message points elsewhere from one that points at the cause', async () => {
    const elsewhere: Fault = { ...findFault('transposed-b'), pointsAt: /nowhere/ };
    const [outcome] = await selfTest(open, laboratory, () => {}, [elsewhere]);
    expect(outcome.failed?.verdict).toBe('fail');
    expect(outcome.pointed).toBe(false);
  });

  it('runs the cases of the default campaign that the fault may show in', () => {
    for (const fault of faults) {
      const cases = casesFor(fault);
      expect(cases.length).toBeGreaterThan(8);
      for (const value of cases) {
        expect(value).toMatchObject({ kernel: fault.kernel, fault: fault.name, series: false });
        expect(fault.levels).toContain(value.levels);
      }
    }
  });
});
