import type { Shape } from '../matrix/dense.ts';
import { problem } from '../problems.ts';

/** How deep to recurse: a number of levels, or the thresholds of the 2011 paper. */
export type Depth = { readonly levels: number } | { readonly tau1: number; readonly tau2: number };

/**
 * The levels of recursion for a shape. With thresholds, n being the smallest dimension: none for n ≤ τ₁, one
 * for τ₁ < n ≤ τ₂, else one more than for n/2 (Li, Ranka, Sahni 2011, Figures 16 and 23).
 * @throws Problem `bad-number` for levels that are not a whole number ≥ 0, or thresholds without 1 ≤ τ₁ ≤ τ₂.
 */
export function levelsFor(shape: Shape, depth: Depth): number {
  if ('levels' in depth) {
    if (!Number.isInteger(depth.levels) || depth.levels < 0) {
      throw problem('bad-number', {
        what: 'levels',
        given: depth.levels,
        need: 'a whole number of at least 0',
      });
    }
    return depth.levels;
  }
  const { tau1, tau2 } = depth;
  if (!(Number.isInteger(tau1) && tau1 >= 1)) {
    throw problem('bad-number', { what: 'tau1', given: tau1, need: 'a whole number of at least 1' });
  }
  if (!(Number.isInteger(tau2) && tau2 >= tau1)) {
    throw problem('bad-number', {
      what: 'tau2',
      given: tau2,
      need: `a whole number of at least tau1 (${tau1})`,
    });
  }
  let n = Math.min(shape.m, shape.k, shape.n);
  if (n <= tau1) return 0;
  let levels = 1;
  for (; n > tau2; n = Math.ceil(n / 2)) levels++;
  return levels;
}
