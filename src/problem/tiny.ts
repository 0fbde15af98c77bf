import type { Random } from '../base/random.ts';
import type { Shape } from '../matrix/dense.ts';

/** The largest size of products that are tiny in all dimensions. */
const TINY = 3;

/** Returns all tiny shapes, in random order: kernels compute these by other paths, which ignore features of the others. */
export const tinyShapes = (random: Random): Shape[] =>
  [...random.permutation(TINY ** 3)].map((at) => ({
    m: (at % TINY) + 1,
    k: (Math.floor(at / TINY) % TINY) + 1,
    n: Math.floor(at / TINY ** 2) + 1,
  }));
