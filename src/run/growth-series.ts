import { fromReal } from '../base/real.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import { fitLevelsGrowth, fitPowerGrowth, type GrowthPoint } from '../evidence/growth.ts';
import type { GrowthResult } from './results.ts';

type Measure = GrowthResult['measure'];

/**
 * Fits the growth of the maximum and mean error of the series: over sizes at each number of levels, and over levels, where
 * there are several, at the largest size. Errors are against the ideal product where there is one, as the literature
 * prints them.
 */
export function fitSeries(cases: readonly CaseResult[]): GrowthResult[] {
  const series = cases.filter((result) => result.series && result.exact !== undefined);
  const groups = groupBy(series, ({ kernel, precision, input }) => `${kernel} ${precision} ${input}`);
  return groups.flatMap((group) =>
    (['maxError', 'meanError'] as const).flatMap((measure) => [
      ...groupBy(group, ({ levels }) => String(levels)).map((same) => overSizes(same, measure)),
      ...overLevels(group, measure),
    ]),
  );
}

function overSizes(same: readonly CaseResult[], measure: Measure): GrowthResult {
  const [{ kernel, precision, input, levels }] = same;
  const points = pointsOf(same, measure, ({ n }) => n);
  const about = { kernel, precision, input, measure, over: 'size', fixed: levels } as const;
  return { ...about, points, ...slopeOf(fitPowerGrowth(points)) };
}

function overLevels(group: readonly CaseResult[], measure: Measure): GrowthResult[] {
  const [{ kernel, precision, input, levels: first }] = group;
  if (group.every(({ levels }) => levels === first)) return [];
  const largest = Math.max(...group.map(({ n }) => n));
  const atLargest = group.filter(({ n }) => n === largest);
  const points = pointsOf(atLargest, measure, ({ levels }) => levels);
  const about = { kernel, precision, input, measure, over: 'levels', fixed: largest } as const;
  return [{ ...about, points, ...slopeOf(fitLevelsGrowth(points)) }];
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
