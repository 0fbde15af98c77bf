import type { Item } from '../base/registry.ts';
import type { RunningSum } from './arithmetic.ts';

/** A matrix unit whose sums in binary32 are documented. */
interface DocumentedAdder extends Item {
  readonly unit: RunningSum;
}

const FASI = 'Fasi, Higham, Mikaitis, Pranesh 2021, Numerical behavior of NVIDIA tensor cores';
const KHATTAK = 'Khattak, Mikaitis 2025, Accurate models of NVIDIA tensor cores';

/**
 * What sums products of narrower numbers in binary32: windows of fewer than 24 bits (those of eight-bit formats on Hopper)
 * are no sums in binary32, and take a claim. Where a paper finds a bit or two more, the window is the narrower one: bounds
 * are those of the worst of all.
 */
export const documentedAdders: readonly DocumentedAdder[] = [
  {
    name: 'one',
    what: 'One product at a time, sums cut off at binary32.',
    source: FASI,
    unit: { rounding: 'toward-zero' },
  },
  {
    name: 'volta',
    what: 'Four products and the sum in 24 bits, cut off (V100, T4).',
    source: FASI,
    unit: { terms: 4, bits: 24, rounding: 'toward-zero' },
  },
  {
    name: 'ampere',
    what: 'Eight products and the sum in at least 24 bits, cut off (A100).',
    source: FASI,
    unit: { terms: 8, bits: 24, rounding: 'toward-zero' },
  },
  {
    name: 'hopper',
    what: 'Sixteen products and the sum in at least 25 bits, cut off (H100, H200).',
    source: KHATTAK,
    unit: { terms: 16, bits: 25, rounding: 'toward-zero' },
  },
];
