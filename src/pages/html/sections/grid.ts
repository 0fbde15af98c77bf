import { group } from 'd3-array';
import { checks as builtin } from '../../../evidence/checks/checks.ts';
import { html, type Markup, type Section } from '../../../report/html/markup.ts';
import type { Results } from '../../../run/results.ts';
import { shortName } from '../../figures/series.ts';
import {
  type CaseGrid,
  type CheckMark,
  checksOf,
  type GridCell,
  type IndexedCase,
  inputsOf,
  makeCaseGrid,
} from '../../grid.ts';
import { kernelsAtGlance } from '../../standing.ts';

/** Most kernels with a grid of their own. */
const MOST_GRIDS = 4;
/** Most cases that a cell links to. */
const MOST_PLACES = 8;

/** Renders every case in a grid: shapes down, inputs across, and the result of each check. A cell links to its worst case. */
export function gridSection({ cases }: Results, shown: ReadonlySet<number>): Section | undefined {
  if (cases.length === 0) return undefined;
  const placed = cases.map((result, at): IndexedCase => ({ result, at }));
  const checks = checksOf(cases, builtin.names);
  const grids = gridsOf(placed, checks);
  const classes = grids.some(({ isClassed }) => isClassed) ? CLASSES_EXPLAINED : '';
  const body = html`<p>Each cell holds the cases of one shape class (m×k×n) and input. Each square is a check. A cell links to its worst case.${classes}</p><div style="--across:${Math.ceil(checks.length / 2)}">${keyOf(checks)}<div class="grids">${grids.map((grid) => drawn(grid, checks, shown))}</div></div>`;
  return { id: 'grid', title: 'All cases by shape, input and check', body };
}

const CLASSES_EXPLAINED =
  ' Shapes are grouped by their largest size, then by the first of these that applies: sizes within a factor of two, k at least twice the others, k at most half of them, m at least twice n, n at least twice m.';

/** Makes a grid for each kernel, failing kernels first. If there are many kernels, the rest share one grid. */
function gridsOf(placed: readonly IndexedCase[], checks: readonly string[]): CaseGrid[] {
  const about = { checks, inputs: inputsOf(placed) };
  const byKernel = group(placed, ({ result }) => result.kernel);
  const glances = kernelsAtGlance(placed.map(({ result }) => result));
  const own =
    glances.length <= MOST_GRIDS
      ? glances
      : glances.filter(({ counts }) => counts.fail > 0).slice(0, MOST_GRIDS - 1);
  const single = own.map(({ kernel }) => makeCaseGrid(shortName(kernel), byKernel.get(kernel) ?? [], about));
  const others = glances.slice(own.length);
  if (others.length === 0) return single;
  const rest = new Set(others.map(({ kernel }) => kernel));
  const title = `${own.length === 0 ? 'All' : 'The other'} ${others.length} kernels together`;
  return [
    ...single,
    makeCaseGrid(
      title,
      placed.filter(({ result }) => rest.has(result.kernel)),
      about,
    ),
  ];
}

/** Squares are the shortest elements without a meaning: a thousand cells hold ten thousand of them. */
const SQUARES: Readonly<Record<Exclude<CheckMark, undefined> | 'none' | 'here', Markup>> = {
  fail: html`<b></b>`,
  inconclusive: html`<u></u>`,
  pass: html`<i></i>`,
  none: html`<s></s>`,
  here: html`<em></em>`,
};

const square = (mark: CheckMark): Markup => SQUARES[mark ?? 'none'];

const SAID = { fail: 'fails', inconclusive: 'is inconclusive', pass: 'passes' } as const;

/** Renders the legend: the square of each check, and the meaning of the colors. */
function keyOf(checks: readonly string[]): Markup {
  const places = checks.map(
    (check, at) =>
      html`<li><span class="cell" aria-hidden="true">${checks.map((_, other) => (other === at ? SQUARES.here : square(undefined)))}</span> ${shortName(check)}`,
  );
  const colors = (['fail', 'inconclusive', 'pass'] as const).map(
    (mark) => html`<li><span class="cell one" aria-hidden="true">${square(mark)}</span> ${SAID[mark]}`,
  );
  return html`<ul class="grid-key note" aria-label="Meaning of the squares">${places}</ul><ul class="grid-key note" aria-label="Colors">${colors}<li><span class="cell one" aria-hidden="true">${square(undefined)}</span> does not apply</ul>`;
}

function drawn(
  { title, inputs, rows }: CaseGrid,
  checks: readonly string[],
  shown: ReadonlySet<number>,
): Markup {
  const head = inputs.map((input) => html`<th scope="col"><span>${shortName(input)}</span>`);
  const body = rows.map(
    ({ shape, cells }) =>
      html`<tr><th scope="row">${shape}${cells.map((cell) => html`<td>${cellOf(cell, checks, shown)}`)}
`,
  );
  return html`<div class="scroll" tabindex="0"><table class="shapes"><caption>${title}</caption><thead><tr><td>${head}<tbody>${body}</table></div>`;
}

function cellOf(
  cell: GridCell | undefined,
  checks: readonly string[],
  shown: ReadonlySet<number>,
): Markup | undefined {
  if (cell === undefined) return undefined;
  const squares = cell.marks.map(square);
  const kind = cell.standing === 'pass' ? undefined : html` class="${cell.standing}"`;
  const places = cell.places.filter((at) => shown.has(at)).slice(0, MOST_PLACES);
  const says = saysOf(cell, checks);
  if (places.length === 0) return html`<span${kind} role="img" aria-label="${says}">${squares}</span>`;
  const [first, ...more] = places;
  const others = more.length === 0 ? undefined : html` data-more="${more.join(' ')}"`;
  return html`<a${kind} href="#c${first}"${others} aria-label="${says}">${squares}</a>`;
}

const VERBS = { fail: 'fail', inconclusive: 'are inconclusive', waived: 'are waived', pass: 'pass' } as const;

/** Describes a cell: "2 of 3 fail (sigma, exact)". */
function saysOf({ standing, cases, worst, marks }: GridCell, checks: readonly string[]): string {
  const which = checks.filter((_, at) => marks[at] === (standing === 'waived' ? 'fail' : standing));
  const named = standing === 'pass' || which.length === 0 ? '' : ` (${which.join(', ')})`;
  return `${worst} of ${cases} ${VERBS[standing]}${named}`;
}
