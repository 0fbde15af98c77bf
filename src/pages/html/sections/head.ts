import { fromJsonNumber, type JsonNumber } from '../../../base/numbers.ts';
import { toOneLine } from '../../../base/printable.ts';
import { html, type Markup } from '../../../report/html/markup.ts';
import { htmlCell } from '../../../report/html/table.ts';
import { formatCount, formatMagnitude, formatPercent, formatTimes } from '../../../report/numbers.ts';
import type { Results } from '../../../run/results.ts';
import { shortName } from '../../figures/series.ts';
import {
  type CaseStanding,
  countStandings,
  type KernelGlance,
  kernelsAtGlance,
  markOf,
  standings,
} from '../../standing.ts';
import { kindOf, tallySentence, verdictSentence } from '../../verdict.ts';

const LONGEST = 600;
/** Most kernels on the first screen. */
const MOST_KERNELS = 8;
const MOST_DOUBTS = 5;

/** The verdict at the start of the sentence, which the heading above repeats. */
const LOUD = /^[A-Z]+: /;

/** Renders the title and the outcome of the report. */
export function head(
  results: Results,
  doubts: readonly string[],
  lead = verdictSentence(results).replace(LOUD, ''),
): Markup {
  const { verdict, cases, adapter } = results;
  const on = `${tallySentence(results)} On ${adapter.name} (${kindOf(adapter)}), ${results.createdAt.slice(0, 10)}.`;
  const warned = doubts
    .slice(0, MOST_DOUBTS)
    .map((doubt) => html`<p class="unsure">${toOneLine(doubt, LONGEST)}</p>`);
  return html`<header class="top ${verdict}"><p class="kind">gemm-paranoia · accuracy of matrix products</p><h1>${htmlCell(markOf(verdict))}</h1><p class="lead">${toOneLine(lead, LONGEST)}</p><p class="note">${toOneLine(on, 2 * LONGEST)}</p>${warned}${tallyBar(countStandings(cases), 'tally')}${kernelList(results)}</header>`;
}

/** Renders the number of cases of each standing as one bar. Failures stay visible, however few they are. */
function tallyBar(counts: Readonly<Record<CaseStanding, number>>, kind: string): Markup | undefined {
  const some = standings.filter((standing) => counts[standing] > 0);
  if (some.length === 0) return undefined;
  const parts = some.map(
    (standing) => html`<i class="${standing}" style="flex-grow:${counts[standing]}"></i>`,
  );
  return html`<div class="${kind}" aria-hidden="true">${parts}</div>`;
}

function kernelList({ cases }: Results): Markup | undefined {
  const glances = kernelsAtGlance(cases);
  if (glances.length === 0) return undefined;
  const left = glances.length - MOST_KERNELS;
  const more =
    left > 0
      ? html`<li class="note">${formatCount(left, 'more kernel')}: <a href="#kernels">by kernel</a>`
      : undefined;
  return html`<ul class="kernels" aria-label="Kernels">${glances.slice(0, MOST_KERNELS).map(kernelCard)}${more}</ul>`;
}

function kernelCard({ kernel, precisions, cases, counts, sigmas, used }: KernelGlance): Markup {
  const worst = standings.find((standing) => counts[standing] > 0) ?? 'pass';
  const others = standings
    .filter((standing) => standing !== 'pass' && counts[standing] > 0)
    .map((standing) => `, ${counts[standing]} ${standing}`);
  const measured = [
    sigmas === undefined ? '' : `worst ${formatMagnitude(sigmas)} σ`,
    used === undefined ? '' : usedSaid(used),
    precisions.length === 1 && precisions[0] === 'f32'
      ? ''
      : precisions.slice(0, 3).map(shortName).join(', '),
  ].filter((text) => text !== '');
  return html`<li><b class="name">${shortName(kernel)}</b><span class="stands">${htmlCell(markOf(worst))} ${counts.pass} of ${cases} pass${others.join('')}</span>${tallyBar(counts, 'tally slim')}<small>${measured.join(' · ')}</small>`;
}

/** Describes the used part of a bound: "12.3 % of its bound", "10⁵ times its bound". */
const usedSaid = (used: JsonNumber): string =>
  fromJsonNumber(used) <= 1
    ? `${formatPercent(used)} of its bound`
    : `${formatTimes(fromJsonNumber(used))} its bound`;
