import { lookUp } from '../base/objects.ts';
import { toOneLine } from '../base/printable.ts';
import { formatCount, formatShort } from '../report/numbers.ts';
import { columnsOf } from '../report/table.ts';
import { terminalTables } from '../report/terminal/table.ts';
import type { TerminalStyle } from '../report/terminal/text.ts';
import type { FuzzResult } from '../run/results.ts';
import { CLEAR, type Progress, type ProgressOptions } from './progress.ts';

/** Summarizes the coverage of a campaign in a line. */
export function coverageLine({ coverage: { counts }, findings }: FuzzResult): string {
  const kinds = (topic: string) => Object.keys(lookUp(counts, topic) ?? {}).length;
  const cases = Object.values(counts.kernel ?? {}).reduce((sum, count) => sum + count, 0);
  const over = [
    `${formatCount(kinds('shape'), 'kind')} of shapes`,
    formatCount(kinds('input'), 'input'),
    formatCount(kinds('edit'), 'edit'),
  ];
  const tries = findings.length === 0 ? '' : ', with those of the search for smaller ones,';
  return `${formatCount(cases, 'case')}${tries} over ${over.join(', ').replace(/, (?=[^,]*$)/, ' and ')}; --verbose lists them.\n`;
}

/** Tabulates the coverage of a campaign. */
export function coverageText({ coverage }: FuzzResult, look: TerminalStyle): string {
  const { counts, exponents } = coverage;
  const rows = Object.entries(counts).map(([topic, seen]) => [
    topic,
    Object.entries(seen)
      .sort(([, x], [, y]) => y - x)
      .map(([name, count]) => `${name} ${count}`)
      .join(', '),
  ]);
  const ranges = (['a', 'b', 'c'] as const).flatMap((matrix) => {
    const range = exponents[matrix];
    return range === undefined ? [] : [`${matrix.toUpperCase()} from 2^${range.least} to 2^${range.largest}`];
  });
  const all = [...rows, ['magnitudes of entries', ranges.join(', ')]].filter(([, seen]) => seen !== '');
  return terminalTables([{ title: '', columns: columnsOf('text', 'visited', 'cases'), rows: all }], look);
}

/** Commands that reproduce a violation, and what is known of it. */
interface Reproduction {
  readonly gate: string;
  /** Absent for a case that no search drew. */
  readonly fuzz?: string | undefined;
  /** True if an earlier run saved the case. */
  readonly isSaved?: boolean;
  /** True if the violation of this case was already printed, as a saved one. */
  readonly isKnown?: boolean;
}

/** Describes a violation, with the commands that reproduce it. */
export function replayText(
  finding: FuzzResult['findings'][number],
  { gate, fuzz, isSaved = false, isKnown = false }: Reproduction,
  { colors }: TerminalStyle,
): string {
  const { case: text, drawnCase, check, message, shrinks, unsteady } = finding;
  // A case that is run again alone reports itself how often it fails.
  const again =
    unsteady === undefined || check === 'state'
      ? []
      : [`intermittent: it failed in ${unsteady.failed} of ${unsteady.runs} runs`];
  const shrunk = `shrunk in ${formatCount(shrinks, 'step')} from ${drawnCase}`;
  const search = fuzz === undefined ? [] : [`search again: ${fuzz}`];
  const lines = isKnown
    ? [...again, ...search]
    : [toOneLine(message), ...(drawnCase === text ? [] : [shrunk]), ...again, `replay: ${gate}`, ...search];
  const of = `${isSaved ? 'of a saved case, ' : ''}found by the check ${toOneLine(check)}: ${toOneLine(text)}`;
  const title = isKnown
    ? `The search found another failing case, ${drawnCase}, which shrank to the saved case in ${formatCount(shrinks, 'step')}.`
    : `${colors.red(colors.bold('VIOLATION'))} ${of}`;
  return `${title}\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}

/** Lists the largest errors that a search found. */
export function championsText(champions: NonNullable<FuzzResult['champions']>): string {
  return champions
    .map(({ case: text, objective, value, replay }) => {
      return `${formatShort(value, 4)} ${objective}: ${toOneLine(text)}\n  replay: ${toOneLine(replay)}\n`;
    })
    .join('');
}

/** Milliseconds between two updates, on a terminal and elsewhere. */
const OFTEN = 200;
const SELDOM = 15_000;

/** Reports from time to time the number and rate of judged cases. Their total is unknown. */
export function startRate({ stream, now = () => performance.now() }: ProgressOptions): Progress {
  const [start, terminal] = [now(), stream.isTTY === true];
  let [count, said] = [0, start];
  return {
    done() {
      count++;
      const at = now();
      if (at - said < (terminal ? OFTEN : SELDOM)) return;
      said = at;
      const text = `${formatCount(count, 'case')}, ${Math.round(count / ((at - start) / 1000))} a second`;
      stream.write(terminal ? `${CLEAR}${text}` : `${text}\n`);
    },
    say: () => undefined,
    finish() {
      if (terminal) stream.write(CLEAR);
    },
  };
}
