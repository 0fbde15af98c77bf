import type { CaseResult } from '../evidence/case-result.ts';
import type { Shape } from '../matrix/dense.ts';
import { parseCase } from '../problem/case.ts';
import { belongs, sizeClasses } from '../problem/size-classes.ts';
import { counted } from '../report/numbers.ts';
import { timeRanOut } from './time-ran-out.ts';

/** What a budget left no time for, in words. */
export interface LeftOut {
  readonly sentence: string;
  /** Sizes that kernels were to be asked for and were not, if there are any: a pass would not cover them. */
  readonly unseen: string | undefined;
}

/** Classes that are named one by one. */
const NAMED = 6;

/**
 * @param texts the cases that were planned and not run.
 * @param run those that were.
 */
export function describeLeftOut(texts: readonly string[], run: readonly CaseResult[]): LeftOut | undefined {
  if (texts.length === 0) return undefined;
  const out = texts.map((text) => {
    const { kernel, problem } = parseCase(text);
    return { kernel, m: problem.m, k: problem.k, n: problem.n };
  });
  const largest = out.reduce((x, y) => (y.m * y.k * y.n > x.m * x.k * x.n ? y : x));
  const were = out.length === 1 ? 'was' : 'were';
  const sentence = `${counted(out.length, 'case')}, the largest ${largest.m}×${largest.k}×${largest.n}, ${were} left out for time.`;
  const unseen = [...new Set(out.map(({ kernel }) => kernel))].flatMap((name) => {
    const met = classesOf(run.filter(({ kernel }) => kernel === name));
    const missed = [...classesOf(out.filter(({ kernel }) => kernel === name))].filter((one) => !met.has(one));
    return missed.length === 0 ? [] : [`${name} was not asked for ${listed(missed)}`];
  });
  return {
    sentence,
    unseen:
      unseen.length === 0
        ? undefined
        : timeRanOut({ run: run.length, planned: run.length + texts.length }, unseen.join('; ')),
  };
}

/** The classes of all sizes: `k of 257–600`. */
export function classesOf(shapes: readonly Shape[]): Set<string> {
  return new Set(
    shapes.flatMap((shape) =>
      (['m', 'k', 'n'] as const).flatMap((key) =>
        sizeClasses.flatMap((one) => (belongs(shape[key], one) ? [`${key} of ${one.name}`] : [])),
      ),
    ),
  );
}

/** Names, the first of them one by one. */
export function listed(names: readonly string[]): string {
  const rest = names.length - NAMED;
  return rest > 0 ? `${names.slice(0, NAMED).join(', ')} and ${rest} more` : names.join(', ');
}
