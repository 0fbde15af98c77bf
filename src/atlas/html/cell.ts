import { group } from 'd3-array';
import { commandOf } from '../../pages/html/sections/command.ts';
import { flat, parseCase } from '../../problem/case.ts';
import { html, type Markup } from '../../report/html/markup.ts';
import { htmlTable } from '../../report/html/table.ts';
import { counted, percent, short } from '../../report/numbers.ts';
import { columnsOf, count, digits, factsOf, magnitudeOf, type Table, tally } from '../../report/table.ts';
import { type Cell, type Finding, findingsIn } from '../cells.ts';
import type { CaseRow } from '../entry.ts';
import { slugOf } from '../place.ts';
import { worstOf } from '../rows.ts';
import { kernelPage } from './links.ts';
import { type FileOf, runsTable } from './runs.ts';
import { bitsSaid, dayOf, name, sentence, titleOf, verdictMark } from './words.ts';

/** The section of a cell, with all of its results, under its permanent link. */
export function cellSection(cell: Cell, fileOf: FileOf): Markup {
  const { slug, runs, findings, disproved } = cell;
  const entries = runs.map(({ entry }) => entry);
  const head = html`<h3>${verdictMark(cell)} ${titleOf(cell)} <small>${name(cell.place.implementation)}, driver ${name(cell.place.driver)}</small></h3>`;
  const body = html`<p class="note"><a href="#${slug}">Permanent link</a> · this kernel on all platforms: ${kernelLink(cell)}</p>${findings.map(findingOf)}${disproved.map(disproof)}${htmlTable(factsAbout(cell))}${folded('By input and levels', htmlTable(byInput(cell)))}${shownOf(cell)}${folded(counted(entries.length, 'run'), runsTable(entries, fileOf))}`;
  // Cells without findings are folded.
  const open = findingsIn(cell) > 0 ? html` open` : undefined;
  return html`<section class="of-cell" id="${slug}"><details class="part"${open}><summary>${head}</summary>${body}</details></section>
`;
}

const disproof = (says: string): Markup =>
  html`<div class="finding"><p><b class="bad">Its outputs disprove a claim:</b> ${sentence(says)}</p></div>`;

const folded = (title: string, body: Markup): Markup =>
  html`<details class="numbers"><summary>${title}</summary>${body}</details>`;

function findingOf({ says, looksLike, example, entry, failing, judged }: Finding): Markup {
  const like = looksLike === undefined ? undefined : html`<p>Pattern: ${sentence(looksLike.says)}.</p>`;
  return html`<div class="finding"><p><b class="bad">${sentence(says)}</b> <small>${failing} of ${judged}, ${dayOf(entry.run.createdAt)}</small></p>${like}<p>${sentence(example.reason)}</p><p>Replay the smallest case: ${commandOf(example.replay)}</p></div>`;
}

function factsAbout(cell: Cell): Table {
  const { counts, grade, sigmas, used, runs, place } = cell;
  const { versions = {}, repeats } = runs[0].record;
  const said = Object.entries(versions).map(([what, version]) => name(`${what} ${version}`));
  const { mirrored, mirrorEqual, waived } = counts;
  return factsOf('Facts', [
    ['device', name(place.device)],
    ['versions', said.length === 0 ? undefined : said.join(', ')],
    [
      'cases',
      `${counts.pass} of ${counts.cases} pass, ${counts.fail} fail${waived > 0 ? ` (${waived} waived)` : ''}, ${counts.inconclusive} inconclusive`,
    ],
    ['bits', bitsSaid(cell)],
    ['grade', grade ?? 'not inspected'],
    ['worst error', sigmas === undefined ? 'not judged' : `${short(sigmas)} times the expected error`],
    ['share of its bound', percent(used)],
    ['bit-exact model', mirrored === 0 ? undefined : `${mirrorEqual} of ${counted(mirrored, 'case')} equal`],
    ['repeats its bits', repeats === undefined ? undefined : repeats ? 'yes' : 'no'],
  ]);
}

/** Findings about an external kernel from its outputs. */
function shownOf({ runs }: Cell): Markup | undefined {
  const shown = runs.find(({ record }) => record.shown !== undefined)?.record.shown;
  if (shown === undefined) return undefined;
  const table: Table = {
    title: 'Inspection',
    columns: columnsOf('text', 'question', 'answer', 'confidence'),
    rows: shown.map(({ question, answer, confidence }) => [sentence(question), sentence(answer), confidence]),
  };
  return folded('Inspection', htmlTable(table));
}

/** The worst errors for each family of test matrices, and for each number of levels. */
function byInput({ runs }: Cell): Table {
  const rows = runs.flatMap(({ record }) => record.cases.map((row) => ({ row, ...placeOf(row) })));
  const lines = [...group(rows, ({ input, levels }) => `${input} ${levels}`).values()]
    .map((own) => ({ ...own[0], rows: own.map(({ row }) => row) }))
    .sort((x, y) => (x.input === y.input ? x.levels - y.levels : x.input < y.input ? -1 : 1));
  const all = runs.reduce((sum, { record }) => sum + record.counts.cases, 0);
  const kept =
    rows.length < all
      ? `This table has ${rows.length} of ${all} cases; the counts above cover all.`
      : undefined;
  return {
    title: 'By input and levels',
    columns: [
      ...columnsOf('text', 'input'),
      ...columnsOf('number', 'levels', 'cases', 'pass', 'fail', 'incon.', 'fewest bits', 'worst σ'),
    ],
    rows: lines.map(({ input, levels, rows: own }) => {
      const of = (verdict: CaseRow['verdict']) => own.filter((row) => row.verdict === verdict).length;
      const { bits, sigmas } = worstOf(own);
      return [
        ...[name(input), count(levels), count(own.length), count(of('pass'))],
        ...[tally(of('fail'), 'bad'), tally(of('inconclusive'), 'unsure'), digits(bits), magnitudeOf(sigmas)],
      ];
    }),
    ...(kept === undefined ? {} : { note: kept }),
  };
}

function placeOf({ case: text }: CaseRow): { readonly input: string; readonly levels: number } {
  const { input, levels } = flat(parseCase(text));
  return { input, levels };
}

/** The link to the page of a cell's kernel. */
const kernelLink = ({ kernel }: Cell): Markup =>
  html`<a href="${kernelPage(slugOf(kernel))}">${name(kernel)}</a>`;
