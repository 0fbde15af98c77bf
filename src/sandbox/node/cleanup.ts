import { ENDING } from '../../base/node/run-uninterrupted.ts';

/** Cleanups that are still to run when this process ends. */
const pending = new Set<() => void>();

/**
 * Runs a cleanup when this process ends: by itself, by an uncaught error, or by a signal. If others listen to a signal too, they
 * decide whether it ends the process.
 * @returns a function that runs the cleanup now and cancels the later one
 */
export function runAtExit(cleanup: () => void): () => void {
  if (pending.size === 0) listen();
  pending.add(cleanup);
  return () => {
    if (pending.delete(cleanup) && pending.size === 0) unlisten();
  };
}

function listen(): void {
  process.on('exit', cleanUp);
  for (const signal of ENDING) process.on(signal, onSignal);
}

function unlisten(): void {
  process.off('exit', cleanUp);
  for (const signal of ENDING) process.off(signal, onSignal);
}

/** Runs cleanups in reverse order: programs end before their working folders are removed. */
function cleanUp(): void {
  for (const cleanup of [...pending].reverse()) {
    try {
      cleanup();
    } catch {
      // The other cleanups must still run, and no caller is left to report to.
    }
  }
  pending.clear();
  unlisten();
}

function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  cleanUp();
  process.kill(process.pid, signal);
}
