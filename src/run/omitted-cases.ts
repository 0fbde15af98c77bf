import { group } from 'd3-array';
import { type CaseResult, plannedText } from '../evidence/case-result.ts';
import { parseCase } from '../problem/case.ts';
import type { GemmProblem } from '../problem/problem.ts';
import { formatCount } from '../report/numbers.ts';
import { shareOfKills } from './order/case-order.ts';

/** A description of the cases that a budget left out. */
export interface SkippedCases {
  readonly sentence: string;
  /** Share of the faults that all cases are expected to show, shown by those that ran: the least of the kernels that lack cases. */
  readonly share: number;
}

/**
 * Describes the cases that a budget left out; undefined where there are none.
 * @param texts the planned cases that were not run.
 * @param run the results of the cases that were run.
 */
export function describeSkipped(
  texts: readonly string[],
  run: readonly Pick<CaseResult, 'case' | 'kernel' | 'sweep'>[],
): SkippedCases | undefined {
  if (texts.length === 0) return undefined;
  const out = group(
    texts.map((text) => parseCase(text)),
    ({ kernel }) => kernel,
  );
  const shares = [...out].map(([name, others]) => {
    const own = run.filter(({ kernel }) => kernel === name);
    return shareOfKills(
      own.map((result) => parseCase(plannedText(result))),
      others,
    );
  });
  return { sentence: sentenceOf(texts, run.length), share: Math.min(...shares) };
}

function sentenceOf(texts: readonly string[], run: number): string {
  const productsOf = ({ m, k, n }: GemmProblem) => m * k * n;
  const largest = texts
    .map((text) => parseCase(text).problem)
    .reduce((x, y) => (productsOf(y) > productsOf(x) ? y : x));
  const shape = `${largest.m}×${largest.k}×${largest.n}`;
  const all = formatCount(run + texts.length, 'case');
  return texts.length === 1
    ? `1 of ${all}, ${shape}, did not run, for lack of time.`
    : `${texts.length} of ${all} did not run, for lack of time; the largest of these is ${shape}.`;
}
