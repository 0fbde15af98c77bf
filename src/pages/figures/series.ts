import type { CaseResult } from '../../evidence/case-result.ts';
import { MOST_HUES } from '../../report/html/figures/palette.ts';
import { shortName } from './figure-words.ts';

/** Returns the series name of a case, the same in all figures of a report. */
export type SeriesName = (result: Pick<CaseResult, 'kernel' | 'algorithm' | 'leaf'>) => string;

/**
 * Makes a series for each kernel. If colors do not suffice, kernels of ours that share an algorithm share a series: they differ in their
 * tiling, and nearly always give the same bits.
 */
export function seriesOf(cases: readonly CaseResult[]): SeriesName {
  const kernels = new Set(cases.map(({ kernel }) => kernel));
  const byKernel: SeriesName = ({ kernel }) => shortName(kernel);
  if (kernels.size <= MOST_HUES) return byKernel;
  return (result) => (isOurs(result) ? shortName(result.algorithm) : byKernel(result));
}

/** True if a kernel is one of ours, which are compiled for one of our leaf kernels. The leaf of other kernels is unknown. */
export const isOurs = ({ leaf }: Pick<CaseResult, 'leaf'>): boolean => leaf !== '';

/** Lists the names of all series. Series of failing cases come first, so that these have a color. */
export function seriesNames(cases: readonly CaseResult[], of: SeriesName): string[] {
  const failing = cases.filter(({ verdict }) => verdict === 'fail');
  const first = [...new Set(failing.map(of))];
  return [...new Set([...(first.length <= MOST_HUES ? first : []), ...cases.map(of)])];
}
