import type { JudgedEntry, ProductVerdict } from '../gate/judge-product.ts';
import { type CaseResult, fromReal } from '../gate/results.ts';
import { columnsOf } from '../report/columns.ts';
import { oneLine } from '../report/printable.ts';

const WIDTH = 110;
const plain = (text: string) => text;

/** What a matcher says of one product: the reason, an aligned table of entries, the sizes of the errors. */
export function productMessage(judged: ProductVerdict, replay: string): string {
  const { entries, wrong, reason, boundUsed, sigmas, measures } = judged;
  const rest = wrong > entries.length ? [`… and ${wrong - entries.length} more`] : [];
  const { bits } = measures.exact;
  const sizes = `worst error: ${shown(boundUsed)} of its bound, ${shown(sigmas)} of the error to expect; ${bits.toFixed(1)} significant bits`;
  return [reason, '', ...entryTable(entries), ...rest, '', sizes, replay].join('\n');
}

function entryTable(entries: readonly JudgedEntry[]): string[] {
  const columns = ['entry', 'found', 'expected', 'error', 'allowed'].map((heading) => ({ heading }));
  const rows = entries.map(({ i, j, found, expected, error, allowed }) => [
    `(${i}, ${j})`,
    ...[found, expected].map(String),
    ...[error, allowed].map(shown),
  ]);
  return columnsOf(columns, rows, WIDTH, plain);
}

/** What a matcher says of a gate: each case that is not as it should be, and how to repeat it. */
export function gateMessage(headline: string, cases: readonly CaseResult[]): string {
  const columns = [
    { heading: 'case', text: true },
    { heading: 'check', text: true },
    { heading: 'found' },
    { heading: 'allowed' },
  ];
  const rows = cases.slice(0, SHOWN).map((result) => {
    const decisive = result.checks.find(({ status }) => status === result.verdict);
    const [found, allowed] = [decisive?.found, decisive?.allowed].map((value) =>
      value === undefined ? '–' : shown(fromReal(value)),
    );
    return [`${result.input} ${result.m}×${result.k}×${result.n}`, decisive?.name ?? 'runs', found, allowed];
  });
  const reasons = cases
    .slice(0, SHOWN)
    .map(({ case: text, reason }) => `${oneLine(reason, 400)}\n  replay: toPassGate({ case: '${text}' })`);
  const rest = cases.length > SHOWN ? [`… and ${cases.length - SHOWN} more cases`] : [];
  return [headline, '', ...columnsOf(columns, rows, WIDTH, plain), ...rest, '', ...reasons].join('\n');
}

const SHOWN = 5;

const shown = (x: number) => (Number.isFinite(x) ? Number(x.toPrecision(3)).toString() : String(x));
