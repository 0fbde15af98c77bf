import type { Matrix } from '../matrix/dense.ts';
import type { Lab } from './lab.ts';

/** Random square operands, uniform on [−1, 1]. */
export function uniformPair(
  { asker, random }: Pick<Lab, 'asker' | 'random'>,
  n: number,
): { a: Matrix; b: Matrix } {
  const draw = () => random.uniform(-1, 1);
  return { a: asker.matrix(n, n, draw), b: asker.matrix(n, n, draw) };
}
