import { fromJsonNumber } from '../../base/numbers.ts';
import { lookUp } from '../../base/objects.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import type { StudyResult } from '../../run/results.ts';
import tables2011 from '../../study/published/strassen-2011.json' with { type: 'json' };
import type { MeasureName } from './series.ts';

/** A published value, at its place in a figure. */
export interface PublishedValue {
  readonly algorithm: string;
  readonly levels: number;
  readonly n: number;
  readonly measure: MeasureName;
  readonly input: string;
  readonly precision: string;
  readonly value: number;
  /** The published figure: "Figure 30". */
  readonly figure: string;
}

/** Li, Ranka and Sahni (2011): the inverse pair in binary32. */
const TABLES = {
  maxError: { figure: 'Figure 30', table: tables2011.fig30_maxError_f32 },
  meanError: { figure: 'Figure 31', table: tables2011.fig31_meanError_f32 },
} as const;

/** Rows that are drawn, by their published names. Recursion ends at τ₂/2, so that levels grow with n. */
const ROWS: Readonly<Record<string, string>> = {
  'classical-cpu': 'classical',
  strassen: 'strassen',
  winograd: 'winograd',
};

/** Returns the values of Figures 30 and 31 for the inverse pair in binary32. */
export function figures30And31(): PublishedValue[] {
  return (['maxError', 'meanError'] as const).flatMap((measure) => {
    const { figure, table } = TABLES[measure];
    return table.rows.flatMap(({ algorithm: printed, tau2, values }) =>
      values.flatMap((value, at) => {
        const algorithm = lookUp(ROWS, printed);
        const n = table.sizes[at];
        const levels = tau2 === undefined ? 0 : Math.log2((2 * n) / tau2);
        if (algorithm === undefined || (tau2 !== undefined && levels < 1)) return [];
        const common = { input: 'inverse-pair', precision: 'f32' };
        return [{ ...common, algorithm, levels, n, measure, value, figure }];
      }),
    );
  });
}

/** Returns the published values of a study at the places where its cases were measured. */
export function publishedIn(study: StudyResult | undefined, cases: readonly CaseResult[]): PublishedValue[] {
  if (study === undefined) return [];
  const wanted = new Set(study.cells.map((cell) => cell.case));
  const byName = new Map(
    cases.filter((result) => wanted.has(result.case)).map((result) => [result.case, result]),
  );
  return study.cells.flatMap((cell) => {
    const result = cell.case === undefined ? undefined : byName.get(cell.case);
    const measure = measureOf(cell.title);
    const value = fromJsonNumber(cell.published);
    if (result === undefined || measure === undefined || !(value > 0 && Number.isFinite(value))) return [];
    const { algorithm, levels, n, input, precision } = result;
    return [{ algorithm, levels, n, input, precision, measure, value, figure: cell.figure }];
  });
}

function measureOf(title: string): MeasureName | undefined {
  if (/relative|normali[sz]ed|second|time|speed/i.test(title)) return undefined;
  if (/\bmean\b|average/i.test(title)) return 'meanError';
  return /\bmax/i.test(title) ? 'maxError' : undefined;
}

/** Removes repeated values for one place, and keeps the first. */
export function withoutRepeats(values: readonly PublishedValue[]): PublishedValue[] {
  const places = new Map<string, PublishedValue>();
  for (const published of values) {
    const { algorithm, levels, n, measure, input, precision, value } = published;
    const key = JSON.stringify([algorithm, levels, n, measure, input, precision, value]);
    if (!places.has(key)) places.set(key, published);
  }
  return [...places.values()];
}
