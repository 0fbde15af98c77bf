import type { Shape } from '../matrix/dense.ts';
import type { BlockLayout } from '../plan/layout.ts';
import type { Plan } from '../plan/plan.ts';

/** Returns the shape of the products at each level, from the whole one (padding of the fringe included) to those stored row by row. */
export function levelShapes({ layouts }: Pick<Plan, 'layouts'>): Shape[] {
  const shapes: Shape[] = [];
  let [a, b]: (BlockLayout | undefined)[] = [layouts.A, layouts.B];
  while (a !== undefined && b !== undefined) {
    shapes.push({ m: a.rows, k: a.cols, n: b.cols });
    [a, b] = [partOf(a), partOf(b)];
  }
  return shapes;
}

const partOf = (layout: BlockLayout): BlockLayout | undefined =>
  layout.kind === 'split' ? layout.part : undefined;
