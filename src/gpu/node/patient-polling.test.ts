import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { pollPatiently } from './patient-polling.ts';

const wait = vi.spyOn(Atomics, 'wait');
afterEach(() => wait.mockClear());
const turn = (callback: () => void) =>
  new Promise<void>((resolve) => setImmediate(() => resolve(callback())));

describe('polling', () => {
  pollPatiently();
  pollPatiently();

  it('pauses once before a native callback without a name, as Dawn has', async () => {
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect(wait).toHaveBeenCalledTimes(1);
  });

  it('pauses before nobody else, and hands everything on', async () => {
    await turn(() => undefined);
    const told = await new Promise((resolve) => setImmediate((a, b) => resolve([a, b]), 1, 2));
    expect(told).toEqual([1, 2]);
    expect(await promisify(setImmediate)('kept')).toBe('kept');
    expect(wait).not.toHaveBeenCalled();
  });
});
