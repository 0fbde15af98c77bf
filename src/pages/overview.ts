import { group as groupedBy } from 'd3-array';
import { fromJsonNumber, toJsonNumber } from '../base/numbers.ts';
import { lookUp } from '../base/objects.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import { formatCount, type MeasuredNumber, worstNumber } from '../report/numbers.ts';
import type { Results } from '../run/results.ts';
import { waiversOfClaims } from '../run/settled-waivers.ts';
import { type CaseStanding, standingOf } from './standing.ts';

/** The outcome of a kernel, or of several of one algorithm, in a line. */
export interface OverviewRow {
  readonly name: string;
  readonly kernels: readonly string[];
  readonly cases: number;
  readonly fail: number;
  readonly inconclusive: number;
  readonly waived: number;
  /** True if its outputs disprove its claims, and no waiver covers that. */
  readonly disproved: boolean;
  /** The largest error in units of the expected one. */
  readonly sigmas: MeasuredNumber;
  /** The mean error in units of the baseline's: of the case that grew most or, where none grew, that shrank most. */
  readonly sinceBaseline: MeasuredNumber;
  /** The grade of its errors; absent where it was not requested. */
  readonly grade: string | undefined;
  /** Seconds of the run that its cases took. If processes run in parallel, this is its share. */
  readonly seconds: number | undefined;
}

type Told = Pick<Results, 'cases' | 'inspections' | 'summary' | 'fuzz' | 'waivers'>;

/** Returns the data of the whole that every row needs, computed once: thousands of kernels may have a row. */
const wholeOf = ({ cases, inspections = [], summary, fuzz, waivers = [] }: Told) => ({
  ...{ fuzz, covered: waiversOfClaims(waivers), byKernel: groupedBy(inspections, ({ kernel }) => kernel) },
  share: Math.min(1, summary.seconds / Math.max(secondsOf(cases), 1e-9)),
});
type Whole = ReturnType<typeof wholeOf>;

/**
 * Returns a row for each kernel, failing ones first. With more than `most` rows, the kernels of an algorithm of ours share one. The
 * remaining ones share a last row.
 */
export function overviewRows(results: Told, most: number): OverviewRow[] {
  const byKernel = rowsBy(results, ({ kernel }) => kernel);
  if (byKernel.length <= most) return byKernel;
  const rows = rowsBy(results, ({ kernel, algorithm, leaf }) => (leaf === '' ? kernel : algorithm));
  if (rows.length <= most) return rows;
  const rest = new Set(rows.slice(most - 1).flatMap(({ kernels }) => kernels));
  const name = formatCount(rest.size, 'other kernel');
  const others = results.cases.filter(({ kernel }) => rest.has(kernel));
  return [...rows.slice(0, most - 1), rowOf(name, others, wholeOf(results))];
}

function rowsBy(results: Told, nameOf: (result: CaseResult) => string): OverviewRow[] {
  const whole = wholeOf(results);
  const rows = [...groupedBy(results.cases, nameOf)].map(([name, cases]) => {
    const kernels = new Set(cases.map(({ kernel }) => kernel)).size;
    return rowOf(kernels === 1 ? cases[0].kernel : `${name} (${kernels} kernels)`, cases, whole);
  });
  return rows.sort((x, y) => weight(y) - weight(x));
}

/** Returns the sort weight: rows to read first have the most. */
const weight = ({ fail, disproved, inconclusive }: OverviewRow): number =>
  4 * Number(fail > 0) + 2 * Number(disproved) + Number(inconclusive > 0);

function rowOf(
  name: string,
  cases: readonly CaseResult[],
  { fuzz, covered, byKernel, share }: Whole,
): OverviewRow {
  const kernels = [...new Set(cases.map(({ kernel }) => kernel))];
  const standing = (wanted: CaseStanding) => cases.filter((result) => standingOf(result) === wanted).length;
  const inspected = kernels.flatMap((kernel) => byKernel.get(kernel) ?? []);
  const taken = secondsOf(cases);
  return {
    ...{ name, kernels, cases: Math.max(cases.length, drawnOf(kernels, fuzz)) },
    ...{ fail: standing('fail'), inconclusive: standing('inconclusive'), waived: standing('waived') },
    disproved: inspected.some(
      ({ kernel, contradictions = [] }) => contradictions.length > 0 && !covered.has(kernel),
    ),
    sigmas: worstNumber(
      cases.map(({ checks }) => checks.find((check) => check.name === 'sigma')?.found),
      'largest',
    ),
    sinceBaseline: changeOf(cases.flatMap(({ sinceBaseline }) => sinceBaseline ?? [])),
    grade: inspected.length === 1 ? inspected[0].measures.grade : undefined,
    seconds: cases.some(({ judgingSeconds }) => judgingSeconds !== undefined) ? taken * share : undefined,
  };
}

/** Returns the number of drawn cases of kernels. Fuzzing keeps few of these cases. */
const drawnOf = (kernels: readonly string[], fuzz: Results['fuzz']): number =>
  kernels.reduce((sum, kernel) => sum + (lookUp(fuzz?.coverage.counts.kernel, kernel) ?? 0), 0);

const secondsOf = (cases: readonly CaseResult[]) =>
  cases.reduce((sum, { judgingSeconds = 0 }) => sum + judgingSeconds, 0);

function changeOf(ratios: readonly NonNullable<MeasuredNumber>[]): MeasuredNumber {
  if (ratios.length === 0) return undefined;
  const all = ratios.map(fromJsonNumber);
  const largest = all.reduce((x, y) => (y > x || Number.isNaN(y) ? y : x));
  return toJsonNumber(largest > 1 || Number.isNaN(largest) ? largest : all.reduce((x, y) => Math.min(x, y)));
}
