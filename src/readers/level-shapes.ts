import type { Shape } from '../matrix/dense.ts';
import type { Layout } from '../plan/layout.ts';
import type { Plan } from '../plan/plan.ts';

/** Returns the shape of the products at each level, from the whole one (padding of the fringe included) to those stored row by row. */
export function levelShapes({ layouts }: Pick<Plan, 'layouts'>): Shape[] {
  const shapes: Shape[] = [];
  let [a, b]: (Layout | undefined)[] = [layouts.A, layouts.B];
  while (a !== undefined && b !== undefined) {
    shapes.push({ m: a.rows, k: a.cols, n: b.cols });
    [a, b] = [partOf(a), partOf(b)];
  }
  return shapes;
}

const partOf = (layout: Layout): Layout | undefined => (layout.kind === 'split' ? layout.part : undefined);
