import type { ParanoiaError } from '../base/errors.ts';

/** Seconds that one product may take where a kernel does not say. */
export const TIME_LIMIT = 60;

/** Seconds that a kernel may take to get ready, unless its time limit is longer: imports, compiling, opening devices. */
export const START_UP = 120;

/** Looks at the clock so many times within a limit, but not more often than this many milliseconds apart. */
const LOOKS = 20;
const [SHORTEST, LONGEST] = [5, 500];

/** An end that comes unless it is called off. */
export interface Deadline {
  /** Counts from now on, and to another limit. */
  restart(seconds: number): void;
  cancel(): void;
}

/**
 * Calls back after so many seconds in which this thread was free. While it computes something else it neither hears
 * answers nor takes them, and whoever is to give them waits: that time is not theirs.
 */
export function deadline(seconds: number, onEnd: () => void): Deadline {
  let step = stepFor(seconds);
  let left = 1000 * seconds;
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    const passed = now - last;
    last = now;
    left -= Math.min(passed, 2 * step);
    // Timers come before what has arrived meanwhile: a late look cannot be the last.
    if (left <= 0 && passed <= 2 * step) onEnd();
    else timer = setTimeout(look, Math.max(1, Math.min(step, left)));
  };
  let timer = setTimeout(look, Math.min(step, left));
  return {
    restart(limit) {
      [left, last] = [1000 * limit, performance.now()];
      if (stepFor(limit) === step) return;
      step = stepFor(limit);
      clearTimeout(timer);
      timer = setTimeout(look, Math.min(step, left));
    },
    cancel: () => clearTimeout(timer),
  };
}

const stepFor = (seconds: number) => Math.min(LONGEST, Math.max(SHORTEST, (1000 * seconds) / LOOKS));

/**
 * Waits for work, but not for ever; work that ends later, well or badly, disturbs nobody.
 * @throws What the work throws, or the problem of its not ending in time.
 */
export async function within<T>(seconds: number, work: Promise<T>, late: () => ParanoiaError): Promise<T> {
  let limit: Deadline | undefined;
  const end = new Promise<never>((_, reject) => {
    limit = deadline(seconds, () => reject(late()));
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    limit?.cancel();
  }
}
