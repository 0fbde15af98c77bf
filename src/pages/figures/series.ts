import { toOneLine } from '../../base/printable.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import { MOST_HUES } from '../../report/html/figures/palette.ts';
import { formatExponent, formatShort, type MeasuredNumber } from '../../report/numbers.ts';

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

// The limit keeps names of a file from filling a page. Real names are far shorter.
const LONGEST_NAME = 120;

/** Returns a name from a file, on one line and of bounded length. */
export const shortName = (text: string): string => toOneLine(text, LONGEST_NAME);

/** Returns "2 levels", "1 level" or "no recursion". */
export const describeLevels = (levels: number): string =>
  levels === 0 ? 'no recursion' : `${levels} level${levels === 1 ? '' : 's'}`;

/** Writes a published number with its published digits. */
export function formatPublished(value: MeasuredNumber): string {
  const text = Number(value).toExponential();
  return Number.isFinite(Number(value)) && text.length <= 9 ? text : formatExponent(value);
}

/** Describes speed-up and lost bits: "1.2 times as fast, 3.1 bits lost". */
export const describeTrade = (speedUp: number, bitsLost: number): string =>
  `${formatShort(speedUp)} times as fast, ${formatShort(Math.round(10 * bitsLost) / 10)} bits lost`;
