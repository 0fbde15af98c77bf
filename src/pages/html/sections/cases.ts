import { group, rollup } from 'd3-array';
import { lookUp } from '../../../base/objects.ts';
import { toOneLine } from '../../../base/printable.ts';
import type { CaseResult } from '../../../evidence/case-result.ts';
import { allFields } from '../../../problem/fields.ts';
import {
  countMarkupBytes,
  html,
  joinMarkup,
  type Markup,
  type Section,
} from '../../../report/html/markup.ts';
import { htmlCell, scrollingTable, tableRow } from '../../../report/html/table.ts';
import { formatCount, formatExponent, formatPercent, formatShort } from '../../../report/numbers.ts';
import type { Column } from '../../../report/table.ts';
import type { Results } from '../../../run/results.ts';
import { shortName } from '../../figures/series.ts';
import { type CaseStanding, markOf, standingOf, standings, whyWaived } from '../../standing.ts';
import { LONGEST_COMMAND, linkTo } from './links.ts';

/** The columns. The third holds further facts on a case. */
const COLUMNS: readonly Column[] = [
  { heading: 'input', is: 'text' },
  { heading: 'm×k×n', is: 'number' },
  { heading: 'the rest', is: 'text' },
  { heading: 'largest |Ĉ − C|', is: 'number' },
  { heading: 'sigmas', is: 'number' },
  { heading: '% of bound', is: 'number' },
  { heading: 'by', is: 'text' },
];

/** Rows of one kernel and one standing, with the text that stands once above them. */
interface Block {
  readonly standing: CaseStanding;
  readonly kernel: string;
  readonly rows: readonly Placed[];
}

interface Placed {
  readonly result: CaseResult;
  readonly at: number;
}

/** The list of cases, and the indices of those that fit. */
interface CaseList {
  readonly section: Section;
  readonly shown: ReadonlySet<number>;
}

/** Renders a row for each case, failures first, kernel by kernel, as many as fit. */
export function casesSection({ cases }: Results, raw: string | undefined, room: number): CaseList {
  const about = { id: 'cases', title: 'All cases' };
  if (cases.length === 0) {
    const body = html`<p>No case finished.</p>`;
    return { section: { ...about, body }, shown: new Set() };
  }
  const blocks = blocksOf(cases);
  const common = commonOf(cases);
  const controls = filters(blocks);
  const { bodies, shown } = bodiesWithin(blocks, common, room - countMarkupBytes(controls));
  const left = cases.length - shown.size;
  const more =
    left === 0
      ? undefined
      : html`<p><strong>${formatCount(left, 'more case')} are omitted</strong> to keep this page small: ${linkTo(raw)} has them all.</p>`;
  const list = scrollingTable(COLUMNS, bodies, {
    attributes: html` id="case-table" data-order="${joinMarkup(FIELD_ORDER, ' ')}" data-fields="${common.fields.join(';')}" data-command="${common.command}"`,
    caption: captionOf(common),
  });
  const body = html`${more}${controls}${list}`;
  return { section: { ...about, title: `${about.title} (${cases.length})`, body, folded: true }, shown };
}

function captionOf({ fields, command }: SharedText): Markup {
  const all =
    fields.length === 0 ? undefined : html` By default, cases have <code>${fields.join(';')}</code>.`;
  return html`<caption>Failures first. The last column names the check that decided. If it is empty, the running bound decided; the column beside it is the used share of that bound.${all} To replay a case, fill in its row<span class="with-script">, or click it</span>: <code>${toOneLine(command, LONGEST_COMMAND)}</code></caption>`;
}

function blocksOf(cases: readonly CaseResult[]): Block[] {
  const placed = cases.map((result, at): Placed => ({ result, at }));
  const byStanding = group(placed, ({ result }) => standingOf(result));
  return standings.flatMap((standing) =>
    [...group(byStanding.get(standing) ?? [], ({ result }) => result.kernel)].map(
      ([kernel, rows]): Block => ({ standing, kernel: shortName(kernel), rows }),
    ),
  );
}

/** Bytes for cases that do not pass and are described in full. Other cases are described by their numbers. */
const FOR_FULL = 24_000;

