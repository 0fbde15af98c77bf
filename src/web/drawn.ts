import type { CaseResult } from '../evidence/case-result.ts';
import type { Machine, OpenDevice } from '../gpu/device.ts';
import type { ProbeAnswer } from '../gpu/probe/answer.ts';
import { matrixConfigs } from '../gpu/subgroup-matrix-configs.ts';
import { seriesNames, seriesOf } from '../pages/figures/series.ts';
import { navigation, reportParts } from '../pages/html/page.ts';
import { failuresSection } from '../pages/html/sections/failures.ts';
import { errorsBySize } from '../pages/html/sections/figures.ts';
import { head } from '../pages/html/sections/head.ts';
import { probeTable } from '../pages/sections/device.ts';
import { htmlFigures } from '../report/html/figure.ts';
import { hueNumbers, shapeDefinitions } from '../report/html/figures/palette.ts';
import { html } from '../report/html/markup.ts';
import type { Section } from '../report/html/section.ts';
import { drawn } from '../report/html/section.ts';
import { htmlTable } from '../report/html/table.ts';
import { factsOf, type Table, toned } from '../report/table.ts';
import { groupFailures } from '../run/groups/group-failures.ts';
import { withShownExamples } from '../run/groups/shown-examples.ts';
import { countsOf } from '../run/overall.ts';
import type { Results } from '../run/results.ts';
import { stampedResults } from '../run/stamped-results.ts';
import type { Drawn } from './protocol.ts';
import { SECONDS, type Speed, speedFigure, speedTable } from './speeds.ts';

/** What the page has beside a report. */
export const ARITHMETIC = { id: 'arithmetic', title: 'How this GPU computes' } as const;
export const SPEEDS = { id: 'speeds', title: 'Speed against bits' } as const;

/** What a visitor asks first of a GPU's arithmetic, by the probe's questions. */
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

/** What the device's arithmetic is, at a glance. */
function factsTable(answers: readonly ProbeAnswer[], { device }: Pick<OpenDevice, 'device'>): Table {
  const units = matrixConfigs(device).map(
    ({ componentType, resultComponentType, M, N, K }) =>
      `${componentType} to ${resultComponentType}, ${M}×${N}×${K}`,
  );
  return factsOf('How it computes', [
    ...FACTS.map(([fact, question]) => {
      const found = answers.find(({ id }) => id === question);
      const told = found && toned(found.answer, found.standing === 'broken' ? 'bad' : undefined);
      return [fact, told] as const;
    }),
    ['subgroup matrices', units.length === 0 ? 'not offered' : units.join('; ')],
  ]);
}

/** The part on the device's arithmetic: its facts at a glance, every question below. */
export function arithmeticPart(answers: readonly ProbeAnswer[], open: OpenDevice): Drawn {
  const table = probeTable(answers);
  const { name, backend } = open.fingerprint;
  const told = name === 'unnamed' ? 'A device that the browser does not name' : name;
  const body = html`<p class="note">${told}${backend === '' ? '' : `, ${backend}`}</p>${htmlTable(factsTable(answers, open))}<details><summary>All ${answers.length} questions</summary>${htmlTable(table)}</details>`;
  return { arithmetic: drawn({ ...ARITHMETIC, body }).text };
}

/** The part on speeds. */
export function speedsPart(speeds: readonly Speed[], note: string | undefined): Drawn {
  const figure = speeds.length === 0 ? undefined : htmlFigures([[speedFigure(speeds)]]);
  const table = speeds.length === 0 ? undefined : htmlTable(speedTable(speeds));
  const said = note === undefined ? undefined : html`<p class="note">${note}</p>`;
  const body = html`<p>Our classical kernel against fast ones, for ${SECONDS} s at most: to the right a product has more bits right, upwards it is faster. The number beside a mark is its size.</p>${said}${figure}${table}`;
  return { speeds: drawn({ ...SPEEDS, body }).text };
}

/** What is known in the middle of a run, or where it was left. */
export function resultsSoFar(
  machine: Machine,
  judged: readonly CaseResult[],
  planned: number,
  interrupted = false,
): Results {
  const groups = groupFailures(judged);
  const cases = withShownExamples(judged, groups);
  const counts = countsOf(judged);
  const [verdict, reason] =
    counts.fail > 0
      ? (['fail', `${counts.fail} of the ${judged.length} cases so far failed.`] as const)
      : (['inconclusive', `${judged.length} of ${planned} cases so far, and none failed.`] as const);
  const summary = { planned, run: judged.length, ...counts, seconds: 0, interrupted };
  return stampedResults(
    machine,
    { seed: 0, command: 'a page' },
    { verdict, reason, summary, growth: [], cases, ...(groups.length === 0 ? {} : { groups }) },
  );
}

/** The parts of a report that are drawn while it grows: nothing leads to cases, which are not listed yet. */
export function growingReport(results: Results): Drawn {
  const series = seriesOf(results.cases);
  const look = { seriesOf: series, hues: hueNumbers(seriesNames(results.cases, series)) };
  const [failures, errors] = [failuresSection(results, new Set()), errorsBySize(results, look)];
  return {
    verdict: html`${shapeDefinitions()}${head(results, [], results.reason)}${failures && drawn(failures)}`
      .text,
    report: errors === undefined ? '' : drawn(errors).text,
  };
}

/**
 * The whole report: what fails stands before how the GPU computes, all else behind it.
 * @param doubts what is to be known of where it is from, a sentence each.
 * @param beside the other parts of the page, which the report leads to.
 */
export function wholeReport(
  results: Results,
  doubts: readonly string[],
  beside: readonly Pick<Section, 'id' | 'title'>[],
): Drawn {
  const { top, parts } = reportParts(results, { doubts, lead: results.reason });
  const isFirst = ({ id }: Pick<Section, 'id'>) => id === 'failures';
  const [first, others] = [parts.filter(isFirst), parts.filter((part) => !isFirst(part))];
  const markup = (some: typeof parts) => some.map((part) => part.markup);
  return {
    verdict: html`${top}${navigation([...first, ...beside, ...others])}${markup(first)}`.text,
    report: html`${markup(others)}`.text,
  };
}
