import { EXIT } from '../base/errors.ts';
import { endNow } from '../base/node/ending.ts';
import { ENDING } from '../base/node/run-uninterrupted.ts';
import { stillInFlight } from '../run/messages.ts';
import { releaseSignals } from './no-judgment.ts';
import { printError } from './tell.ts';
/** The stop condition of a run; `release` is called after the run. */
export interface Stopper {
  asked(): boolean;
  /** True if its time is over, and no signal has ended it. */
  isLate(): boolean;
  release(): void;
}

/**
 * Milliseconds in which repeated signals count as one: `timeout` and schedulers signal a process and its group, so the signal
 * arrives twice.
 */
const TOGETHER = 500;

/** Milliseconds that a product in flight has after a signal. */
const GRACE = 3000;

const ignore = () => undefined;

const endsLate = () => endNow(printError(stillInFlight()).exitCode);

/**
 * Ends a run at Ctrl-C (a second one ends the process), when its terminal is closed, or after a time limit.
 * @param onLate ends the process if a product is still in flight 3 s after a signal. @defaultValue ends it at once
 */
export function createStopper(seconds: number | undefined, onLate: () => void = endsLate): Stopper {
  const start = performance.now();
  let interrupted: number | undefined;
  let late: NodeJS.Timeout | undefined;
  const isOver = () => seconds !== undefined && performance.now() - start > 1000 * seconds;
  const onSignal = () => {
    if (interrupted !== undefined) {
      if (performance.now() - interrupted > TOGETHER) endNow(EXIT.inconclusive);
      return;
    }
    interrupted = performance.now();
    late = setTimeout(onLate, GRACE);
    process.stderr.write('\nStopping: finished results will be written (Ctrl-C again ends at once).\n');
  };
  releaseSignals();
  for (const signal of ENDING) process.on(signal, onSignal);
  return {
    asked: () => interrupted !== undefined || isOver(),
    isLate: () => interrupted === undefined && isOver(),
    release: () => {
      clearTimeout(late);
      // The verdict stands, since nothing can be lost any more and the process is about to end. There must always be a listener,
      // so the old one is replaced in one step.
      for (const signal of ['SIGINT', 'SIGHUP'] as const) process.off(signal, ignore).on(signal, ignore);
      for (const signal of ENDING) process.off(signal, onSignal);
    },
  };
}

/** An abort signal set by a signal of the operating system; a second one, a moment later, ends the process. */
export interface SignalAbort {
  readonly signal: AbortSignal;
  release(): void;
}

export function abortOnSignal(): SignalAbort {
  const control = new AbortController();
  let first: number | undefined;
  const onSignal = () => {
    first ??= performance.now();
    if (performance.now() - first > TOGETHER) endNow(EXIT.inconclusive);
    control.abort();
  };
  for (const signal of ENDING) process.on(signal, onSignal);
  return {
    signal: control.signal,
    release() {
      for (const signal of ENDING) process.off(signal, onSignal);
    },
  };
}