function bodiesWithin(blocks: readonly Block[], common: SharedText, room: number) {
  const bodies: Markup[] = [];
  const shown = new Set<number>();
  let isFull = false;
  let telling = FOR_FULL;
  for (const { standing, kernel, rows } of blocks) {
    const head = html`<tbody data-v="${standing}" data-k="${kernel}"><tr class="of"><th colspan="${COLUMNS.length}" scope="rowgroup">${htmlCell(markOf(standing))} ${kernel} <small>${formatCount(rows.length, 'case')}</small>
`;
    room -= countMarkupBytes(head);
    const kept: Markup[] = [];
    for (const placed of rows) {
      const { row, details } = rowOf(placed, kernel, common, telling > 0);
      telling -= details;
      room -= countMarkupBytes(row);
      isFull ||= room < 0;
      if (isFull) break;
      kept.push(row);
      shown.add(placed.at);
    }
    if (kept.length > 0) bodies.push(html`${head}${kept}`);
    if (isFull) break;
  }
  return { bodies, shown };
}

/** Renders a row, and returns the number of its bytes that describe the case in full. */
function rowOf({ result, at }: Placed, kernel: string, common: SharedText, mayTell: boolean) {
  const { verdict, exact, sigma, runningBound, m, k, n } = result;
  const input = shortName(result.input);
  const { fields, text, command } = restOf(result, common, {
    ...{ kernel, input },
    ...{ m: String(m), k: String(k), n: String(n) },
  });
  const isTold = verdict !== 'pass' && mayTell;
  const kind = isTold ? html` class="has-more"` : undefined;
  const own = html`${text === undefined ? undefined : html` data-text="${text}"`}${command === undefined ? undefined : html` data-command="${toOneLine(command, LONGEST_COMMAND)}"`}`;
  const row = tableRow({
    attributes: html` id=c${at}${kind}${own}`,
    cells: [
      input,
      `${m}×${k}×${n}`,
      fields,
      formatExponent(exact?.maxError),
      formatShort(sigma?.worst),
      formatPercent(runningBound?.used).replace(' %', ''),
      ...(verdict === 'pass' ? passedBecause(result) : [failedBy(result)]),
    ],
  });
  if (!isTold) return { row, details: 0 };
  const details = html`<tr class="more"><td colspan="${COLUMNS.length}"><div>${detailsOf(result)}</div>`;
  return { row: html`${row}${details}`, details: countMarkupBytes(details) };
}

/** Explains why a case passes, if not by its bound, and which entries were not compared. */
function passedBecause(result: CaseResult): string[] {
  const decisive = result.checks.find(({ message }) => message === result.reason)?.name;
  const by = decisive === undefined || decisive === 'running-bound' ? '' : shortName(decisive);
  const text = `${by}${sampled(result)}`.trim();
  return text === '' ? [] : [text];
}

/** Names the checks that a case does not pass. */
const failedBy = ({ checks, verdict }: CaseResult): string =>
  checks
    .filter(({ status }) => status === (verdict === 'fail' ? 'fail' : 'inconclusive'))
    .slice(0, MOST_CHECKS)
    .map(({ name: check }) => shortName(check))
    .join(', ');

/** Renders the full description of a case, below its row. */
function detailsOf(result: CaseResult): Markup {
  const why = `${sentence(result.reason)}${sampled(result)}`;
  const waived = result.waiver === undefined ? undefined : html`<p>${sentence(whyWaived(result))}</p>`;
  return html`${waived}<p>${why}</p>${otherChecks(result)}`;
}

const LONGEST_SENTENCE = 600;
const sentence = (text: string) => toOneLine(text, LONGEST_SENTENCE);
const MOST_CHECKS = 5;

function sampled({ checkedShare: checked = 1, judgedBy }: CaseResult): string {
  const beside = judgedBy === undefined ? '' : `, all in ${judgedBy.projections} random sums`;
  return checked < 1 ? ` (${Number((100 * checked).toPrecision(2))} % of the entries compared${beside})` : '';
}

