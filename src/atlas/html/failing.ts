import { html, type Markup } from '../../report/html/markup.ts';
import { type HtmlRow, scrollingTable } from '../../report/html/table.ts';
import { formatCount } from '../../report/numbers.ts';
import { columnsOf } from '../../report/table.ts';
import { type AtlasCell, findingsIn } from '../cells.ts';
import { cellLink } from './links.ts';
import { describeFinding, kernelTitle, shortenName, shortenSentence, verdictMark } from './words.ts';

/** Returns the cells that do not pass, or that have findings. */
export const failingOf = (cells: readonly AtlasCell[]): readonly AtlasCell[] => [
  ...cells.filter(({ verdict }) => verdict === 'fail'),
  ...cells.filter((cell) => cell.verdict !== 'fail' && (cell.verdict !== 'pass' || findingsIn(cell) > 0)),
];

/** The table of failing cells: where each fails, how often, and how. Each row links to the cell's results. */
export function failingTable(cells: readonly AtlasCell[]): Markup {
  if (cells.length === 0) return html`<p>All kernels pass.</p>`;
  const columns = columnsOf('text', 'kernel and platform', 'failures');
  return scrollingTable(columns, cells.map(rowOf), {
    attributes: html` id="failing"`,
    tall: true,
    caption: html`<caption class="unseen">Kernels that do not pass</caption>`,
  });
}

function rowOf(cell: AtlasCell): HtmlRow {
  const { device, implementation } = cell.place;
  return {
    attributes: html` data-cell="${cell.slug}"`,
    cells: [
      html`${verdictMark(cell)} <a href="${cellLink(cell)}">${kernelTitle(cell)}</a><small>${shortenName(device)}, ${shortenName(implementation)}</small>`,
      whatOf(cell),
    ],
  };
}

/** The most findings of a cell that its row lists. */
const MOST = 4;

function whatOf(cell: AtlasCell): Markup {
  const { findings, contradictions, counts } = cell;
  const all = [
    ...findings.map((finding) => describeFinding(finding)),
    ...contradictions.map((says) => `Its outputs disprove a claim: ${says}`),
  ];
  if (all.length === 0)
    return html`${counts.inconclusive} of ${formatCount(counts.cases, 'case')} are inconclusive`;
  const items = all.slice(0, MOST).map((says) => html`<li>${shortenSentence(says)}`);
  const rest = all.length > MOST ? html`<li>and ${all.length - MOST} more` : undefined;
  return html`<ul>${items}${rest}</ul>`;
}
