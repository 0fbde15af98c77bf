import { ENDING } from './signals.ts';

let isHeld = false;

/**
 * Does what a signal is not to end in the middle: one that comes is heard after it. Where somebody else listens to it, they
 * decide whether it ends this process.
 */
export function undisturbed<T>(work: () => T): T {
  hold();
  return work();
}

function hold(): void {
  if (isHeld) return;
  isHeld = true;
  // First, so that others find themselves as they would without this.
  for (const signal of ENDING) process.prependListener(signal, onSignal);
  // What came meanwhile is heard before this.
  setImmediate(release);
}

function release(): void {
  isHeld = false;
  for (const signal of ENDING) process.off(signal, onSignal);
}

function onSignal(signal: NodeJS.Signals): void {
  release();
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}
