import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deadline, within } from './deadline.ts';
import { kernelHangs } from './messages.ts';
import { pass, stopClock } from './stopped-clock.testing.ts';

beforeEach(() => {
  stopClock();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Keeps the thread busy: the clock advances, and no timer fires. */
function busy(seconds: number): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 1000 * seconds);
}

const late = () => kernelHangs({ kernel: 'mine', shape: '1×1×1', seconds: 0 });

it('comes once, in time, unless it is called off', async () => {
  const ends: string[] = [];
  deadline(3, () => ends.push('left alone'));
  deadline(3, () => ends.push('called off')).cancel();
  await pass(2.9);
  expect(ends).toEqual([]);
  await pass(0.1);
  expect(ends).toEqual(['left alone']);
  await pass(100);
  expect(ends).toEqual(['left alone']);
});

it('does not count the time in which the thread is busy', async () => {
  let ended = false;
  deadline(10, () => {
    ended = true;
  });
  busy(300);
  // The late check counts as two, and is not the last.
  await pass(9);
  expect(ended).toBe(false);
  await pass(1);
  expect(ended).toBe(true);
});

it('counts anew when it is told to', async () => {
  let ended = false;
  const limit = deadline(1000, () => {
    ended = true;
  });
  await pass(900);
  limit.restart(50);
  await pass(49);
  expect(ended).toBe(false);
  await pass(1);
  expect(ended).toBe(true);
});

it('gives way to work that ends, and hears no more of work that does not', async () => {
  expect(await within(5, Promise.resolve(3), late)).toBe(3);
  await expect(within(5, Promise.reject(new Error('own')), late)).rejects.toThrow('own');
  expect(vi.getTimerCount()).toBe(0);
  let fail: (error: Error) => void = () => {};
  const work = new Promise<void>((_, reject) => {
    fail = reject;
  });
  const given = expect(within(5, work, late)).rejects.toMatchObject({ code: 'kernel-hangs' });
  await pass(5);
  await given;
  fail(new Error('too late to matter'));
  await pass(0);
});
