import type { Random } from '../base/random.ts';
import type { Shape } from '../matrix/dense.ts';

/** Number of results, and the longest of their sides. */
const [COUNT, MOST] = [12, 1200];
/** Longest sums of large results and of small ones. */
const [SHORT, LONG] = [24, 640];

/**
 * Returns shapes of square results, small to large: of matrices times their own transposes, which libraries compute with a symmetric
 * update. Every third has a sum of many more terms than rows.
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
