import { group } from 'd3-array';
import { html, type Markup } from '../../report/html/markup.ts';
import { type HtmlRow, scrollingTable, wrapScrolling } from '../../report/html/table.ts';
import { formatCount, formatPercent, formatShort } from '../../report/numbers.ts';
import { type Column, columnsOf } from '../../report/table.ts';
import { type AtlasCell, findingsIn } from '../cells.ts';
import { changesOf, type PlatformChanges } from '../changes.ts';
import type { AtlasDevice, DevicePlatform } from '../devices.ts';
import type { AtlasEntry } from '../entry.ts';
import { findPlatform, slugOf } from '../place.ts';
import {
  cellLink,
  changeLink,
  dayOf,
  describeFinding,
  devicePage,
  entryLink,
  formatBits,
  formatFindingCount,
  formatGrade,
  kernelPage,
  kernelTitle,
  shortenName,
  shortenSentence,
  verdictMark,
  verdictMarkOf,
} from './words.ts';

/** Returns the table of cells, a row each. */
export function cellTable(
  cells: readonly AtlasCell[],
  caption: string,
  { attributes }: { readonly attributes?: Markup } = {},
): Markup {
  const text = (heading: string): Column => ({ heading, is: 'text' });
  const number = (heading: string): Column => ({ heading, is: 'number' });
  const columns = [
    ...[text('kernel'), text('verdict'), text('bits'), text('grade'), number('findings')],
    ...[text('device'), text('driver'), text('implementation'), number('cases'), number('worst σ')],
    ...[number('share of bound'), text('latest run')],
  ];
  return scrollingTable(columns, cells.map(cellRow), {
    tall: true,
    caption: html`<caption class="unseen">${caption}</caption>`,
    ...(attributes === undefined ? {} : { attributes }),
  });
}

function cellRow(cell: AtlasCell): HtmlRow {
  const { place, counts, sigmas, used, runs, kinds, slug, kernel, verdict } = cell;
  const { device, driver, implementation } = place;
  return {
    attributes: html` data-cell="${slug}" data-device="${shortenName(device)}" data-driver="${shortenName(driver)}" data-implementation="${shortenName(implementation)}" data-kernel="${shortenName(kernel)}" data-verdict="${verdict}" data-finding="${kinds.map(shortenName).join('\n')}"`,
    cells: [
      html`<a href="${cellLink(cell)}">${kernelTitle(cell)}</a>`,
      ...[verdictMark(cell), formatBits(cell), formatGrade(cell), formatFindingCount(cell)],
      ...[
        shortenName(device),
        shortenName(driver),
        shortenName(implementation),
        counts.cases,
        formatShort(sigmas),
        formatPercent(used),
      ],
      html`<span class="day">${dayOf(runs[0].entry.run.createdAt)}</span>`,
    ],
  };
}

/** Returns the cells that do not pass, or that have findings. */
export const failingOf = (cells: readonly AtlasCell[]): readonly AtlasCell[] => [
  ...cells.filter(({ verdict }) => verdict === 'fail'),
  ...cells.filter((cell) => cell.verdict !== 'fail' && (cell.verdict !== 'pass' || findingsIn(cell) > 0)),
];

/** Returns the table of failing cells: where each fails, how often, and how. Each row links to the cell's results. */
export function failingTable(cells: readonly AtlasCell[]): Markup {
  if (cells.length === 0) return html`<p>All kernels pass.</p>`;
  const columns = columnsOf('text', 'kernel and platform', 'failures');
  return scrollingTable(columns, cells.map(failingRow), {
    attributes: html` id="failing"`,
    tall: true,
    caption: html`<caption class="unseen">Kernels that do not pass</caption>`,
  });
}

