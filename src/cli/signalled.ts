import { EXIT } from '../base/errors.ts';
import { endNow } from '../base/node/ending.ts';

/** What asks a command to end. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Milliseconds in which signals are one, as they come to a process and to its group. */
const TOGETHER = 500;

/** A signal of the operating system, for what waits; a second one, a moment later, ends the process. */
export interface Signalled {
  readonly signal: AbortSignal;
  release(): void;
}

export function signalled(): Signalled {
  const control = new AbortController();
  let first: number | undefined;
  const onSignal = () => {
    first ??= performance.now();
    if (performance.now() - first > TOGETHER) endNow(EXIT.inconclusive);
    control.abort();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return {
    signal: control.signal,
    release() {
      for (const signal of SIGNALS) process.off(signal, onSignal);
    },
  };
}
