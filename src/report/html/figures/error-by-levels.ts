import type { CaseResult } from '../../../gate/results.ts';
import { html, type Markup } from '../markup.ts';
import { levelsInWords, name } from '../text.ts';
import { errorAxis, levelAxis } from './axis.ts';
import { errorLabel } from './error-by-size.ts';
import { seriesMarks } from './marks.ts';
import { algorithmNumbers } from './palette.ts';
import { ACROSS, panel, UPWARDS } from './panel.ts';
import { errorOf, type Family, gather, valuesOf } from './points.ts';

/** How the errors of a family grow with the levels, at the size that was run at most levels; nothing at one level. */
export function errorByLevels(family: Family): Markup[] {
  const cases = atRichestSize(family.cases);
  const levels = [...new Set(cases.map((result) => result.levels))].sort((a, b) => a - b);
  if (levels.length < 2) return [];
  const algorithms = algorithmNumbers(cases.map(({ algorithm }) => algorithm));
  const x = levelAxis('levels of recursion', levels, ACROSS);
  return (['maxError', 'meanError'] as const).map((measure) => {
    const points = gather(cases, (result) => errorOf(result, measure)).filter(({ algorithm }) =>
      algorithms.has(algorithm),
    );
    const y = errorAxis(errorLabel(measure, family.ideal), valuesOf(points), UPWARDS);
    const body = [...algorithms].map(([algorithm, number]) =>
      seriesMarks(
        points.filter((point) => point.algorithm === algorithm),
        x,
        y,
        {
          number,
          across: (point) => point.levels,
          describe: (point) => `${name(algorithm)}, ${levelsInWords(point.levels)}`,
        },
      ),
    );
    const title = `${name(family.input)}, ${name(family.precision)}, n = ${cases[0].n}`;
    return panel({ title, x, y, body: html`${body}` });
  });
}

function atRichestSize(cases: readonly CaseResult[]): CaseResult[] {
  const sizes = new Map<number, Set<number>>();
  for (const { n, levels } of cases) sizes.set(n, (sizes.get(n) ?? new Set()).add(levels));
  const [richest] = [...sizes].sort(([n, a], [m, b]) => b.size - a.size || m - n)[0];
  return cases.filter(({ n }) => n === richest);
}