function failingRow(cell: AtlasCell): HtmlRow {
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
const FAILURES_SHOWN = 4;

function whatOf(cell: AtlasCell): Markup {
  const { findings, contradictions, counts } = cell;
  const all = [
    ...findings.map((finding) => describeFinding(finding)),
    ...contradictions.map((says) => `Its outputs disprove a claim: ${says}`),
  ];
  if (all.length === 0)
    return html`${counts.inconclusive} of ${formatCount(counts.cases, 'case')} are inconclusive`;
  const items = all.slice(0, FAILURES_SHOWN).map((says) => html`<li>${shortenSentence(says)}`);
  const rest = all.length > FAILURES_SHOWN ? html`<li>and ${all.length - FAILURES_SHOWN} more` : undefined;
  return html`<ul>${items}${rest}</ul>`;
}

/** Returns the matrix of kernels (rows) and places (columns). A place is a device, with driver and implementation if it has several. */
export function matrixOf(devices: readonly AtlasDevice[]): Markup {
  const places = devices.flatMap((device) =>
    device.environments.map((environment) => ({ device, environment })),
  );
  const cells = devices.flatMap((device) => device.cells);
  const rows = [...group(cells, kernelTitle).entries()].sort(([x], [y]) => (x < y ? -1 : 1));
  const body = rows.map(([title, row]) => {
    const own = places.map(({ environment }) => environment.cells.find((cell) => row.includes(cell)));
    return html`<tr><th scope="row"><a href="${kernelPage(slugOf(row[0].kernel))}">${title}</a>${own.map((cell) => html`<td>${cell && linkOf(cell)}`)}
`;
  });
  const table = html`<table class="matrix"><caption class="unseen">Kernels by platform</caption><thead><tr><th scope="col">kernel${places.map((one) => headOf(one, devices.length === 1))}<tbody>${body}</table>`;
  return html`<p class="note">✓ pass, ✗ fail, ? inconclusive, then the fewest significant bits. Where cases fail, brackets hold the fewest bits of those that pass. Each cell links to its results.</p>${wrapScrolling(table, true)}`;
}

interface PlatformColumn {
  readonly device: AtlasDevice;
  readonly environment: DevicePlatform;
}

/** The heading of a column; the page of a single device omits its name. */
function headOf({ device, environment }: PlatformColumn, isOnly: boolean): Markup {
  const place = `${shortenName(environment.implementation)}, ${shortenName(environment.driver)}`;
  if (isOnly) return html`<th scope="col">${place}`;
  const which = device.environments.length > 1 ? html`<small>${place}</small>` : undefined;
  return html`<th scope="col"><a href="${devicePage(device.slug)}">${shortenName(device.name)}</a>${which}`;
}

const SIGNS = { pass: '✓', fail: '✗', inconclusive: '?' } as const;

function linkOf(cell: AtlasCell): Markup {
  const { device, implementation } = cell.place;
  const label = `${kernelTitle(cell)} on ${shortenName(device)}, ${shortenName(implementation)}: ${cell.verdict}, ${formatBits(cell)} bits, ${formatCount(findingsIn(cell), 'finding')}`;
  return html`<a href="${cellLink(cell)}" data-cell="${cell.slug}" aria-label="${label}">${verdictMarkOf(cell.verdict, SIGNS[cell.verdict])} ${shortBits(cell)}</a>`;
}

const shortBits = ({ bits, passingBits }: AtlasCell): string => {
  const said = formatBits({ bits, passingBits: undefined });
  return passingBits === undefined
    ? said
    : `${said} (${formatBits({ bits: passingBits, passingBits: undefined })})`;
};

/** Returns the name of an entry's file beside the pages. */
export type EntryFileName = (entry: AtlasEntry) => string;

/** Returns the table of runs: what was run where and when, and its data with their hashes. */
export function runsTable(entries: readonly AtlasEntry[], fileOf: EntryFileName): Markup {
  const columns = [
    ...columnsOf('text', 'date', 'device', 'kernels', 'verdict'),
    ...columnsOf('number', 'cases', 'skipped'),
    ...columnsOf('text', 'seed, version', 'entry', 'results'),
  ];
  const caption = html`<caption class="unseen">Runs</caption>`;
  const table = scrollingTable(
    columns,
    entries.map((entry) => runRow(entry, fileOf(entry))),
    { caption, tall: true },
  );
  return html`${table}<p class="note">An entry lists the outcome of each case of a run, with the SHA-256 of its contents. Results are the file that the entry was made from.</p>`;
}

function runRow(entry: AtlasEntry, file: string): HtmlRow {
  const { run, kernels, raw, hash } = entry;
  const cases = kernels.reduce((sum, { counts }) => sum + counts.cases, 0);
  return {
    cells: [
      html`<span class="day">${dayOf(run.createdAt)}</span>`,
      shortenName(findPlatform(entry, kernels[0]).device),
      kernels.length === 1 ? shortenName(kernels[0].kernel) : `${kernels.length} kernels`,
      ...[verdictMark(run), cases, run.skipped],
      shortenName(`${run.seed}, ${run.version}`),
      html`<a class="hash" href="${entryLink(file)}" title="${file}">${hashSaid(hash)}</a>`,
      html`${rawOf(raw.at)}<small class="hash" title="${shortenName(raw.sha256)}">${hashSaid(raw.sha256)}</small>`,
    ],
  };
}

/** Shortens a hash to digits that tell it from others. */
const hashSaid = (hash: string): string => shortenName(hash.slice(0, 12));

/** Links a raw file only if its address is a web address: an entry may contain anything. */
function rawOf(at: string | undefined): Markup {
  if (at === undefined) return html`not recorded`;
  return /^https?:\/\//i.test(at)
    ? html`<a href="${at}" rel="noreferrer">${shortenName(at)}</a>`
    : html`<code>${shortenName(at)}</code>`;
}

/**
 * Returns the table of drivers and implementations of each device: what was run there, what fails, and what changed since the row above.
 */
export function environmentsTable(devices: readonly AtlasDevice[]): Markup {
  const columns = [
    ...columnsOf('text', 'device', 'implementation and driver'),
    ...columnsOf('number', 'kernels', 'failing', 'inconclusive'),
    ...columnsOf('text', 'changes from the row above', 'latest run'),
  ];
  return scrollingTable(columns, devices.flatMap(rowsOf), {
    attributes: html` id="device-table"`,
    tall: true,
    caption: html`<caption class="unseen">Devices, their drivers and implementations</caption>`,
  });
}

function rowsOf(device: AtlasDevice): HtmlRow[] {
  const changes = changesOf(device.environments);
  return device.environments.map((one, at) => ({
    cells: [
      at === 0
        ? html`<a href="${devicePage(device.slug)}">${shortenName(device.name)}</a>`
        : html`<span class="unseen">${shortenName(device.name)}</span>`,
      html`${shortenName(one.implementation)}<small>${shortenName(one.driver)}</small>`,
      one.cells.length,
      ...[countOf(one, 'fail'), countOf(one, 'inconclusive')],
      at === 0
        ? ''
        : html`<a href="${changeLink(device.slug, changes[at - 1])}">${changedSaid(changes[at - 1])}</a>`,
      html`<span class="day">${dayOf(one.latest)}</span>`,
    ],
  }));
}

function countOf({ cells }: DevicePlatform, verdict: 'fail' | 'inconclusive'): Markup {
  const count = cells.filter((cell) => cell.verdict === verdict).length;
  return count === 0 ? html`<span class="faint">0</span>` : verdictMarkOf(verdict, String(count));
}

/** Formats changes: "3 answers about its arithmetic, 2 of 43 kernels". */
function changedSaid({ arithmetic, differing, common }: PlatformChanges): string {
  const said = [
    ...(arithmetic.length === 0 ? [] : [`${formatCount(arithmetic.length, 'answer')} about its arithmetic`]),
    ...(differing === 0 ? [] : [`${differing} of ${formatCount(common, 'kernel')}`]),
  ];
  if (said.length > 0) return said.join(', ');
  return common === 0 ? 'no kernel was run with both' : `none in ${formatCount(common, 'kernel')}`;
}
