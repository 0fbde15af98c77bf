import { onTestFinished, vi } from 'vitest';

// Those of the machine, whatever clock tests put in their place.
const { setTimeout } = globalThis;

/**
 * Stops the clock that deadlines look at, until the test ends or {@link startClock}: what is slow, and what a busy machine
 * makes slow, is then not late. Other processes go on. For tests that run one after the other.
 */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(startClock);
}

export function startClock(): void {
  vi.useRealTimers();
}

/** Lets seconds of a stopped clock pass. */
export async function pass(seconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(1000 * seconds);
}

/** Lets time pass on a stopped clock until work that never ends is given up. @returns why it was. */
export async function givenUp(work: Promise<unknown>): Promise<Error> {
  let outcome: { error: Error } | undefined;
  const settle = (error: Error) => {
    outcome = { error };
  };
  work.then(() => settle(new Error('It ended.')), settle);
  while (outcome === undefined) {
    await pass(1);
    await turn();
  }
  return outcome.error;
}

/** Waits for what another process does, however long that takes it. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A turn of the event loop, in which what has arrived is heard. */
const turn = () => new Promise((resolve) => setTimeout(resolve, 1));
