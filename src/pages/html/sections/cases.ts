import { oneLine } from '../../../base/printable.ts';
import type { CaseResult } from '../../../evidence/case-result.ts';
import { bytes, html, joined, type Markup } from '../../../report/html/markup.ts';
import type { Section } from '../../../report/html/section.ts';
import { htmlCell, scrollingTable, tableRow } from '../../../report/html/table.ts';
import { counted, exponent, percent, short } from '../../../report/numbers.ts';
import type { Column } from '../../../report/table.ts';
import type { Results } from '../../../run/results.ts';
import { name } from '../../figures/said.ts';
import { markOf, standingOf, standings, whyWaived } from '../../standing.ts';
import { fill, replayPattern, type Shown } from '../replay.ts';
import { linkTo } from './head.ts';

/** The columns; the script finds them by the keys. */
const COLUMNS: readonly (Column & { key: string })[] = [
  { key: 'verdict', heading: 'verdict', is: 'text' },
  { key: 'kernel', heading: 'kernel', is: 'text' },
  { key: 'levels', heading: 'levels', is: 'number' },
  { key: 'input', heading: 'input', is: 'text' },
  { key: 'precision', heading: 'precision', is: 'text' },
  { key: 'shape', heading: 'm×k×n', is: 'number' },
  { key: 'fringe', heading: 'fringe', is: 'text' },
  { key: 'tail', heading: 'tail', is: 'text' },
  { key: 'seed', heading: 'seed', is: 'number' },
  { key: 'error', heading: 'largest |Ĉ − C|', is: 'number' },
  { key: 'sigmas', heading: 'sigmas', is: 'number' },
  { key: 'used', heading: 'of bound', is: 'number' },
  { key: 'reason', heading: 'why', is: 'text' },
];

const READING = html`<p>Failures first. A case that passes without a reason keeps its running bound, by the share in the column.</p>`;

/** A row for each case, failures first and in full, as many as there is room for. */
export function casesSection({ cases }: Results, raw: string, room: number): Section {
  const id = 'cases';
  if (cases.length === 0) {
    return { id, title: 'Cases', body: html`<p>No case was run, so there is nothing to list.</p>` };
  }
  const controls = filters(cases);
  const { rows, patterns, shown } = rowsWithin(cases, room - bytes(controls));
  const left = cases.length - shown.length;
  const more =
    left === 0
      ? undefined
      : html`<p><strong>${counted(left, 'more case')} are left out</strong> to keep this page small: ${linkTo(raw)} has them all.</p>`;
  const columns = joined(
    COLUMNS.map(({ key }) => key),
    ' ',
  );
  const list = scrollingTable(COLUMNS, rows, html` id="case-table" data-columns="${columns}"`);
  return { id, title: 'Cases', body: html`${more}${READING}${replayHelp(patterns)}${controls}${list}` };
}

interface Rows {
  readonly rows: readonly Markup[];
  /** The patterns of replay commands; rows other than of the first have its number. */
  readonly patterns: readonly string[];
  readonly shown: readonly CaseResult[];
}

const MOST_PATTERNS = 8;

function rowsWithin(cases: readonly CaseResult[], room: number): Rows {
  const [rows, patterns, shown]: [Markup[], string[], CaseResult[]] = [[], [], []];
  for (const standing of standings) {
    for (const result of cases) {
      if (standingOf(result) !== standing) continue;
      const values = shownOf(result);
      const pattern = replayPattern(result, values);
      const known = patterns.indexOf(pattern);
      const isNew = known < 0 && patterns.length < MOST_PATTERNS && fill(pattern, values) !== pattern;
      const row = rowOf(result, values, isNew ? patterns.length : known);
      room -= bytes(row) + (isNew ? 2 * pattern.length : 0);
      if (room < 0) return { rows, patterns, shown };
      if (isNew) patterns.push(pattern);
      rows.push(row);
      shown.push(result);
    }
  }
  return { rows, patterns, shown };
}

function shownOf({ kernel, levels, input, precision, m, k, n, fringe, tail, seed }: CaseResult): Shown {
  const texts = {
    kernel: name(kernel),
    input: name(input),
    precision: name(precision),
    fringe: name(fringe),
    tail: name(tail),
  };
  return { ...texts, levels: String(levels), m: String(m), k: String(k), n: String(n), seed: String(seed) };
}

function rowOf(result: CaseResult, shown: Shown, pattern: number): Markup {
  const { verdict, exact, sigma, runningBound, m, k, n } = result;
  const passed = verdict === 'pass';
  const more = passed && pattern >= 0 ? undefined : detailsOf(result);
  const number = pattern > 0 ? html` data-p="${pattern}"` : html``;
  const row = tableRow({
    attributes: more === undefined ? number : html` class="has-more"`,
    cells: [
      passed ? verdict : htmlCell(markOf(standingOf(result))),
      shown.kernel,
      shown.levels,
      shown.input,
      shown.precision,
      `${m}×${k}×${n}`,
      shown.fringe,
      shown.tail,
      shown.seed,
      exponent(exact?.maxError),
      short(sigma?.worst),
      percent(runningBound?.used),
      more === undefined ? shortReason(result) : '',
    ],
  });
  return more === undefined
    ? row
    : html`${row}<tr class="more"><td colspan="${COLUMNS.length}"><div>${more}</div>`;
}

