import type { OpenDevice } from '../device.ts';
import { type Leaf, whyExceeded } from '../wgsl/leaves/leaf.ts';
import { leaves } from '../wgsl/leaves/leaves.ts';
import type { LeafTime } from './time-leaves.ts';
import type { SizedRates } from './tuning.ts';

/** The families among which tuning looks for the fastest kernel; the other families exist for studies. */
const FAMILIES = ['register-', 'staged-', 'broadcast', 'swap'];

/** The families tried on software adapters. Kernels of other families take them seconds to compile. */
const OF_SOFTWARE = ['register-', 'broadcast', 'swap'];

/** Returns the leaf kernels that `register` may stand for on a device. */
export function candidates(open: OpenDevice): Leaf[] {
  const families = open.fingerprint.kind === 'software' ? OF_SOFTWARE : FAMILIES;
  return leaves.filter(
    (leaf) =>
      families.some((family) => leaf.name.startsWith(family)) && whyExceeded(leaf, open) === undefined,
  );
}

/** The sizes at which candidates are timed. */
export const tuningSizes = { hardware: [256, 512, 1024, 2048, 4096], software: [64, 128, 256, 512] } as const;

/** The factor over the fastest above which a leaf kernel is not tried on larger products. */
const HOPELESS = 8;

export function isWorthwhile(leaves: readonly Leaf[], times: readonly LeafTime[]): Leaf[] {
  const fastest = Math.min(...times.map(({ median }) => median));
  const slow = new Set(times.filter(({ median }) => median > HOPELESS * fastest).map(({ leaf }) => leaf));
  return leaves.filter(({ name }) => !slow.has(name));
}

/** Returns the rates that a tuning keeps for one size. Kernels whose bits differ from the first one's are left out. */
export function ratesOf(size: number, times: readonly LeafTime[]): SizedRates {
  const right = times.filter(({ differing }) => differing === 0);
  return { size, teraflops: Object.fromEntries(right.map(({ leaf, teraflops }) => [leaf, teraflops])) };
}
