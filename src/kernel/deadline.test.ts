import { expect, it } from 'vitest';
import { problem } from '../problems.ts';
import { deadline, within } from './deadline.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const busy = (ms: number) => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};
const late = () => problem('kernel-hangs', { kernel: 'mine', shape: '1×1×1', seconds: 0 });

it('comes once, unless it is called off', async () => {
  let ends = 0;
  deadline(0.03, () => ends++);
  deadline(0.03, () => {
    ends += 10;
  }).cancel();
  await pause(100);
  expect(ends).toBe(1);
});

it('does not count the time in which the thread is busy', async () => {
  let end = Number.POSITIVE_INFINITY;
  deadline(0.1, () => {
    end = performance.now();
  });
  busy(300);
  const free = performance.now();
  await pause(300);
  expect(end - free).toBeGreaterThan(60);
  expect(end - free).toBeLessThan(280);
});

it('counts anew when it is told to', async () => {
  const start = performance.now();
  const end = await new Promise<number>((resolve) => {
    const limit = deadline(20, () => resolve(performance.now()));
    limit.restart(0.05);
  });
  expect(end - start).toBeGreaterThan(45);
  expect(end - start).toBeLessThan(5000);
});

it('gives way to work that ends, and hears no more of work that does not', async () => {
  expect(await within(5, Promise.resolve(3), late)).toBe(3);
  await expect(within(5, Promise.reject(new Error('own')), late)).rejects.toThrow('own');
  let fail: (error: Error) => void = () => {};
  const work = new Promise<void>((_, reject) => {
    fail = reject;
  });
  await expect(within(0.01, work, late)).rejects.toMatchObject({ code: 'kernel-hangs' });
  fail(new Error('too late to matter'));
  await pause(0);
});
