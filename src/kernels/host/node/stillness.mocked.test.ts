import { expect, it, vi } from 'vitest';

/** The timers that keep this process alive: those that a product left, and those that are awaited. */
const told = vi.hoisted(() => {
  const alive = { left: 0, waitedFor: 0, timers: 0 };
  const { setImmediate: turn } = globalThis;
  const waiting = (done: () => void) => {
    alive.waitedFor++;
    turn(() => {
      alive.waitedFor--;
      done();
    });
  };
  vi.stubGlobal('setImmediate', waiting);
  process.getActiveResourcesInfo = () => Array(alive.left + alive.waitedFor).fill('Timeout');
  return { alive, waiting };
});
vi.mock('node:timers/promises', () => ({
  setTimeout() {
    told.alive.timers++;
    return new Promise<void>((resolve) => told.waiting(resolve));
  },
}));
const { createIdleWait } = await import('./stillness.ts');

it('waits for a timer that is left behind, and of several at once none for another', async () => {
  const { alive } = told;
  const all = [createIdleWait(), createIdleWait(), createIdleWait()];
  await Promise.all(all.map((still) => still()));
  expect(alive.timers).toBe(0);
  alive.left = 1;
  await all[0]();
  expect(alive.timers).toBe(20);
});
