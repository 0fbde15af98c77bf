import type { OpenDevice } from '../device.ts';
import { exceeds, type Leaf } from '../wgsl/leaves/leaf.ts';
import { leaves } from '../wgsl/leaves/leaves.ts';
import type { LeafTime } from './time-leaves.ts';
import type { SizedRates } from './tuning.ts';

/** Families among which the fastest is looked for; the others are there to be studied. */
const FAMILIES = ['register-', 'staged-', 'broadcast', 'swap'];

/** Kernels whose code takes a software adapter seconds to compile are tried only where that is done by a GPU's driver. */
const OF_SOFTWARE = ['register-', 'broadcast', 'swap'];

/** The leaf kernels that `register` may stand for on a device. */
export function candidates(open: OpenDevice): Leaf[] {
  const families = open.fingerprint.kind === 'software' ? OF_SOFTWARE : FAMILIES;
  return leaves.filter(
    (leaf) => families.some((family) => leaf.name.startsWith(family)) && exceeds(leaf, open) === undefined,
  );
}

/** Sizes at which they are timed. */
export const tuningSizes = { hardware: [256, 512, 1024, 2048, 4096], software: [64, 128, 256, 512] } as const;

/** A leaf kernel that is so many times slower than the fastest is not tried on larger products. */
const HOPELESS = 8;

export function worthwhile(leaves: readonly Leaf[], times: readonly LeafTime[]): Leaf[] {
  const fastest = Math.min(...times.map(({ median }) => median));
  const slow = new Set(times.filter(({ median }) => median > HOPELESS * fastest).map(({ leaf }) => leaf));
  return leaves.filter(({ name }) => !slow.has(name));
}

/** What a tuning keeps of the times at one size; kernels that computed other bits than the first are left out. */
export function ratesOf(size: number, times: readonly LeafTime[]): SizedRates {
  const right = times.filter(({ differing }) => differing === 0);
  return { size, teraflops: Object.fromEntries(right.map(({ leaf, teraflops }) => [leaf, teraflops])) };
}