/** Renders the checks that failed or were inconclusive besides the decisive one. */
function otherChecks({ checks, reason }: CaseResult): Markup | undefined {
  const telling = checks.filter(
    ({ status, message }) => (status === 'fail' || status === 'inconclusive') && message !== reason,
  );
  if (telling.length === 0) return undefined;
  const items = telling.slice(0, MOST_CHECKS).map(({ name: check, status, message, found, allowed }) => {
    const numbers =
      found === undefined ? '' : ` (found ${formatShort(found)}, allowed ${formatShort(allowed)})`;
    return html`<li>${shortName(check)}: ${status}${numbers}: ${toOneLine(message, LONGEST_SENTENCE)}`;
  });
  return html`<ul>${items}</ul>`;
}

// Longer menus are no help: the text field finds the rest.
const MOST_OPTIONS = 32;

/** Renders the controls above the table of cases, hidden until their script runs. */
function filters(blocks: readonly Block[]): Markup {
  const distinct = (values: readonly string[]) => [...new Set(values)].slice(0, MOST_OPTIONS);
  const inputs = distinct(blocks.flatMap(({ rows }) => rows.map(({ result }) => shortName(result.input))));
  const menu = (key: string, values: readonly string[]) =>
    html`<label>${key} <select name="${key}"><option value="">all${values.map((value) => html`<option>${value}`)}</select></label>`;
  return html`<form id="filters" hidden>${menu('verdict', distinct(blocks.map(({ standing }) => standing)))}${menu('kernel', distinct(blocks.map(({ kernel }) => kernel)))}${menu('input', inputs)}<label>text <input name="text" type="search" autocomplete="off" spellcheck="false"></label><output></output></form>`;
}

/** Fields that rows of cases show in columns of their own. */
const SHOWN = ['kernel', 'input', 'm', 'k', 'n'];

/** The order of fields in the text of a case. */
const FIELD_ORDER: readonly string[] = allFields.map(({ key }) => key);

type Texts = Pick<CaseResult, 'case' | 'replay'>;

/** The text that most cases share, so that rows need not repeat it. */
interface SharedText {
  /** Fields that all cases have, each with its most frequent value: `levels=0`. */
  readonly fields: readonly string[];
  /** The most frequent replay command, with `{case}` for the text of a case. */
  readonly command: string;
}

const keyOf = (part: string): string => part.split('=', 1)[0];

const fieldsOf = (text: string): string[] => text.split(';').filter((part) => !SHOWN.includes(keyOf(part)));

/** Returns the text that most cases share. */
export function commonOf(cases: readonly Texts[]): SharedText {
  const texts = cases.map((result) => fieldsOf(result.case));
  const byKey = group(texts.flat(), keyOf);
  const inAll = FIELD_ORDER.filter((key) => byKey.get(key)?.length === cases.length);
  return {
    fields: inAll.map((key) => commonest(byKey.get(key) ?? []) ?? ''),
    command: commonest(cases.map(commandOf)) ?? '{case}',
  };
}

function commonest(values: readonly string[]): string | undefined {
  const [first] = [
    ...rollup(
      values,
      (same) => same.length,
      (value) => value,
    ),
  ].sort(([, a], [, b]) => b - a);
  return first?.[0];
}

const commandOf = ({ case: text, replay }: Texts): string => replay.replace(text, () => '{case}');

/** The text that a row states beside its columns. */
interface RowText {
  /** The fields whose values differ from the most frequent ones. */
  readonly fields: string;
  /** The text of the case, where columns and fields do not determine it. */
  readonly text?: string;
  /** The replay command, where it differs from the most frequent one. */
  readonly command?: string;
}

/**
 * Returns the texts of a row beyond those of its columns.
 * @param shown the texts of the row's columns, by field.
 */
export function restOf(
  result: Texts,
  { fields, command }: SharedText,
  shown: Readonly<Record<string, string>>,
): RowText {
  const own = fieldsOf(result.case).filter((part) => !fields.includes(part));
  const said = new Set(own.map(keyOf));
  const usual = fields.filter((part) => !said.has(keyOf(part)));
  const known = [...SHOWN.map((key) => `${key}=${lookUp(shown, key)}`), ...usual, ...own];
  const inOrder = FIELD_ORDER.flatMap((key) => known.filter((part) => part.startsWith(`${key}=`)));
  const isWhole = inOrder.join(';') === result.case;
  const other = commandOf(result);
  return {
    fields: own.join(';'),
    ...(isWhole ? {} : { text: result.case }),
    ...(other === command ? {} : { command: other }),
  };
}
