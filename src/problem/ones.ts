import type { Random } from '../base/random.ts';
import type { Shape } from '../matrix/dense.ts';

/** Ways to multiply op(A) and op(B). */
export const OPS = [
  ['n', 'n'],
  ['n', 't'],
  ['t', 'n'],
  ['t', 't'],
] as const;

/** Those of complex entries, as op(A) and op(B) are conjugated in turn. */
export const COMPLEX_OPS = [...OPS, ['n', 'c'], ['c', 'n'], ['c', 't'], ['c', 'c']] as const;

/**
 * Shapes of which some have 1 for each choice of sizes, one for each op(A) and op(B) in turn: vectors and numbers, for which
 * kernels have paths of their own, and layouts that say less than they seem to.
 */
export function shapesOfOnes(random: Random): Shape[] {
  const size = (isOne: boolean) => (isOne ? 1 : Math.floor(2 ** random.uniform(1, 6)));
  return Array.from({ length: 7 * OPS.length }, (_, at): Shape => {
    const ones = Math.floor(at / OPS.length) + 1;
    return { m: size((ones & 1) > 0), k: size((ones & 2) > 0), n: size((ones & 4) > 0) };
  });
}
