import type { Random } from '../base/random.ts';
import type { Shape } from '../matrix/dense.ts';

/** Results of so many sizes, and the longest of their sides. */
const [COUNT, MOST] = [12, 1200];
/** The longest sums, of large results and of small ones. */
const [SHORT, LONG] = [24, 640];

/**
 * Shapes of square results, small to large: of matrices times their own transposes, which libraries leave to a symmetric
 * update. Every third sums many more terms than it has rows.
 */
export function shapesOfGrams(random: Random): Shape[] {
  return Array.from({ length: COUNT }, (_, at): Shape => {
    const isLong = at % 3 === 0;
    const [least, most] = isLong ? [2, 40] : [MOST ** (at / COUNT), MOST ** ((at + 1) / COUNT)];
    const size = Math.round(Math.exp(random.uniform(Math.log(least), Math.log(most))));
    const k = isLong ? Math.max(16 * size, random.int(1, LONG)) : random.int(2, SHORT);
    return { m: Math.max(2, size), k, n: Math.max(2, size) };
  });
}
