import { group } from 'd3-array';
import { html, type Markup } from '../../report/html/markup.ts';
import { type HtmlRow, scrollingTable } from '../../report/html/table.ts';
import { formatCount } from '../../report/numbers.ts';
import { columnsOf } from '../../report/table.ts';
import type { AtlasCell } from '../cells.ts';
import type { KernelView } from '../devices.ts';
import { cellTable, failingOf, failingTable } from './lists.ts';
import { page } from './page.ts';
import { cellLink, shortenName, shortenSentence } from './words.ts';

/** Returns the page of a kernel on all devices. */
export function kernelView({ name: kernel, cells }: KernelView): string {
  const failing = failingOf(cells);
  const bits = equalBits(cells);
  const kind = html`<a href="index.html">The atlas</a> · kernel`;
  const lead = html`Tested on ${formatCount(cells.length, 'platform')}. It ${failing.length === 0 ? 'passes on all' : `does not pass on ${failing.length}`}.`;
  return page({ title: shortenName(kernel), kind, lead }, [
    { id: 'findings', title: `Not passing (${failing.length})`, body: failingTable(failing) },
    {
      id: 'places',
      title: 'Platforms',
      body: cellTable(cells, 'Platforms of this kernel'),
    },
    ...(bits.length === 0 ? [] : [{ id: 'bits', title: 'Same bits', body: bitsBody(bits) }]),
  ]);
}

/** Renders the tables of the platforms that give the same bits, one for each precision. */
const bitsBody = (all: readonly BitsGroups[]): Markup =>
  html`<p class="note">Platforms of one row gave the same bits for the same operands in all cases that they share.</p>${all.map(tableOf)}`;

function tableOf({ precision, groups }: BitsGroups): Markup {
  const columns = [
    ...columnsOf('text', 'same bits'),
    ...columnsOf('number', 'cases compared'),
    ...columnsOf('text', 'differs from the first row'),
  ];
  const table = scrollingTable(columns, groups.map(rowOf), {
    tall: true,
    caption: html`<caption class="unseen">Platforms with the same bits in ${shortenName(precision)}</caption>`,
  });
  return html`<h3>${shortenName(precision)}</h3>${table}`;
}

function rowOf({ cells, compared, differing }: BitsGroup, at: number): HtmlRow {
  const [first] = cells;
  return {
    cells: [
      html`${cells.map(platform)}`,
      compared === 0 ? '–' : compared,
      differing === undefined
        ? at === 0
          ? ''
          : 'no case in common'
        : html`${differing.count} of ${formatCount(differing.of, 'case')}, such as <a href="${cellLink(first)}"><code>${shortenSentence(differing.example)}</code></a>`,
    ],
  };
}

const platform = (cell: AtlasCell): Markup => {
  const { device, driver, implementation } = cell.place;
  return html`<div><a href="${cellLink(cell)}">${shortenName(device)}</a><small>${shortenName(implementation)}, ${shortenName(driver)}</small></div>`;
};

/** Platforms whose products of a kernel are bit-identical in all cases that any two of them share; each shares one with another. */
interface BitsGroup {
  readonly cells: readonly AtlasCell[];
  /** Cases that at least two of them share. */
  readonly compared: number;
  /** Its cases with other bits than those of the largest group; absent for that group, and where no case is shared. */
  readonly differing?: { readonly count: number; readonly of: number; readonly example: string } | undefined;
}

/** The groups of a kernel in one precision, the largest first. */
interface BitsGroups {
  readonly precision: string;
  readonly groups: readonly BitsGroup[];
}

/** Digests of products by case and operands. */
type Digests = ReadonlyMap<string, { readonly case: string; readonly d: string }>;

/** Groups the platforms of a kernel by the bits of its products, for precisions in which two platforms share a case. */
export function equalBits(cells: readonly AtlasCell[]): BitsGroups[] {
  const digests = new Map(cells.map((cell) => [cell, digestsOf(cell)]));
  const of = (cell: AtlasCell) => digests.get(cell) as Digests;
  return [...group(cells, ({ precision }) => precision)].flatMap(([precision, own]) => {
    const known = own.filter((cell) => of(cell).size > 0);
    const isCompared = known.some((x, at) =>
      known.slice(at + 1).some((y) => shared(of(x), of(y)).length > 0),
    );
    return isCompared ? [{ precision, groups: groupsOf(known, of) }] : [];
  });
}

/** Returns the digests of a platform; of several runs, the latest decides. */
const digestsOf = ({ runs }: AtlasCell): Digests =>
  new Map(
    [...runs]
      .reverse()
      .flatMap(({ record }) =>
        record.cases.flatMap(({ case: text, digests }) =>
          digests === undefined
            ? []
            : [[`${text} ${digests.operands}`, { case: text, d: digests.d }] as const],
        ),
      ),
  );

const shared = (x: Digests, y: Digests): string[] => [...x.keys()].filter((key) => y.has(key));
const differing = (x: Digests, y: Digests): string[] =>
  shared(x, y).filter((key) => x.get(key)?.d !== y.get(key)?.d);

function groupsOf(cells: readonly AtlasCell[], of: (cell: AtlasCell) => Digests): BitsGroup[] {
  const groups: AtlasCell[][] = [];
  const joins = (cell: AtlasCell, others: readonly AtlasCell[]) =>
    others.some((other) => shared(of(cell), of(other)).length > 0) &&
    others.every((other) => differing(of(cell), of(other)).length === 0);
  for (const cell of cells) {
    const found = groups.find((one) => joins(cell, one));
    if (found === undefined) groups.push([cell]);
    else found.push(cell);
  }
  const [first, ...others] = groups.sort((x, y) => y.length - x.length);
  const most = join(first.map(of));
  return [
    { cells: first, compared: comparedIn(first.map(of)) },
    ...others.map((one) => {
      const joined = join(one.map(of));
      const [common, unlike] = [shared(joined, most), differing(joined, most)];
      const example = joined.get(unlike[0])?.case ?? '';
      return {
        ...{ cells: one, compared: comparedIn(one.map(of)) },
        ...(common.length === 0 ? {} : { differing: { count: unlike.length, of: common.length, example } }),
      };
    }),
  ];
}

const join = (all: readonly Digests[]): Digests => new Map(all.flatMap((one) => [...one]));

function comparedIn(all: readonly Digests[]): number {
  const keys = new Set(all.flatMap((one) => [...one.keys()]));
  return [...keys].filter((key) => all.filter((one) => one.has(key)).length > 1).length;
}
