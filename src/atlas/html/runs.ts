import { html, type Markup } from '../../report/html/markup.ts';
import { type HtmlRow, scrollingTable } from '../../report/html/table.ts';
import { columnsOf } from '../../report/table.ts';
import type { AtlasEntry } from '../entry.ts';
import { findPlatform } from '../place.ts';
import { entryLink } from './links.ts';
import { dayOf, shortenName, verdictMark } from './words.ts';

/** Returns the name of an entry's file beside the pages. */
export type EntryFileName = (entry: AtlasEntry) => string;

/** The table of runs: what was run where and when, and its data with their hashes. */
export function runsTable(entries: readonly AtlasEntry[], fileOf: EntryFileName): Markup {
  const columns = [
    ...columnsOf('text', 'date', 'device', 'kernels', 'verdict'),
    ...columnsOf('number', 'cases', 'skipped'),
    ...columnsOf('text', 'seed, version', 'entry', 'results'),
  ];
  const caption = html`<caption class="unseen">Runs</caption>`;
  const table = scrollingTable(
    columns,
    entries.map((entry) => rowOf(entry, fileOf(entry))),
    { caption, tall: true },
  );
  return html`${table}<p class="note">An entry lists the outcome of each case of a run, with the SHA-256 of its contents. Results are the file that the entry was made from.</p>`;
}

function rowOf(entry: AtlasEntry, file: string): HtmlRow {
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
