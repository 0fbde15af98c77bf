import * as z from 'zod/mini';
import { fromJsonNumber, type JsonNumber } from '../base/numbers.ts';
import { checkResult, excerpt, real, verdicts } from '../evidence/case-result.ts';
import { productMaps } from '../evidence/heat-map.ts';
import { type WorstEntry, worstEntry } from '../evidence/worst-entries.ts';
import { heatKey } from '../report/html/figures/cells.ts';
import { html } from '../report/html/markup.ts';
import { htmlTable } from '../report/html/table.ts';
import { formatMagnitude, formatPercent, formatShort, formatTimes } from '../report/numbers.ts';
import { columnsOf, digitsCell, type Table } from '../report/table.ts';
import { terminalTables } from '../report/terminal/table.ts';
import { type TerminalStyle, wrapText } from '../report/terminal/text.ts';
import { renderPage } from './html/frame.ts';
import { picturesOf } from './html/sections/failures.ts';
import { EXIT_MEANING } from './verdict.ts';

/** The id of the schema of a check. A reader must refuse another major version. */
export const CHECK_SCHEMA = 'gemm-paranoia/check/2';

const count = z.int().check(z.gte(0));

/** The output of `check`: the verdict on one product that was computed elsewhere. */
export const checked = z.object({
  schema: z.literal(CHECK_SCHEMA),
  verdict: z.enum(verdicts),
  exitCode: count,
  reason: z.string(),
  ...{ m: count, k: count, n: count, batch: count },
  precision: z.string(),
  algorithm: z.string(),
  /** The steps after the product, in words; absent where there are none beside an addend of the sums. */
  epilogue: z.optional(z.string()),
  /** Every check that applies, with its numbers. */
  checks: z.array(checkResult),
  /** The entries with the largest errors, the worst first. */
  worst: z.array(worstEntry),
  /** The largest error as a share of its bound, and in expected errors (sigmas) of random operands. */
  boundUsed: z.optional(real),
  sigmas: z.optional(real),
  /** The share of the entries that were compared; absent where all were. */
  checkedShare: z.optional(z.number()),
  /** The number of entries whose exact value is NaN or infinite; absent where there is none. */
  special: z.optional(count),
  /** Entries around the worst one, and pictures of the operands and errors, where the product fails. */
  excerpt: z.optional(excerpt),
  maps: z.optional(productMaps),
});
export type CheckReport = z.infer<typeof checked>;

/** The product in words: "m=512, k=512, n=512, algorithm classical, f32". */
const productOf = ({ m, k, n, batch, precision, algorithm, epilogue }: CheckReport): string =>
  `${epilogue === undefined ? '' : `then ${epilogue}; `}${batch === 1 ? '' : `${batch} products of `}m=${m}, k=${k}, n=${n}, algorithm ${algorithm}, ${precision}`;

/** The table of the worst entries; its rows of a batch count through all products. */
function worstTable({ worst }: CheckReport): Table | undefined {
  if (worst.length === 0) return undefined;
  const isBound = worst.some(({ allowed }) => allowed !== undefined);
  const headings = ['entry', 'found', 'expected', 'error', ...(isBound ? ['allowed'] : [])];
  const rows = worst.map((one) => {
    const { i, j, found, error, allowed } = one;
    const exact = exactOf(one);
    return [
      `(${i}, ${j})`,
      ...[found, exact].map((value) => digitsCell(value, digitsFor(exact, error))),
      ...[error, ...(isBound ? [allowed] : [])].map((value) => digitsCell(value)),
    ];
  });
  return {
    title: isBound ? 'Largest errors, sorted by error ÷ allowed' : 'Largest errors',
    columns: columnsOf('number', ...headings),
    rows,
  };
}

/** The expected entry. Where rounding makes it the one that was found, it is not rounded. */
function exactOf({ found, expected, error }: WorstEntry): JsonNumber {
  return found === expected ? fromJsonNumber(found) - fromJsonNumber(error) : expected;
}

