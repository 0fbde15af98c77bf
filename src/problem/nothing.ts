import type { Random } from '../base/random.ts';
import type { Shape } from '../matrix/dense.ts';

/** Number of shapes with a size of 0. */
const COUNT = 48;

/** Returns shapes without terms or results, of small and large sizes. One in three has no results; the others have no terms. */
export function shapesOfNothing(random: Random): Shape[] {
  const size = () => Math.floor(2 ** random.uniform(0, 8));
  return Array.from({ length: COUNT }, (_, at): Shape => {
    const [m, k, n] = [size(), size(), size()];
    return [{ m, k: 0, n }, { m, k: 0, n }, at % 2 === 0 ? { m: 0, k, n } : { m, k, n: 0 }][at % 3];
  });
}
