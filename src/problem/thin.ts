import type { Random } from '../base/random.ts';
import type { Shape } from '../matrix/dense.ts';

/** Number of parts of the range of the long size, on a log scale. */
const PARTS = 12;
const [LEAST, MOST] = [129, 4096];
const BESIDE = 40;

/** Returns shapes with one long size and two small ones: `times` shapes for each part of the range of each dimension. */
export function thinShapes(random: Random, times: number): Shape[] {
  const small = () => Math.floor(BESIDE ** random.uniform(0, 1));
  return Array.from({ length: 3 * PARTS * times }, (_, at): Shape => {
    const [part, key] = [Math.floor(at / times) % PARTS, Math.floor(at / times / PARTS)];
    const long = Math.floor(LEAST * (MOST / LEAST) ** ((part + random.uniform(0, 1)) / PARTS));
    const sizes = [small(), small(), small()];
    sizes[key] = long;
    const [m, k, n] = sizes;
    return { m, k, n };
  });
}
