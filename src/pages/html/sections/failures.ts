import { toOneLine } from '../../../base/printable.ts';
import type { CaseResult } from '../../../evidence/case-result.ts';
import { heatKey } from '../../../report/html/figures/cells.ts';
import { html, type Markup, type Section } from '../../../report/html/markup.ts';
import { htmlTable } from '../../../report/html/table.ts';
import { formatCount } from '../../../report/numbers.ts';
import { firstRows } from '../../../report/table.ts';
import type { Results } from '../../../run/results.ts';
import { caseInWords } from '../../case-words.ts';
import { excerptText } from '../../excerpt.ts';
import { decisiveChecks } from '../../failure.ts';
import { type GroupView, listFailureGroups } from '../../failure-groups.ts';
import { failureTable } from '../../sections/failures.ts';
import { renderCommand } from './links.ts';
import { picturesOf } from './pictures.ts';

/** Groups that are shown with pictures. Further groups are rows of a table. */
const MOST_CARDS = 6;
const MOST_ROWS = 120;
const MOST_CHECKS = 5;
const LONGEST = 600;
/** Width of excerpts in columns of text. */
const WIDTH = 100;

/** Renders the groups of failures: the smallest case of each, with pictures of its errors. */
export function failuresSection(results: Results, shown: ReadonlySet<number>): Section | undefined {
  const groups = listFailureGroups(results);
  if (groups.length === 0) return undefined;
  const [first, rest] = [groups.slice(0, MOST_CARDS), groups.slice(MOST_CARDS)];
  const places = new Map(results.cases.map((result, at) => [result, at]));
  const cards = first.map((group) => {
    const at = places.get(group.example);
    return cardOf(group, at !== undefined && shown.has(at) ? at : undefined);
  });
  const others =
    rest.length === 0
      ? undefined
      : html`<details><summary>${formatCount(rest.length, 'more failure')}</summary>${htmlTable(firstRows(failureTable(rest), MOST_ROWS))}</details>`;
  const isPictured = first.some(({ example, smaller }) => (smaller?.maps ?? example.maps) !== undefined);
  const key = isPictured ? heatKey() : undefined;
  return { id: 'failures', title: 'Failures', body: html`${cards}${key}${others}` };
}

/** A case of a group with its maps and excerpt. */
type Seen = Pick<CaseResult, 'case' | 'replay' | 'maps' | 'excerpt'>;

/** Renders the smallest case known to fail, and the case that it was shrunk from, if it was. */
function cardOf(group: GroupView, at: number | undefined): Markup {
  const { headline, example, smaller } = group;
  const open = at === undefined ? undefined : html` <a href="#c${at}">Open this case</a>`;
  const met = html`<div class="met">${seenOf(example)}<p><b class="bad">${failedChecks(example)}</b> ${toOneLine(example.reason, LONGEST)}${open}</p></div>`;
  const said = headline === undefined ? 'Replay:' : 'Replay the smallest:';
  const told =
    smaller === undefined
      ? html`${met}<p>${said} ${renderCommand(example.replay)}</p>`
      : html`${seenOf(smaller)}<p><b class="bad">${inWords(smaller)}:</b> ${toOneLine(smaller.reason, LONGEST)}</p><p>${said} ${renderCommand(smaller.replay)}</p><details><summary>Shrunk from a larger one, ${inWords(example)}</summary>${met}<p>Replay: ${renderCommand(example.replay)}</p></details>`;
  return html`<article class="failure"><h3>${toOneLine(headline ?? example.case, LONGEST)}</h3>${told}</article>`;
}

const inWords = ({ case: text }: Seen): string => toOneLine(caseInWords(text), LONGEST);

/** Renders a case's matrices as pictures, and its entries. */
const seenOf = (seen: Seen): Markup =>
  html`${seen.maps === undefined ? undefined : picturesOf(seen.maps)}${entriesOf(seen)}`;

/** Renders found, expected and difference around the worst entry. */
function entriesOf(seen: Seen): Markup | undefined {
  if (seen.excerpt === undefined) return undefined;
  const lines = excerptText(seen, WIDTH);
  return html`<pre class="entries" role="group" tabindex="0" aria-label="Entries of C around the worst">${lines.join('\n')}</pre>`;
}

/** Names the failed checks: "running-bound, sigma.". The reason states their values. */
function failedChecks(example: CaseResult): string {
  const failed = decisiveChecks(example).filter(({ status }) => status === 'fail');
  const names = failed.slice(0, MOST_CHECKS).map(({ name }) => name);
  return `${toOneLine(names.join(', '), LONGEST)}.`;
}
