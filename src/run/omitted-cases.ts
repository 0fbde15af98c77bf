import type { CaseResult } from '../evidence/case-result.ts';
import { builtinCaseItems, type CaseItems } from '../kernels/case-items.ts';
import { parseCase } from '../problem/case.ts';
import type { GemmProblem } from '../problem/problem.ts';
import { formatCount } from '../report/numbers.ts';
import { classesOf, FULL } from './classes-of.ts';
import { describeTimeout } from './time-ran-out.ts';

/** A description of the cases that a budget left out. */
export interface OmittedCases {
  readonly sentence: string;
  /** Planned sizes that kernels did not compute, if there are any. A pass would not cover them. */
  readonly unseen: string | undefined;
}

/** Most classes that are listed one by one. */
const NAMED = 6;

/**
 * Describes the omitted cases; undefined where there are none.
 * @param texts the planned cases that were not run.
 * @param run the results of the cases that were run.
 * @param items items that cases may name. @defaultValue the built-in ones
 */
export function describeLeftOut(
  texts: readonly string[],
  run: readonly CaseResult[],
  items: CaseItems = builtinCaseItems,
): OmittedCases | undefined {
  if (texts.length === 0) return undefined;
  const out = texts.map((text) => parseCase(text));
  const productsOf = ({ m, k, n }: GemmProblem) => m * k * n;
  const largest = out.map(({ problem }) => problem).reduce((x, y) => (productsOf(y) > productsOf(x) ? y : x));
  const shape = `${largest.m}×${largest.k}×${largest.n}`;
  const all = formatCount(run.length + texts.length, 'case');
  const sentence =
    out.length === 1
      ? `1 of ${all}, ${shape}, did not run: the time was up.`
      : `${out.length} of ${all} did not run: the time was up. The largest is ${shape}.`;
  const unseen = [...new Set(out.map(({ kernel }) => kernel))].flatMap((name) => {
    const own = run.filter(({ kernel }) => kernel === name);
    const met = classesOf(
      own.map((result) => parseCase(result.case).problem),
      items,
    );
    const planned = classesOf(
      out.filter(({ kernel }) => kernel === name).map(({ problem }) => problem),
      items,
    );
    const missed = [...planned].filter((one) => !met.has(one));
    return missed.length === 0 ? [] : [`${name} was not tested with ${listClasses(missed)}`];
  });
  return {
    sentence,
    unseen:
      unseen.length === 0
        ? undefined
        : describeTimeout({ run: run.length, planned: run.length + texts.length }, unseen.join('; ')),
  };
}

/** Lists classes in words, the first of them one by one. */
export function listClasses(missed: readonly string[]): string {
  const names = missed.filter((one) => !one.endsWith(FULL) || !missed.includes(one.slice(0, -FULL.length)));
  const rest = names.length - NAMED;
  return rest > 0 ? `${names.slice(0, NAMED).join(', ')} and ${rest} more` : names.join(', ');
}
