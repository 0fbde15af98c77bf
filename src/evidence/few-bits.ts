import type { Evidence } from './evidence.ts';

/** Says how many significant bits a product shows, where they are too few for its precision and no mistake explains them. */
export function fewBits({ errors, machine }: Pick<Evidence, 'errors' | 'machine'>): string | undefined {
  const { multiplied, name } = machine.precision;
  const { bits, disagreements } = errors.exact;
  if (disagreements > 0 || !(bits >= FEWEST_BITS && bits < multiplied.precision - BITS_LOST))
    return undefined;
  return `the product shows ${bits.toFixed(1)} significant bits: products or sums of less precision than ${name} (${keeping(multiplied.precision)})`;
}

/** Below this many bits a result is wrong rather than imprecise. */
const FEWEST_BITS = 6;
/** Honest products show no fewer bits less than their format has, unless they are very long. */
const BITS_LOST = 9;

/** What narrower formats keep: "tf32 and f16 keep 11, bf16 8". */
function keeping(precision: number): string {
  const f32 = precision > 24 ? 'f32 keeps 24, ' : '';
  return `${f32}tf32 and f16 keep 11, bf16 8`;
}
