import type { CaseResult } from '../evidence/case-result.ts';
import type { Machine, OpenDevice } from '../gpu/device.ts';
import type { ProbeAnswer } from '../gpu/probe/question.ts';
import { matrixConfigs } from '../gpu/subgroup-matrix-configs.ts';
import { seriesNames, seriesOf } from '../pages/figures/series.ts';
import { navigation, reportParts } from '../pages/html/page.ts';
import { failuresSection } from '../pages/html/sections/failures.ts';
import { errorsBySize } from '../pages/html/sections/figures.ts';
import { head } from '../pages/html/sections/head.ts';
import { probeTable } from '../pages/sections/device.ts';
import { htmlFigures } from '../report/html/figure.ts';
import { hueNumbers, shapeDefinitions } from '../report/html/figures/palette.ts';
import { html, renderSection, type Section } from '../report/html/markup.ts';
import { htmlTable } from '../report/html/table.ts';
import { makeFactsTable, type Table, tonedCell } from '../report/table.ts';
import { withShownExamples } from '../run/groups/group.ts';
import { groupFailures } from '../run/groups/group-failures.ts';
import { countOutcomes } from '../run/overall.ts';
import type { Results } from '../run/results.ts';
import { stampResults } from '../run/stamped-results.ts';
import type { PageMarkup } from './protocol.ts';
import { SECONDS, type SpeedRow, speedFigure, speedTable } from './speeds.ts';

/** The section of the page that a report does not have. */
export const ARITHMETIC = { id: 'arithmetic', title: 'Arithmetic of this GPU' } as const;
export const SPEEDS = { id: 'speeds', title: 'Speed and accuracy' } as const;

/** Facts about a GPU's arithmetic that visitors ask for first, by the probe's questions. */
const FACTS: readonly (readonly [fact: string, question: string])[] = [
  ['fma rounds', 'f32.fma'],
  ['x * y + z is fused', 'f32.contract.add'],
  ['f32 sums round', 'f32.add.random'],
  ['subnormal operands', 'f32.subnormal.operand.mul'],
  ['subnormal results', 'f32.subnormal.result.mul'],
  ['infinity − infinity', 'f32.infinity.minus-infinity'],
  ['f16 sums round', 'f16.add'],
  ['sums repeat', 'repeat.sum'],
];

/** The table of the main facts about a device's arithmetic. */
function factsTable(answers: readonly ProbeAnswer[], { device }: Pick<OpenDevice, 'device'>): Table {
  const units = matrixConfigs(device).map(
    ({ componentType, resultComponentType, M, N, K }) =>
      `${componentType} to ${resultComponentType}, ${M}×${N}×${K}`,
  );
  return makeFactsTable('Arithmetic', [
    ...FACTS.map(([fact, question]) => {
      const found = answers.find(({ id }) => id === question);
      const told = found && tonedCell(found.answer, found.standing === 'broken' ? 'bad' : undefined);
      return [fact, told] as const;
    }),
    ['subgroup matrices', units.length === 0 ? 'not offered' : units.join('; ')],
  ]);
}

/** Draws the part on the device's arithmetic: the main facts, then every question. */
export function arithmeticPart(answers: readonly ProbeAnswer[], open: OpenDevice): PageMarkup {
  const table = probeTable(answers);
  const { name, backend } = open.fingerprint;
  const told = name === 'unnamed' ? 'Unnamed device (hidden by the browser)' : name;
  const body = html`<p class="note">${told}${backend === '' ? '' : `, ${backend}`}</p>${htmlTable(factsTable(answers, open))}<details><summary>All ${answers.length} answers</summary>${htmlTable(table)}</details>`;
  return { arithmetic: renderSection({ ...ARITHMETIC, body }).text };
}

export function speedsPart(speeds: readonly SpeedRow[], note: string | undefined): PageMarkup {
  const figure = speeds.length === 0 ? undefined : htmlFigures([[speedFigure(speeds)]]);
  const table = speeds.length === 0 ? undefined : htmlTable(speedTable(speeds));
  const said = note === undefined ? undefined : html`<p class="note">${note}</p>`;
  const body = html`<p>Classical and fast kernels of gemm-paranoia, timed for at most ${SECONDS} s. Marks to the right are more accurate, higher marks are faster. The number beside a mark is n.</p>${said}${figure}${table}`;
  return { speeds: renderSection({ ...SPEEDS, body }).text };
}

/** Returns the results in the middle of a run, or of an interrupted one. */
export function resultsSoFar(
  machine: Machine,
  judged: readonly CaseResult[],
  planned: number,
  interrupted = false,
): Results {
  const groups = groupFailures(judged);
  const cases = withShownExamples(judged, groups);
  const counts = countOutcomes(judged);
  const [verdict, reason] =
    counts.fail > 0
      ? (['fail', `${counts.fail} of ${judged.length} cases failed so far.`] as const)
      : (['inconclusive', `${judged.length} of ${planned} cases judged so far; none failed.`] as const);
  const summary = { planned, run: judged.length, ...counts, seconds: 0, interrupted };
  return stampResults(
    machine,
    { seed: 0, command: 'a page' },
    { verdict, reason, summary, growth: [], cases, ...(groups.length === 0 ? {} : { groups }) },
  );
}

/** Draws the parts of a growing report. They do not link to cases, which are not listed yet. */
export function growingReport(results: Results): PageMarkup {
  const series = seriesOf(results.cases);
  const look = { seriesOf: series, hues: hueNumbers(seriesNames(results.cases, series)) };
  const [failures, errors] = [failuresSection(results, new Set()), errorsBySize(results, look)];
  return {
    verdict:
      html`${shapeDefinitions()}${head(results, [], results.reason)}${failures && renderSection(failures)}`
        .text,
    report: errors === undefined ? '' : renderSection(errors).text,
  };
}

/**
 * Draws the whole report: failures come before the part on the GPU's arithmetic, all else after it.
 * @param doubts sentences on the origin of the results
 * @param beside the other parts of the page, to which the report links
 */
export function renderWholeReport(
  results: Results,
  doubts: readonly string[],
  beside: readonly Pick<Section, 'id' | 'title'>[],
): PageMarkup {
  const { top, parts } = reportParts(results, { doubts, lead: results.reason });
  const isFirst = ({ id }: Pick<Section, 'id'>) => id === 'failures';
  const [first, others] = [parts.filter(isFirst), parts.filter((part) => !isFirst(part))];
  const markup = (some: typeof parts) => some.map((part) => part.markup);
  return {
    verdict: html`${top}${navigation([...first, ...beside, ...others])}${markup(first)}`.text,
    report: html`${markup(others)}`.text,
  };
}
