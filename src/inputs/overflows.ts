import { createRandom } from '../base/random.ts';
import { isWholeFormat } from '../precision/format.ts';
import { singlePrecision } from '../precision/single.ts';
import { endsIn, endsOnLines } from './ends.ts';
import { ACCEPTED, type InputShape, inputFamily } from './input.ts';

/** The largest sum of 32 bits, and the most that entries of C lie below it. */
const [LARGEST, BELOW] = [2 ** 31 - 1, 2 ** 10];
/** A random stream that nothing else uses. */
const STREAM = 1001;

function whyNot({ precision = singlePrecision, levels = 0 }: InputShape): string | undefined {
  const hasEnds = endsIn('a', precision) !== undefined && endsIn('b', precision) !== undefined;
  if (!isWholeFormat(precision.accumulated) || !hasEnds)
    return `sums of ${precision.name} are not 32-bit integers`;
  return levels > 0 ? 'sums of blocks would leave the range of entries' : undefined;
}

/** Overflow of 32-bit sums: by many terms, by alpha, or by beta times an addend near the end. */
export const overflows = inputFamily({
  name: 'overflows',
  what: 'Entries at the limits of their formats, and of C near those of 32 bits, so that sums overflow.',
  source: 'NVIDIA, PTX ISA, mma: .satfinite clamps a 32-bit integer, else it wraps',
  catches: 'Sums that saturate although the claim is wrapping, and vice versa.',
  statistics: 'structured',
  exactness: 'none',
  leavesRange: true,
  reach: { entries: 8, sums: 15 },
  accepts: (shape) => {
    const reason = whyNot(shape);
    return reason === undefined ? ACCEPTED : { ok: false, reason };
  },
  make: endsOnLines,
  editAddend(c, seed) {
    const random = createRandom(seed, STREAM);
    for (let e = 0; e < c.data.length; e++) c.data[e] = random.sign() * (LARGEST - random.int(0, BELOW));
  },
});
