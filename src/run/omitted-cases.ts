import { parseCase } from '../problem/case.ts';
import type { GemmProblem } from '../problem/problem.ts';
import { formatCount } from '../report/numbers.ts';

/**
 * Describes the cases that a budget left out; undefined where there are none.
 * @param texts the planned cases that were not run.
 * @param run the number of cases that were run.
 */
export function describeSkipped(texts: readonly string[], run: number): string | undefined {
  if (texts.length === 0) return undefined;
  const productsOf = ({ m, k, n }: GemmProblem) => m * k * n;
  const largest = texts
    .map((text) => parseCase(text).problem)
    .reduce((x, y) => (productsOf(y) > productsOf(x) ? y : x));
  const shape = `${largest.m}×${largest.k}×${largest.n}`;
  const all = formatCount(run + texts.length, 'case');
  return texts.length === 1
    ? `1 of ${all}, ${shape}, did not run: the time was up.`
    : `${texts.length} of ${all} did not run: the time was up. The largest is ${shape}.`;
}
