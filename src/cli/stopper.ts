import { EXIT } from '../base/errors.ts';

/** Whether a run is to end; to be told when it has. */
export interface Stopper {
  asked(): boolean;
  release(): void;
}

/**
 * Milliseconds in which signals are one: `timeout` and schedulers send theirs to a process and to its group, so that it
 * comes twice.
 */
const TOGETHER = 500;

/** Ends a run at Ctrl-C (a second one ends the process) or after a time limit. */
export function stopper(seconds: number | undefined): Stopper {
  const start = performance.now();
  let interrupted: number | undefined;
  const onSignal = () => {
    if (interrupted !== undefined) {
      if (performance.now() - interrupted > TOGETHER) process.exit(EXIT.inconclusive);
      return;
    }
    interrupted = performance.now();
    process.stderr.write('\nStopping: what is finished will be written (Ctrl-C again ends at once).\n');
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    asked: () =>
      interrupted !== undefined || (seconds !== undefined && performance.now() - start > 1000 * seconds),
    release: () => {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
      // Nothing is lost any more, so the verdict stands: the process is about to end by itself.
      process.on('SIGINT', () => undefined);
    },
  };
}
