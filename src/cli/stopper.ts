import { EXIT } from '../problems.ts';

/** Whether a run is to end; to be told when it has. */
export interface Stopper {
  asked(): boolean;
  release(): void;
}

/** Ends a run at Ctrl-C (a second one ends the process) or after a time limit. */
export function stopper(seconds: number | undefined): Stopper {
  const start = performance.now();
  let interrupted = false;
  const onSignal = () => {
    if (interrupted) process.exit(EXIT.inconclusive);
    interrupted = true;
    process.stderr.write('\nStopping: what is finished will be written (Ctrl-C again ends at once).\n');
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    asked: () => interrupted || (seconds !== undefined && performance.now() - start > 1000 * seconds),
    release: () => {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
      // Nothing is lost any more, so the verdict stands: the process is about to end by itself.
      process.on('SIGINT', () => undefined);
    },
  };
}
