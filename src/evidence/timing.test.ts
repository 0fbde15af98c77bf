import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Timing } from './timing.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Keeps the thread busy for some seconds. */
const busy = (seconds: number) => () => {
  vi.advanceTimersByTime(1000 * seconds);
};

describe('where the time goes', () => {
  it('counts what is computed while the device is waited for once, and for itself', async () => {
    const timing = new Timing();
    await timing.wait('device', async () => {
      busy(1)();
      timing.compute('analysis', busy(4));
      await Promise.resolve();
      timing.compute('exact', busy(2.5));
      busy(1)();
    });
    timing.compute('measures', () => {
      timing.compute('exact', busy(3));
    });
    expect(timing.lines(15.5)).toEqual([
      { what: 'bit-exact model, bounds and expected errors', seconds: 4 },
      { what: 'everything else: startup, probes, checks, progress', seconds: 4 },
      { what: 'measuring errors', seconds: 3 },
      { what: 'exact products', seconds: 2.5 },
      { what: 'on the device, with preparation', seconds: 2 },
    ]);
  });

  it('counts what ends with an error', async () => {
    const timing = new Timing();
    const fails = (): never => {
      busy(1)();
      throw new Error('no');
    };
    expect(() => timing.compute('operands', fails)).toThrow('no');
    await expect(timing.wait('device', fails)).rejects.toThrow('no');
    expect(timing.lines(2).map(({ seconds }) => seconds)).toEqual([1, 1, 0]);
  });

  it('adds up what processes took from their own watches', () => {
    const [timing, other] = [new Timing(), new Timing()];
    timing.processes = 2;
    other.compute('exact', busy(3));
    timing.include(other.take());
    other.compute('exact', busy(1));
    timing.include(other.take());
    timing.include({ idle: 2 });
    expect(timing.lines(5)).toEqual([
      { what: 'exact products', seconds: 4 },
      { what: 'everything else: startup, probes, checks, progress', seconds: 4 },
      { what: 'judging processes: idle, without a case', seconds: 2 },
    ]);
  });
});
