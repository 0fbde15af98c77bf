let isHeld = false;

/**
 * Runs work that signals must not interrupt. A signal is handled after it. Other listeners, if any, decide if the signal ends this process.
 */
export function runUninterrupted<T>(work: () => T): T {
  hold();
  return work();
}

function hold(): void {
  if (isHeld) return;
  isHeld = true;
  // First, so that other listeners see the same list as without this one.
  for (const signal of ENDING) process.prependListener(signal, onSignal);
  // Signals received meanwhile are handled before this.
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

/** Signals that ask a process to end: from Ctrl-C, from other processes, and from a closed terminal. */
export const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
