import { EXIT } from '../base/errors.ts';
import { endNow } from '../base/node/ending.ts';
import { ENDING } from '../base/node/signals.ts';

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
  for (const signal of ENDING) process.on(signal, onSignal);
  return {
    signal: control.signal,
    release() {
      for (const signal of ENDING) process.off(signal, onSignal);
    },
  };
}
