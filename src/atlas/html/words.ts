import { oneLine } from '../../base/printable.ts';
import { BITS_CAP } from '../../evidence/tally.ts';
import { markOf } from '../../pages/standing.ts';
import { html, type Markup } from '../../report/html/markup.ts';
import { htmlCell } from '../../report/html/table.ts';
import { type Measured, short } from '../../report/numbers.ts';
import { digits, toned } from '../../report/table.ts';
import { type Cell, findingsIn } from '../cells.ts';
import type { Failures } from '../entry.ts';

/** Names of files fill no page. */
const LONGEST = 120;
export const name = (text: string): string => oneLine(text, LONGEST);

/** Sentences of files, too, are bounded. */
const LONGEST_SENTENCE = 600;
export const sentence = (text: string): string => oneLine(text, LONGEST_SENTENCE);

/** A kernel, with its precision where that is not binary32 and its name does not say it. */
export const titleOf = ({ kernel, precision }: Pick<Cell, 'kernel' | 'precision'>): string =>
  name(precision === 'f32' || kernel.endsWith(precision) ? kernel : `${kernel} ${precision}`);

export const verdictMark = ({ verdict }: Pick<Cell, 'verdict'>): Markup => htmlCell(markOf(verdict));

/** Something said in the tone of a verdict. */
export const verdictMarkOf = (verdict: Cell['verdict'], says: string): Markup =>
  htmlCell({ ...markOf(verdict), value: says });

/** "19.9", "all", "0; 19.9 where it passes". */
export function bitsSaid({ bits, passingBits }: Pick<Cell, 'bits' | 'passingBits'>): string {
  const passing = passingBits === undefined ? '' : `; ${bitsOf(passingBits)} where it passes`;
  return `${bitsOf(bits)}${passing}`;
}

/** Fewer bits than this are told as none. */
const NO_BITS = 0.05;

function bitsOf(bits: Measured): string {
  if (bits === BITS_CAP) return 'all';
  return short(typeof bits === 'number' && bits < NO_BITS ? 0 : bits);
}

/** Which error bound a kernel keeps, in a letter: what fails to keep any is no good. */
export const gradeSaid = ({ grade }: Pick<Cell, 'grade'>): Markup =>
  grade === undefined ? html`–` : htmlCell(toned(grade, grade === 'none' ? 'bad' : undefined));

/** How many findings a cell has, worth a tone where there are any. */
export const findingsSaid = (cell: Cell): Markup =>
  htmlCell({ ...digits(findingsIn(cell)), tone: findingsIn(cell) === 0 ? 'faint' : 'bad' });

/** A day. */
export const dayOf = (time: string): string => name(time.slice(0, 10));

/** What a finding says: what failures share, and what they look like, or what was found of the smallest. */
export function findingSaid({ says, looksLike, rule, example }: Failures): string {
  if (looksLike !== undefined) return sentence(`${says}; they look like this: ${looksLike.says}`);
  return sentence(rule === undefined ? `${says}: ${example.reason}` : says);
}