/** The digits that show an error of an entry: two of its own, and at least as many as f32 has. */
function digitsFor(exact: JsonNumber, error: JsonNumber): number {
  const digits = Math.log10(Math.abs(fromJsonNumber(exact) / fromJsonNumber(error))) + 2;
  return digits > 9 ? Math.min(17, Math.ceil(digits)) : 9;
}

const headlineOf = ({ verdict, reason }: CheckReport): string =>
  `${verdict.toUpperCase()}: ${reason.replace(/\.$/, '')} (${EXIT_MEANING[verdict]}).`;

/** An error of this many sigmas, where others have few, is worth a note. */
const SUSPICIOUS = 20;

/** Returns the part before "its bound": "4.3 % of", or "1800 times" beyond it. */
const shareOf = (used: JsonNumber): string =>
  fromJsonNumber(used) > 1 ? formatTimes(fromJsonNumber(used)) : `${formatPercent(used)} of`;

/** Says how large the errors are, and what share of the entries was compared. */
function notesOf({
  verdict,
  checks,
  boundUsed,
  sigmas,
  checkedShare: part,
  special,
  worst,
  epilogue,
}: CheckReport): string[] {
  const notes: string[] = [];
  const [largest] = worst;
  if (
    boundUsed !== undefined &&
    largest !== undefined &&
    fromJsonNumber(boundUsed) === Number.POSITIVE_INFINITY
  )
    notes.push(
      `Largest error: ${formatShort(Math.abs(fromJsonNumber(largest.error)))}, where ${formatShort(largest.allowed)} is allowed.`,
    );
  else if (boundUsed !== undefined)
    notes.push(
      `Largest error: ${shareOf(boundUsed)} its bound${sigmas === undefined ? '' : `, or ${formatMagnitude(sigmas)} sigmas`}. The bound is the largest error that a correct kernel can have${sigmas === undefined ? '' : '; a sigma is a usual error on random operands'}.`,
    );
  if (verdict === 'pass' && Number(sigmas) > SUSPICIOUS && worst.length > 0) {
    const { i, j, found, expected } = worst[0];
    notes.push(
      `Suspicious: entry (${i}, ${j}) is ${formatShort(found, 9)}, expected ${formatShort(expected, 9)}. The bound allows it, random operands do not: for those, add --sigmas 6.`,
    );
  }
  if (special !== undefined)
    notes.push(
      `${special} entries of D have an exact value that is NaN or infinite; their errors have no bound.`,
    );
  if (part !== undefined && epilogue === undefined)
    notes.push(`${formatPercent(part)} of the entries were compared one by one, all by random sums.`);
  const sums = checks.find(({ name, status }) => name === 'projections' && status === 'pass');
  if (sums !== undefined) notes.push(sums.message);
  return notes;
}

/** Renders a check for a terminal: the verdict last, so that it stays in sight. */
export function checkText(found: CheckReport, look: TerminalStyle): string {
  const table = found.verdict === 'pass' ? undefined : worstTable(found);
  return [
    `D = A·B, ${productOf(found)}`,
    '',
    ...(table === undefined ? [] : [terminalTables([table], look)]),
    ...notesOf(found).flatMap((line) => wrapText(line, look.width)),
    ...wrapText(headlineOf(found), look.width),
  ].join('\n');
}

export function checkPage(found: CheckReport): string {
  const table = worstTable(found);
  const pictures = found.maps === undefined ? undefined : html`${picturesOf(found.maps)}${heatKey()}`;
  const all = found.checks.map(({ name, status, message }) => [name, status, message]);
  const checks = { title: 'Checks', columns: columnsOf('text', 'check', 'status', 'answer'), rows: all };
  const body = html`<main id="main"><header class="top ${found.verdict}"><p class="kind">D = A·B, ${productOf(found)}</p><h1>${found.verdict}</h1><p class="lead">${found.reason}</p>${notesOf(found).map((line) => html`<p class="note">${line}</p>`)}</header><section>${pictures}${table === undefined ? undefined : htmlTable(table, true)}${htmlTable(checks, true)}</section></main>`;
  return renderPage(`check: ${found.verdict}`, body).text;
}
