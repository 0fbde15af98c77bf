import { type CaseResult, fromReal, type Study } from '../../../gate/results.ts';
import type { MeasureName } from './points.ts';

/** A value that was printed, at its place in a figure. */
export interface Published {
  readonly algorithm: string;
  readonly levels: number;
  readonly n: number;
  readonly measure: MeasureName;
  readonly input: string;
  readonly precision: string;
  readonly value: number;
  /** "Figure 30". */
  readonly figure: string;
}

const SIZES = [2048, 4096, 8192, 16384];

// Li, Ranka and Sahni (2011): the inverse pair in binary32; recursion ends at 1024, so levels grow with n.
const PRINTED: Readonly<
  Record<MeasureName, { figure: string; rows: Readonly<Record<string, readonly number[]>> }>
> = {
  maxError: {
    figure: 'Figure 30',
    rows: {
      classical: [7.9e-5, 1.6e-4, 2.3e-4, 3.9e-4],
      strassen: [2.4e-4, 6.7e-4, 8.8e-3, 8.3e-2],
      winograd: [2.5e-4, 1.9e-3, 2.9e-2, 6.3e-1],
    },
  },
  meanError: {
    figure: 'Figure 31',
    rows: {
      classical: [6.6e-8, 5.5e-8, 4.7e-8, 3.3e-8],
      strassen: [2.1e-7, 4.6e-7, 1.4e-6, 1.4e-5],
      winograd: [2.8e-7, 1.3e-6, 1.2e-5, 1.7e-4],
    },
  },
};

// The same tables with recursion ending at 2048: one level fewer at each size.
const PRINTED_SHALLOWER: Readonly<Record<MeasureName, Readonly<Record<string, readonly number[]>>>> = {
  maxError: { strassen: [3.4e-4, 1.5e-3, 5.8e-2], winograd: [5.0e-4, 3.6e-3, 1.6e-1] },
  meanError: { strassen: [1.7e-7, 3.9e-7, 2.9e-6], winograd: [2.8e-7, 1.2e-6, 3.2e-5] },
};

/** What Figures 30 and 31 print for the inverse pair in binary32. */
export function figures30And31(): Published[] {
  const common = { input: 'inverse-pair', precision: 'f32' };
  return (['maxError', 'meanError'] as const).flatMap((measure) => {
    const { figure, rows } = PRINTED[measure];
    const deep = Object.entries(rows).flatMap(([algorithm, values]) =>
      values.map((value, at) => {
        const levels = algorithm === 'classical' ? 0 : at + 1;
        return { ...common, algorithm, levels, n: SIZES[at], measure, value, figure };
      }),
    );
    const shallow = Object.entries(PRINTED_SHALLOWER[measure]).flatMap(([algorithm, values]) =>
      values.map((value, at) => ({
        ...common,
        algorithm,
        levels: at + 1,
        n: SIZES[at + 1],
        measure,
        value,
        figure,
      })),
    );
    return [...deep, ...shallow];
  });
}

/** What the cells of a study print at the places where its cases were measured. */
export function publishedIn(study: Study | undefined, cases: readonly CaseResult[]): Published[] {
  if (study === undefined) return [];
  const wanted = new Set(study.cells.map((cell) => cell.case));
  const byName = new Map(
    cases.filter((result) => wanted.has(result.case)).map((result) => [result.case, result]),
  );
  return study.cells.flatMap((cell) => {
    const result = cell.case === undefined ? undefined : byName.get(cell.case);
    const measure = measureOf(cell.title);
    const value = fromReal(cell.published);
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

/** Of values printed for one place twice, the first. */
export function withoutRepeats(values: readonly Published[]): Published[] {
  const places = new Map<string, Published>();
  for (const published of values) {
    const { algorithm, levels, n, measure, input, precision, value } = published;
    const key = JSON.stringify([algorithm, levels, n, measure, input, precision, value]);
    if (!places.has(key)) places.set(key, published);
  }
  return [...places.values()];
}
