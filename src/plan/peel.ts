import type { Algorithm } from '../algorithms/algorithm.ts';
import type { Shape } from '../matrix/dense.ts';
import { type Block, type MultiplyStep, PRODUCT, type StepOrigin, type Window } from './plan.ts';

/**
 * Lists the thin products of dynamic peeling, products that complete Z = X·Y after the algorithm has multiplied the core that
 * the grid divides. They read and write windows of the blocks:
 *
 *     core of Z  += last columns of X · last rows of Y    (k left over)
 *     right of Z  = X · last columns of Y                 (n left over, all rows)
 *     bottom of Z = last rows of X · core columns of Y    (m left over)
 */
export function peelProducts(
  { base }: Algorithm,
  x: Block,
  y: Block,
  z: Block,
  of: StepOrigin,
): MultiplyStep[] {
  const { rows: m, cols: k } = x.layout;
  const { cols: n } = y.layout;
  const core = { m: m - (m % base.m), k: k - (k % base.k), n: n - (n % base.n) };
  const steps: MultiplyStep[] = [];
  const emit = (from: Shape, shape: Shape, accumulate: boolean) => {
    const window = (row: number, col: number, rows: number, cols: number): Window => ({
      row,
      col,
      rows,
      cols,
    });
    const target = { block: z, window: window(from.m, from.n, shape.m, shape.n) };
    steps.push({
      kind: 'multiply',
      x: [{ block: x, factor: 1, window: window(from.m, from.k, shape.m, shape.k) }],
      y: [{ block: y, factor: 1, window: window(from.k, from.n, shape.k, shape.n) }],
      shape,
      slots: [{ ...target, load: accumulate, store: true }],
      updates: [
        {
          target: 0,
          terms: [...(accumulate ? [{ factor: 1, slot: 0 }] : []), { factor: 1, slot: PRODUCT }],
        },
      ],
      ...of,
    });
  };
  if (core.k < k) emit({ m: 0, k: core.k, n: 0 }, { m: core.m, k: k - core.k, n: core.n }, true);
  if (core.n < n) emit({ m: 0, k: 0, n: core.n }, { m, k, n: n - core.n }, false);
  if (core.m < m) emit({ m: core.m, k: 0, n: 0 }, { m: m - core.m, k, n: core.n }, false);
  return steps;
}