/** Why a case passed, where its columns do not say it: most pass because they keep their bound. */
function shortReason(result: CaseResult): string {
  const { reason, checks, runningBound } = result;
  const bound = checks.find(({ name: check }) => check === 'running-bound');
  const said = runningBound !== undefined && bound?.status === 'pass' && bound.message === reason;
  return `${said ? '' : sentence(reason)}${sampled(result)}`.trim();
}

/** What is said of a case in full, below its row. */
function detailsOf(result: CaseResult): Markup {
  const why = `${sentence(result.reason)}${sampled(result)}`;
  const command = oneLine(result.replay, LONGEST_COMMAND);
  const waived = result.waived === undefined ? undefined : html`<p>${sentence(whyWaived(result))}</p>`;
  return html`${waived}<p>${why}</p>${result.verdict === 'pass' ? undefined : otherChecks(result)}<p><code>${command}</code></p>`;
}

const LONGEST_COMMAND = 2000;
const LONGEST_SENTENCE = 600;
const sentence = (text: string) => oneLine(text, LONGEST_SENTENCE);
const MOST_CHECKS = 5;

function sampled({ checked = 1, judgedBy }: CaseResult): string {
  const beside = judgedBy === undefined ? '' : `, all in ${judgedBy.projections} random sums`;
  return checked < 1 ? ` (${Number((100 * checked).toPrecision(2))} % of the entries compared${beside})` : '';
}

/** The checks that failed or were inconclusive besides the one that decided. */
function otherChecks({ checks, reason }: CaseResult): Markup | undefined {
  const telling = checks.filter(
    ({ status, message }) => (status === 'fail' || status === 'inconclusive') && message !== reason,
  );
  if (telling.length === 0) return undefined;
  const items = telling.slice(0, MOST_CHECKS).map(({ name: check, status, message, found, allowed }) => {
    const numbers = found === undefined ? '' : ` (found ${short(found)}, allowed ${short(allowed)})`;
    return html`<li>${name(check)}: ${status}${numbers}: ${oneLine(message)}`;
  });
  return html`<ul>${items}</ul>`;
}

function replayHelp(patterns: readonly string[]): Markup | undefined {
  if (patterns.length === 0) return undefined;
  const items = patterns.map((pattern) => html`<li><code>${oneLine(pattern, LONGEST_COMMAND)}</code>`);
  return html`<p>To repeat a case, fill in its row<span class="with-script">, or click the row</span>:</p><ul id="replays">${items}</ul>`;
}

// Longer menus are no help: the text field finds the rest.
const MOST_OPTIONS = 32;

/** The controls above the table of cases; hidden until the script that they need runs. */
function filters(cases: readonly CaseResult[]): Markup {
  const has = new Set(cases.map(standingOf));
  const inputs = [...new Set(cases.map(({ input }) => name(input)))].slice(0, MOST_OPTIONS);
  return html`<form id="filters" hidden><label>verdict <select name="verdict">${option('', 'all')}${standings.filter((verdict) => has.has(verdict)).map((verdict) => option(verdict, verdict))}</select></label><label>algorithm <select name="kernel">${option('', 'all')}${kernelOptions(cases)}</select></label><label>input <select name="input">${option('', 'all')}${inputs.map((input) => option(input, input))}</select></label><label>text <input name="text" type="search" autocomplete="off" spellcheck="false"></label><output></output></form>`;
}

/** An option for each algorithm, which stands for its kernels, and one for each kernel. */
function kernelOptions(cases: readonly CaseResult[]): Markup[] {
  const kernels = new Map<string, Set<string>>();
  for (const { algorithm, kernel } of cases) {
    const of = kernels.get(algorithm) ?? new Set<string>();
    kernels.set(algorithm, of.add(name(kernel)));
  }
  return [...kernels].slice(0, MOST_OPTIONS / 4).map(([algorithm, all]) => {
    // An option must stand for all of an algorithm's kernels or not be there.
    const whole = all.size <= MOST_OPTIONS ? option([...all].join('\n'), name(algorithm)) : undefined;
    const names = [...all].slice(0, MOST_OPTIONS / 4);
    const each = names.length > 1 ? names.map((kernel) => option(kernel, `  ${kernel}`)) : [];
    return html`${whole}${each}`;
  });
}

function option(value: string, text: string): Markup {
  return html`<option value="${value}">${text}`;
}
