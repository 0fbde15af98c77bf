import type { Random } from '../base/random.ts';
import type { Shape } from '../matrix/dense.ts';

/** Shapes of which each has a size of 0. */
const COUNT = 48;

/** Shapes without terms or results, of sizes small and large: every third has no terms alone. */
export function shapesOfNothing(random: Random): Shape[] {
  const size = () => Math.floor(2 ** random.uniform(0, 8));
  return Array.from({ length: COUNT }, (_, at): Shape => {
    const [m, k, n] = [size(), size(), size()];
    return [{ m, k: 0, n }, { m, k: 0, n }, at % 2 === 0 ? { m: 0, k, n } : { m, k, n: 0 }][at % 3];
  });
}
