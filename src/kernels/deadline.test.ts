import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { plainGemm } from '../matrix/gemm.ts';
import { Pace, startDeadline, waitWithin } from './deadline.ts';
import { kernelHangs } from './messages.ts';
import { advanceClock, stopClock } from './stopped-clock.testing.ts';

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
  startDeadline(3, () => ends.push('left alone'));
  startDeadline(3, () => ends.push('called off')).cancel();
  await advanceClock(2.9);
  expect(ends).toEqual([]);
  await advanceClock(0.1);
  expect(ends).toEqual(['left alone']);
  await advanceClock(100);
  expect(ends).toEqual(['left alone']);
});

it('does not count the time in which the thread is busy', async () => {
  let ended = false;
  startDeadline(10, () => {
    ended = true;
  });
  busy(300);
  // The late check counts as two, and is not the last.
  await advanceClock(9);
  expect(ended).toBe(false);
  await advanceClock(1);
  expect(ended).toBe(true);
});

it('counts anew when it is told to', async () => {
  let ended = false;
  const limit = startDeadline(1000, () => {
    ended = true;
  });
  await advanceClock(900);
  limit.restart(50);
  await advanceClock(49);
  expect(ended).toBe(false);
  await advanceClock(1);
  expect(ended).toBe(true);
});

it('gives way to work that ends, and hears no more of work that does not', async () => {
  expect(await waitWithin(5, Promise.resolve(3), late)).toBe(3);
  await expect(waitWithin(5, Promise.reject(new Error('own')), late)).rejects.toThrow('own');
  expect(vi.getTimerCount()).toBe(0);
  let fail: (error: Error) => void = () => {};
  const work = new Promise<void>((_, reject) => {
    fail = reject;
  });
  const given = expect(waitWithin(5, work, late)).rejects.toMatchObject({ code: 'kernel-hangs' });
  await advanceClock(5);
  await given;
  fail(new Error('too late to matter'));
  await advanceClock(0);
});

const shapeOf = (size: number) => plainGemm({ m: size, k: size, n: size });
const lateAt = (pace: Pace, size: number) => pace.late({ kernel: 'mine', shape: shapeOf(size) }, 60);

describe('a product without an answer', () => {
  it('is one of a slow kernel, where its fastest product tells so', () => {
    const pace = new Pace();
    pace.add(shapeOf(128), 1);
    pace.add(shapeOf(256), 4);
    pace.add(shapeOf(128), 10);
    const { code, message, blames } = lateAt(pace, 384);
    expect(code).toBe('kernel-hangs');
    expect(lateAt(pace, 512)).toMatchObject({ code: 'kernel-is-slow', blames: 'nobody' });
    expect(lateAt(pace, 1024).message).toBe(
      'mine did not finish 1024×1024×1024 within 60 s. By its earlier products it needs about 256 s or more: raise its timeLimit.',
    );
    expect([message, blames]).toEqual([expect.stringContaining('within 60 s'), 'kernel']);
  });

  it('is of no faster kernel after a product that alpha = 0 spared', () => {
    const pace = new Pace();
    pace.add(shapeOf(256), 4);
    pace.add({ ...shapeOf(256), alpha: 0 }, 0.01);
    expect(lateAt(pace, 512).code).toBe('kernel-is-slow');
  });

  it('hangs where no earlier product was large enough to tell', () => {
    const pace = new Pace();
    expect(lateAt(pace, 4096).code).toBe('kernel-hangs');
    pace.add(shapeOf(64), 30);
    expect(lateAt(pace, 4096).code).toBe('kernel-hangs');
  });
});
