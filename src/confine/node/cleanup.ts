import { ENDING } from '../../base/node/signals.ts';

/** What is still to be removed or ended should this process end. */
const pending = new Set<() => void>();

/**
 * Has something cleaned up when this process ends: by itself, by an error that nothing caught, or by a signal. Where
 * somebody else listens to a signal, they decide whether it ends the process.
 * @returns what calls it off, once it has been cleaned up.
 */
export function atExit(cleanup: () => void): () => void {
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

/** The last first: programs end before the folders go that they work in. */
function cleanUp(): void {
  for (const cleanup of [...pending].reverse()) {
    try {
      cleanup();
    } catch {
      // The others are still to be cleaned up, and nobody is left to be told.
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
