import { readRunFactor } from '../src/vitest/check-law.ts';

/** Returns one in so many of a list, including the first; with PARANOIA_RUNS at least as large, all. */
export function some<T>(all: readonly T[], each: number, first = 0): T[] {
  const step = Math.max(1, Math.round(each / readRunFactor()));
  return all.filter((_, at) => (at + step - (first % step)) % step === 0);
}
