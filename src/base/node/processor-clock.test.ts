import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { processorMs, startProcessorClock } from './processor-clock.ts';

/** A clock on a simulated system. */
function simulate() {
  const state = { spent: 0, elapsed: 0 };
  const clock = startProcessorClock(
    () => state.spent,
    () => state.elapsed,
  );
  return (spent: number, elapsed: number) => {
    state.spent += spent;
    state.elapsed += elapsed;
    return clock();
  };
}

it('counts processor time, and a tenth of the time in which nothing is computed', () => {
  const after = simulate();
  expect(after(500, 500)).toBe(500);
  // Beside load, or in two threads.
  expect(after(500, 3000)).toBe(1000);
  expect(after(500, 250)).toBe(1500);
  expect(after(0, 1000)).toBe(1600);
});

it('is read once a tick, and loses nothing', () => {
  let [reads, elapsed] = [0, 0];
  const clock = startProcessorClock(
    () => 10 * reads++,
    () => elapsed,
  );
  const told = [3, 9, 10, 12, 19, 20, 31].map((at) => {
    elapsed = at;
    return clock();
  });
  expect(told).toEqual([0, 0, 10, 10, 10, 20, 30]);
  expect(reads).toBe(1 + 1 + 3);
});

it('never goes back when a process ends without its parent', () => {
  const after = simulate();
  after(500, 500);
  expect(after(-300, 0)).toBe(500);
  expect(after(400, 400)).toBe(600);
});

it('is the clock on the wall where the system does not tell', () => {
  const wall = () => 7;
  expect(startProcessorClock(() => undefined, wall)).toBe(wall);
});

it.runIf(process.platform === 'linux')('counts processes below this one', () => {
  const before = processorMs() as number;
  // It ends when it has used half a second of a processor, however long that takes.
  const busy = 'while (process.cpuUsage().user < 5e5);';
  spawnSync(process.execPath, [
    '-e',
    `require('child_process').spawnSync(process.execPath, ['-e', '${busy}'])`,
  ]);
  expect((processorMs() as number) - before).toBeGreaterThanOrEqual(480);
});
