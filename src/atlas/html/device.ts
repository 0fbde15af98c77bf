import { deviceFacts } from '../../pages/sections/device.ts';
import { html, type Markup, type Section } from '../../report/html/markup.ts';
import { htmlTable } from '../../report/html/table.ts';
import { formatCount } from '../../report/numbers.ts';
import { columnsOf, type Table, type TableCell, tonedCell } from '../../report/table.ts';
import { changesOf, type PlatformChange, type PlatformChanges } from '../changes.ts';
import type { AtlasDevice, DevicePlatform } from '../devices.ts';
import type { ProbeRow } from '../entry.ts';
import { cellSection } from './cell.ts';
import { type EntryFileName, environmentsTable, failingOf, failingTable, matrixOf } from './lists.ts';
import { page } from './page.ts';
import { changeSlug, kernelTitle, shortenName, shortenSentence } from './words.ts';

/** Returns the page of a device: its kernels, changes between its drivers, its arithmetic. */
export function deviceView(device: AtlasDevice, fileOf: EntryFileName): string {
  const { cells, environments } = device;
  const kernels = new Set(cells.map(kernelTitle)).size;
  const failing = failingOf(cells);
  const lead = html`${formatCount(kernels, 'kernel')} with ${environments.length === 1 ? inWords(environments[0]) : `${environments.length} drivers and implementations`}.`;
  const kind = html`<a href="index.html">The atlas</a> · device`;
  return page({ title: shortenName(device.name), kind, lead }, [
    { id: 'drivers', title: 'Drivers', body: environmentsTable([device]) },
    { id: 'findings', title: `Not passing (${failing.length})`, body: failingTable(failing) },
    { id: 'kernels', title: `Kernels (${kernels})`, body: matrixOf([device]) },
    { id: 'changes', title: 'Changes between drivers', body: changesBody(environments) },
    ...arithmeticSections(environments),
    { id: 'all', title: 'Results by kernel', body: allOf(environments, fileOf) },
  ]);
}

const inWords = ({ driver, implementation }: DevicePlatform): string =>
  `${shortenName(implementation)}, driver ${shortenName(driver)}`;

/** A list for each implementation, folded if there are several. */
function allOf(environments: readonly DevicePlatform[], fileOf: EntryFileName): Markup {
  const lists = environments.map(({ cells }) => html`${cells.map((cell) => cellSection(cell, fileOf))}`);
  if (lists.length === 1) return lists[0];
  return html`${environments.map((one, at) => html`<details class="part"><summary>${inWords(one)} <small>${formatCount(one.cells.length, 'kernel')}</small></summary>${lists[at]}</details>`)}`;
}

function changesBody(environments: readonly DevicePlatform[]): Markup {
  const all = changesOf(environments);
  if (all.length === 0)
    return html`<p>This device has results of a single driver and implementation, so none changed.</p>`;
  return html`<p class="note">Ordered by implementation, then by the date of the latest run.</p>${all.map(changeOf)}`;
}

function changeOf({ before, after, arithmetic, asked, kernels, common }: PlatformChanges): Markup {
  const nothing = [
    ...(arithmetic.length > 0
      ? []
      : [
          asked ? 'All answers about its arithmetic are unchanged.' : 'Its recorded arithmetic is unchanged.',
        ]),
    ...(kernels.length > 0
      ? []
      : [
          common === 0
            ? 'No kernel was run with both.'
            : `Verdicts, bits, grades and findings of ${formatCount(common, 'kernel')} are unchanged.`,
        ]),
  ];
  const none = nothing.length === 0 ? undefined : html`<p class="note">${nothing.join(' ')}</p>`;
  const table = (title: string, rows: readonly PlatformChange[]): Markup | undefined =>
    rows.length === 0 ? undefined : htmlTable(changeTable(title, rows), true);
  return html`<h3 id="${changeSlug({ before, after })}">${inWords(before)} → ${inWords(after)}</h3>${table('Arithmetic', arithmetic)}${table('Kernels', kernels)}${none}`;
}

const changeTable = (title: string, rows: readonly PlatformChange[]): Table => ({
  title,
  columns: columnsOf('text', 'what', 'before', 'after'),
  rows: rows.map(({ what, before, after }) => [
    shortenSentence(what),
    shortenSentence(before),
    shortenSentence(after),
  ]),
});

function arithmeticSections(environments: readonly DevicePlatform[]): Section[] {
  const measured = environments.flatMap((one) =>
    one.measured === undefined ? [] : [{ ...one, measured: one.measured }],
  );
  if (measured.length === 0) return [];
  const facts = measured.map(
    ({ measured: entry, ...one }) =>
      html`<h3>${shortenName(one.implementation)}, driver ${shortenName(one.driver)}</h3>${htmlTable(deviceFacts({ adapter: { ...entry.adapter, chosenBecause: 'requested by the run' }, arithmetic: entry.arithmetic }))}`,
  );
  return [
    {
      id: 'arithmetic',
      title: 'Arithmetic',
      body: html`${facts}${htmlTable(probeTable(measured.map(({ measured: entry, ...one }) => [one.implementation, entry.probe ?? []])))}`,
      folded: true,
    },
  ];
}

/** The table of the answers of all implementations, side by side. */
function probeTable(asked: readonly (readonly [string, readonly ProbeRow[]])[]): Table {
  const questions = new Map(asked.flatMap(([, answers]) => answers.map((one) => [one.id, one] as const)));
  return {
    title: 'Arithmetic by question',
    columns: columnsOf(
      'text',
      'group',
      'question',
      ...asked.map(([implementation]) => shortenName(implementation)),
    ),
    rows: [...questions.values()].map(({ id, group, question }): TableCell[] => [
      shortenSentence(group),
      shortenSentence(question),
      ...asked.map(([, answers]) => answerCell(answers.find((one) => one.id === id))),
    ]),
    note: '✗ marks behavior that WGSL forbids.',
  };
}

const answerCell = (answer: ProbeRow | undefined): TableCell =>
  answer === undefined
    ? '–'
    : tonedCell(
        `${answer.standing === 'broken' ? '✗ ' : ''}${shortenSentence(answer.answer)}`,
        answer.standing === 'broken' ? 'bad' : undefined,
      );
