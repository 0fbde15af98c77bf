import type { Plan } from '../plan/plan.ts';
import { problem } from '../problems.ts';
import type { OpenDevice } from './device.ts';
import { GUARDS } from './guards.ts';
import type { Numeric } from './numerics/numeric.ts';

/** Bytes that a buffer may have to be bound as a whole. */
export function largestBuffer({ limits }: Pick<OpenDevice, 'limits'>): number {
  return Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize);
}

/** @throws Problem too-large, with the largest square product of as many levels that fits. */
export function checkLimits(open: OpenDevice, plan: Plan, { words }: Numeric, kernel: string): void {
  const largest = largestBuffer(open);
  for (const name of ['A', 'B', 'C', 'W'] as const) {
    const bytes = 4 * words * (plan.sizes[name] + 2 * GUARDS);
    if (bytes <= largest) continue;
    const unit = 2 ** plan.levels;
    const size = unit * Math.floor(Math.sqrt(largest / (4 * words) - 2 * GUARDS) / unit);
    throw problem('too-large', { kernel, buffer: name, bytes, largest, size });
  }
}
