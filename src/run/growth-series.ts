import { fromJsonNumber, type JsonNumber } from '../base/numbers.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import {
  fitLevelsGrowth,
  fitPowerGrowth,
  type GrowthFit,
  type GrowthPoint,
  type MissingFit,
} from '../evidence/growth.ts';
import type { GrowthResult } from './results.ts';

type Measure = GrowthResult['measure'];

/**
 * Fits the growth of the maximum and mean error of the series: over sizes at each number of levels, and over levels, where there are
 * several, at the largest size. Errors are relative to the ideal product where there is one, as the literature prints them.
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
  const about = { kernel, precision, input, measure, over: 'size', fixed: levels } as const;
  return { ...about, ...fitted(same, measure, ({ n }) => n, fitPowerGrowth) };
}

function overLevels(group: readonly CaseResult[], measure: Measure): GrowthResult[] {
  const [{ kernel, precision, input, levels: first }] = group;
  if (group.every(({ levels }) => levels === first)) return [];
  const largest = Math.max(...group.map(({ n }) => n));
  const atLargest = group.filter(({ n }) => n === largest);
  const about = { kernel, precision, input, measure, over: 'levels', fixed: largest } as const;
  return [{ ...about, ...fitted(atLargest, measure, ({ levels }) => levels, fitLevelsGrowth) }];
}

type Fit = (points: readonly GrowthPoint[]) => GrowthFit | MissingFit;

/** Returns the fit of measured errors, and the slopes that theory predicts for the same products. */
function fitted(
  cases: readonly CaseResult[],
  measure: Measure,
  x: (result: CaseResult) => number,
  line: Fit,
): Pick<GrowthResult, 'points' | 'slope' | 'interval' | 'reason' | 'expected' | 'bound'> {
  const pointsOf = (value: (result: CaseResult) => JsonNumber | undefined): GrowthPoint[] =>
    cases.flatMap((result) => {
      const error = fromJsonNumber(value(result) ?? 'NaN');
      return Number.isFinite(error) ? [{ x: x(result), error }] : [];
    });
  const slopeOfTheory = (value: (result: CaseResult) => JsonNumber | undefined): number | undefined => {
    // Predictions for the exact product do not hold for the ideal one: rounding the operands has moved it.
    const found = cases.some(({ ideal }) => ideal !== undefined) ? undefined : line(pointsOf(value));
    return found?.fitted ? found.slope : undefined;
  };
  const points = pointsOf(({ ideal, exact }) => (ideal ?? exact)?.[measure]);
  return {
    points,
    ...slopeOf(line(points)),
    ...defined({
      expected: slopeOfTheory(({ sigma }) => sigma?.largest),
      bound: slopeOfTheory(({ runningBound }) => runningBound?.largest),
    }),
  };
}

const defined = (slopes: Record<'expected' | 'bound', number | undefined>) =>
  Object.fromEntries(Object.entries(slopes).filter(([, slope]) => slope !== undefined));

function slopeOf(fit: GrowthFit | MissingFit) {
  if (!fit.fitted) return { reason: fit.reason };
  const interval = fit.interval === undefined ? {} : { interval: [...fit.interval] as [number, number] };
  return { slope: fit.slope, ...interval };
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return [...groups.values()];
}
