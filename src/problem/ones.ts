import type { Random } from '../base/random.ts';
import type { Shape } from '../matrix/dense.ts';

/** The combinations of op(A) and op(B). */
export const OPS = [
  ['n', 'n'],
  ['n', 't'],
  ['t', 'n'],
  ['t', 't'],
] as const;

/** The combinations for complex entries, where op(A) and op(B) are conjugated in turn. */
export const COMPLEX_OPS = [...OPS, ['n', 'c'], ['c', 'n'], ['c', 't'], ['c', 'c']] as const;

/**
 * Returns shapes with 1 for each choice of sizes, one for each op(A) and op(B) in turn. Kernels have special paths for vectors and scalars,
 * and the layouts of these are ambiguous.
 */
export function shapesOfOnes(random: Random): Shape[] {
  const size = (isOne: boolean) => (isOne ? 1 : Math.floor(2 ** random.uniform(1, 6)));
  return Array.from({ length: 7 * OPS.length }, (_, at): Shape => {
    const ones = Math.floor(at / OPS.length) + 1;
    return { m: size((ones & 1) > 0), k: size((ones & 2) > 0), n: size((ones & 4) > 0) };
  });
}
