import { fitLevelsGrowth, fitPowerGrowth, type GrowthPoint } from '../accuracy/growth.ts';
import { type CaseResult, fromReal, type GrowthResult } from './results.ts';

type Measure = GrowthResult['measure'];

/**
 * Fits the growth of the maximum and mean error of the series: over sizes at each number of levels, and over levels at
 * the largest size. Errors are against the ideal product where there is one, as the literature prints them.
 */
export function fitSeries(cases: readonly CaseResult[]): GrowthResult[] {
  const series = cases.filter((result) => result.series && result.exact !== undefined);
  const results: GrowthResult[] = [];
  for (const group of groupBy(series, ({ kernel, precision, input }) => `${kernel} ${precision} ${input}`)) {
    const { kernel, precision, input } = group[0];
    for (const measure of ['maxError', 'meanError'] as const) {
      for (const same of groupBy(group, ({ levels }) => String(levels))) {
        const points = pointsOf(same, measure, ({ n }) => n);
        const fit = fitPowerGrowth(points);
        results.push({
          kernel,
          precision,
          input,
          measure,
          over: 'size',
          fixed: same[0].levels,
          points,
          ...slopeOf(fit),
        });
      }
      const largest = Math.max(...group.map(({ n }) => n));
      const atLargest = group.filter(({ n }) => n === largest);
      const points = pointsOf(atLargest, measure, ({ levels }) => levels);
      results.push({
        kernel,
        precision,
        input,
        measure,
        over: 'levels',
        fixed: largest,
        points,
        ...slopeOf(fitLevelsGrowth(points)),
      });
    }
  }
  return results;
}

function pointsOf(
  cases: readonly CaseResult[],
  measure: Measure,
  x: (result: CaseResult) => number,
): GrowthPoint[] {
  return cases.flatMap((result) => {
    const measures = result.ideal ?? result.exact;
    const error = measures === undefined ? Number.NaN : fromReal(measures[measure]);
    return Number.isFinite(error) ? [{ x: x(result), error }] : [];
  });
}

function slopeOf(fit: ReturnType<typeof fitPowerGrowth> | ReturnType<typeof fitLevelsGrowth>) {
  if (!fit.fitted) return { reason: fit.reason };
  const interval = fit.interval === undefined ? {} : { interval: [...fit.interval] as [number, number] };
  return { slope: fit.slope, ...interval };
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return [...groups.values()];
}
