import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pollPatiently } from './dawn.ts';

const wait = vi.spyOn(Atomics, 'wait');
afterEach(() => wait.mockClear());
const turn = (callback: () => void) =>
  new Promise<void>((resolve) => setImmediate(() => resolve(callback())));

describe('polling', () => {
  pollPatiently();
  pollPatiently();

  it('pauses before a native callback without a name, as Dawn has, where that polls again, and ever longer', async () => {
    // A native-like function that schedules itself again, ten times.
    let polls = 0;
    await new Promise<void>((resolve) => {
      const again = (): void => {
        if (polls++ === 10) resolve();
        else setImmediate(poll);
      };
      const poll = again.bind(undefined);
      Object.defineProperty(poll, 'name', { value: '' });
      setImmediate(poll);
    });
    const pauses = wait.mock.calls.map(([, , , pause]) => pause as number);
    expect(pauses).toHaveLength(10);
    expect(pauses[0]).toBe(0.05);
    for (const [at, pause] of pauses.entries()) {
      if (at > 0) expect(pause).toBeGreaterThan(pauses[at - 1]);
      expect(pause).toBeLessThanOrEqual(0.25);
    }
  });

  it('never pauses before the first poll', async () => {
    for (let at = 0; at < 3; at++) await new Promise<void>((resolve) => setImmediate(resolve));
    expect(wait).not.toHaveBeenCalled();
  });

  it('pauses before nobody else, and hands everything on', async () => {
    await turn(() => undefined);
    const told = await new Promise((resolve) => setImmediate((a, b) => resolve([a, b]), 1, 2));
    expect(told).toEqual([1, 2]);
    expect(await promisify(setImmediate)('kept')).toBe('kept');
    expect(wait).not.toHaveBeenCalled();
  });
});
