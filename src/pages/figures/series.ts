import type { CaseResult } from '../../evidence/case-result.ts';
import { MOST_HUES } from '../../report/html/figures/palette.ts';
import { name } from './said.ts';

/** What a case is drawn as: the same name in all figures of a report. */
export type SeriesOf = (result: Pick<CaseResult, 'kernel' | 'algorithm' | 'leaf'>) => string;

/**
 * A series for each kernel. Where colours do not suffice, kernels of ours that share an algorithm share a series: they differ in
 * their tiling, and nearly always give the same bits.
 */
export function seriesOf(cases: readonly CaseResult[]): SeriesOf {
  const kernels = new Set(cases.map(({ kernel }) => kernel));
  const byKernel: SeriesOf = ({ kernel }) => name(kernel);
  if (kernels.size <= MOST_HUES) return byKernel;
  return (result) => (isOurs(result) ? name(result.algorithm) : byKernel(result));
}

/** Kernels of ours are compiled for one of our leaf kernels; of others nothing is known of that. */
export const isOurs = ({ leaf }: Pick<CaseResult, 'leaf'>): boolean => leaf !== '';

/** The names of all series, those of failing cases first: whoever has no colour is not one of them. */
export function seriesNames(cases: readonly CaseResult[], of: SeriesOf): string[] {
  const failing = cases.filter(({ verdict }) => verdict === 'fail');
  const first = [...new Set(failing.map(of))];
  return [...new Set([...(first.length <= MOST_HUES ? first : []), ...cases.map(of)])];
}
