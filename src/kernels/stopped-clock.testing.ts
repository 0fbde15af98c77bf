import { onTestFinished, vi } from 'vitest';

// The true timers, whatever clock tests put in their place.
const { setTimeout } = globalThis;

/**
 * Stops the clock of deadlines, until the test ends or {@link startClock}. Slow work, or a busy machine, is then never late. Other
 * processes go on. For tests that run one after the other.
 */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(startClock);
}

export function startClock(): void {
  vi.useRealTimers();
}

/** Advances a stopped clock by some seconds. */
export async function advanceClock(seconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(1000 * seconds);
}

/** Advances a stopped clock until work that never ends is given up. @returns the error. */
export async function waitUntilGivenUp(work: Promise<unknown>): Promise<Error> {
  let outcome: { error: Error } | undefined;
  const settle = (error: Error) => {
    outcome = { error };
  };
  work.then(() => settle(new Error('It ended.')), settle);
  while (outcome === undefined) {
    await advanceClock(1);
    await turn();
  }
  return outcome.error;
}

/** Waits for another process, however long it takes. */
export async function waitUntil(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Waits for a turn of the event loop, in which arrived messages are read. */
const turn = () => new Promise((resolve) => setTimeout(resolve, 1));
