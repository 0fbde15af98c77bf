import type { Random } from '../base/random.ts';
import type { Shape } from '../matrix/dense.ts';

/** Up to here results are also square, with sums of another length. */
const SQUARES = 32;

/**
 * Shapes of which some have each size of each dimension up to the most: a path may be chosen by one size alone. Of a kernel that
 * refuses one, the cube of its size.
 */
export function everySize(random: Random, most: number, takes: (shape: Shape) => boolean): Shape[] {
  const [m, k, n] = [0, 1, 2].map(() => random.permutation(most));
  const all = Array.from(m, (_, at): Shape => ({ m: m[at] + 1, k: k[at] + 1, n: n[at] + 1 }));
  const squares = Array.from({ length: Math.min(most, SQUARES) }, (_, at): Shape => {
    return { m: at + 1, k: random.int(1, 2 * SQUARES), n: at + 1 };
  });
  return [...all, ...squares].flatMap((shape) => {
    const cube = { m: shape.m, k: shape.m, n: shape.m };
    return [shape, cube].find(takes) ?? [];
  });
}
