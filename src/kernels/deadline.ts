import type { ParanoiaError } from '../base/errors.ts';
import type { ProductRequest } from './answer.ts';
import { kernelHangs, kernelIsSlow } from './messages.ts';

/** Default time limit of one product, in seconds. */
export const TIME_LIMIT = 60;

/** Seconds that a kernel may take to start, unless its time limit is longer: imports, compiling, opening devices. */
export const START_UP = 120;

/** Number of clock checks within a limit, and the bounds of their interval in milliseconds. */
const LOOKS = 20;
const [SHORTEST, LONGEST] = [5, 500];

/** A deadline that can be restarted and canceled. */
export interface Deadline {
  /** Restarts the count with another limit. */
  restart(seconds: number): void;
  cancel(): void;
}

/**
 * Calls back after so many seconds in which this thread was free. While the thread computes something else, it neither receives nor reads
 * answers, and the other side waits; that time does not count.
 */
export function startDeadline(seconds: number, onEnd: () => void): Deadline {
  let step = stepFor(seconds);
  let left = 1000 * seconds;
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    const passed = now - last;
    last = now;
    left -= Math.min(passed, 2 * step);
    // Timers fire before messages that have arrived are read: a late check cannot be the last.
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
 * Waits for work up to a time limit. Work that ends later, well or badly, has no effect.
 * @throws the error of the work, or that of the missed limit.
 */
export async function waitWithin<T>(
  seconds: number,
  work: Promise<T>,
  late: () => ParanoiaError,
): Promise<T> {
  let limit: Deadline | undefined;
  const end = new Promise<never>((_, reject) => {
    limit = startDeadline(seconds, () => reject(late()));
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    limit?.cancel();
  }
}

/** The multiplications from which the time of a product tells the pace of a kernel, and not the cost of a call. */
const TELLS = 2 ** 20;

/** Large products may be so many times slower, for their entries fit no cache. */
const SLOWER = 2;

/** Returns the multiplications of a product: none where alpha is 0, since a kernel does not read A and B then. */
const workOf = ({ m, k, n, batch, alpha, imaginary }: ProductRequest['shape']) =>
  alpha === 0 && imaginary === undefined ? 0 : m * k * n * batch;

/** The pace of a kernel, by which a slow product is told from one that never ends. */
export class Pace {
  /** Multiplications a second, of the fastest product. */
  private fastest = 0;

  add(shape: ProductRequest['shape'], seconds: number): void {
    const work = workOf(shape);
    if (work >= TELLS) this.fastest = Math.max(this.fastest, work / seconds);
  }

  /** Returns the error of a product without an answer within its limit: the fault is the kernel's unless it was too slow before. */
  late(asked: ProductRequest, seconds: number): ParanoiaError {
    const expected = this.fastest === 0 ? 0 : workOf(asked.shape) / this.fastest;
    return SLOWER * expected < seconds
      ? kernelHangs({ ...asked, seconds })
      : kernelIsSlow({ ...asked, seconds, expected });
  }
}
