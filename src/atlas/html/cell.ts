import { group } from 'd3-array';
import { renderCommand } from '../../pages/html/sections/links.ts';
import { flattenCase, parseCase } from '../../problem/case.ts';
import { html, type Markup } from '../../report/html/markup.ts';
import { htmlTable } from '../../report/html/table.ts';
import { formatCount, formatPercent, formatShort } from '../../report/numbers.ts';
import {
  columnsOf,
  countCell,
  digitsCell,
  magnitudeCell,
  makeFactsTable,
  type Table,
  tallyCell,
} from '../../report/table.ts';
import { type AtlasCell, type AtlasFinding, findingsIn } from '../cells.ts';
import { type CaseRow, worstOf } from '../entry.ts';
import { slugOf } from '../place.ts';
import { type EntryFileName, runsTable } from './lists.ts';
import {
  dayOf,
  formatBits,
  kernelPage,
  kernelTitle,
  shortenName,
  shortenSentence,
  verdictMark,
} from './words.ts';

/** Returns the section of a cell, with all of its results, under its permanent link. */
export function cellSection(cell: AtlasCell, fileOf: EntryFileName): Markup {
  const { slug, runs, findings, contradictions } = cell;
  const entries = runs.map(({ entry }) => entry);
  const head = html`<h3>${verdictMark(cell)} ${kernelTitle(cell)} <small>${shortenName(cell.place.implementation)}, driver ${shortenName(cell.place.driver)}</small></h3>`;
  const body = html`<p class="note"><a href="#${slug}">Permanent link</a> · this kernel on all platforms: ${kernelLink(cell)}</p>${findings.map(findingOf)}${contradictions.map(disproof)}${htmlTable(factsAbout(cell))}${folded('By input and levels', htmlTable(byInput(cell)))}${shownOf(cell)}${folded(formatCount(entries.length, 'run'), runsTable(entries, fileOf))}`;
  // Cells without findings are folded.
  const open = findingsIn(cell) > 0 ? html` open` : undefined;
  return html`<section class="of-cell" id="${slug}"><details class="part"${open}><summary>${head}</summary>${body}</details></section>
`;
}

const disproof = (says: string): Markup =>
  html`<div class="finding"><p><b class="bad">Its outputs disprove a claim:</b> ${shortenSentence(says)}</p></div>`;

const folded = (title: string, body: Markup): Markup =>
  html`<details class="numbers"><summary>${title}</summary>${body}</details>`;

function findingOf({ says, looksLike, example, entry, failing, judged }: AtlasFinding): Markup {
  const like =
    looksLike === undefined ? undefined : html`<p>Pattern: ${shortenSentence(looksLike.says)}.</p>`;
  return html`<div class="finding"><p><b class="bad">${shortenSentence(says)}</b> <small>${failing} of ${judged}, ${dayOf(entry.run.createdAt)}</small></p>${like}<p>${shortenSentence(example.reason)}</p><p>Replay the smallest case: ${renderCommand(example.replay)}</p></div>`;
}

function factsAbout(cell: AtlasCell): Table {
  const { counts, grade, sigmas, used, runs, place } = cell;
  const { versions = {}, repeats } = runs[0].record;
  const said = Object.entries(versions).map(([what, version]) => shortenName(`${what} ${version}`));
  const { comparedWithModel, equalToModel, waived } = counts;
  return makeFactsTable('Facts', [
    ['device', shortenName(place.device)],
    ['versions', said.length === 0 ? undefined : said.join(', ')],
    [
      'cases',
      `${counts.pass} of ${counts.cases} pass, ${counts.fail} fail${waived > 0 ? ` (${waived} waived)` : ''}, ${counts.inconclusive} inconclusive`,
    ],
    ['bits', formatBits(cell)],
    ['grade', grade ?? 'not inspected'],
    ['worst error', sigmas === undefined ? 'not judged' : `${formatShort(sigmas)} times the expected error`],
    ['share of its bound', formatPercent(used)],
    [
      'bit-exact model',
      comparedWithModel === 0
        ? undefined
        : `${equalToModel} of ${formatCount(comparedWithModel, 'case')} equal`,
    ],
    ['repeats its bits', repeats === undefined ? undefined : repeats ? 'yes' : 'no'],
  ]);
}

/** Findings about an external kernel from its outputs. */
function shownOf({ runs }: AtlasCell): Markup | undefined {
  const shown = runs.find(({ record }) => record.findings !== undefined)?.record.findings;
  if (shown === undefined) return undefined;
  const table: Table = {
    title: 'Inspection',
    columns: columnsOf('text', 'question', 'answer', 'confidence'),
    rows: shown.map(({ question, answer, confidence }) => [
      shortenSentence(question),
      shortenSentence(answer),
      confidence,
    ]),
  };
  return folded('Inspection', htmlTable(table));
}

/** The worst errors for each family of test matrices, and for each number of levels. */
function byInput({ runs }: AtlasCell): Table {
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
        ...[shortenName(input), countCell(levels), countCell(own.length), countCell(of('pass'))],
        ...[
          tallyCell(of('fail'), 'bad'),
          tallyCell(of('inconclusive'), 'unsure'),
          digitsCell(bits),
          magnitudeCell(sigmas),
        ],
      ];
    }),
    ...(kept === undefined ? {} : { note: kept }),
  };
}

function placeOf({ case: text }: CaseRow): { readonly input: string; readonly levels: number } {
  const { input, levels } = flattenCase(parseCase(text));
  return { input, levels };
}

const kernelLink = ({ kernel }: AtlasCell): Markup =>
  html`<a href="${kernelPage(slugOf(kernel))}">${shortenName(kernel)}</a>`;
