import type { Registry } from '../base/registry.ts';
import type { Precision } from '../precision/precision.ts';
import type { GemmProblem } from '../problem/problem.ts';
import { inputOf } from './edits/edited-family.ts';
import type { InputFamily } from './input.ts';

/**
 * True if the errors of a problem's sums are random and none is exact: entries have all bits of their format, so that the
 * product shows operands or sums of fewer bits.
 */
export function showsRounding(
  problem: GemmProblem,
  {
    inputs,
    precisions,
  }: { readonly inputs: Registry<InputFamily>; readonly precisions: Registry<Precision> },
): boolean {
  const { m, k, n, alpha, precision } = problem;
  if (m * k * n === 0 || alpha === 0) return false;
  const { exactness, statistics, randomUpTo } = inputOf(problem, inputs);
  return exactness === 'none' && statistics === 'random' && k <= randomUpTo(precisions.find(precision));
}
