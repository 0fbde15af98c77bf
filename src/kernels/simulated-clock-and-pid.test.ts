import { expect, it } from 'vitest';
import { clockAndPidOf } from './simulated-clock-and-pid.ts';

const all = Array.from({ length: 500 }, (_, seed) => clockAndPidOf(seed));

it('follow from a seed, and are plausible', () => {
  expect(clockAndPidOf(7)).toEqual(clockAndPidOf(7));
  const years = all.map(({ time }) => new Date(time).getUTCFullYear());
  expect([Math.min(...years), Math.max(...years)]).toEqual([2025, 2034]);
});

it('are at every hour, and of every number of processes', () => {
  expect(new Set(all.map(({ time }) => new Date(time).getUTCHours())).size).toBe(24);
  expect(new Set(all.map(({ processes }) => processes)).size).toBe(64);
});
