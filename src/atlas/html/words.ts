import { oneLine } from '../../base/printable.ts';
import { BITS_CAP } from '../../evidence/tally.ts';
import { markOf } from '../../pages/standing.ts';
import { html, type Markup } from '../../report/html/markup.ts';
import { htmlCell } from '../../report/html/table.ts';
import { type Measured, short } from '../../report/numbers.ts';
import { digits, toned } from '../../report/table.ts';
import { type Cell, findingsIn } from '../cells.ts';
import type { Failures } from '../entry.ts';

/** The most characters of a name: an entry may contain long ones. */
const LONGEST = 120;
export const name = (text: string): string => oneLine(text, LONGEST);

/** The most characters of a sentence of an entry. */
const LONGEST_SENTENCE = 600;
export const sentence = (text: string): string => oneLine(text, LONGEST_SENTENCE);

/** The title of a kernel, with its precision if that is not binary32 and not part of the name. */
export const titleOf = ({ kernel, precision }: Pick<Cell, 'kernel' | 'precision'>): string =>
  name(precision === 'f32' || kernel.endsWith(precision) ? kernel : `${kernel} ${precision}`);

export const verdictMark = ({ verdict }: Pick<Cell, 'verdict'>): Markup => htmlCell(markOf(verdict));

/** Text in the tone of a verdict. */
export const verdictMarkOf = (verdict: Cell['verdict'], says: string): Markup =>
  htmlCell({ ...markOf(verdict), value: says });

/** Formats bits: "19.9", "all", "0; 19.9 where it passes". */
export function bitsSaid({ bits, passingBits }: Pick<Cell, 'bits' | 'passingBits'>): string {
  const passing = passingBits === undefined ? '' : `; ${bitsOf(passingBits)} where it passes`;
  return `${bitsOf(bits)}${passing}`;
}

/** Fewer bits than this are shown as none. */
const NO_BITS = 0.05;

function bitsOf(bits: Measured): string {
  if (bits === BITS_CAP) return 'all';
  return short(typeof bits === 'number' && bits < NO_BITS ? 0 : bits);
}

/** The grade of a kernel as a letter; a kernel without a grade is marked bad. */
export const gradeSaid = ({ grade }: Pick<Cell, 'grade'>): Markup =>
  grade === undefined ? html`–` : htmlCell(toned(grade, grade === 'none' ? 'bad' : undefined));

/** The number of findings of a cell, marked bad if there are any. */
export const findingsSaid = (cell: Cell): Markup =>
  htmlCell({ ...digits(findingsIn(cell)), tone: findingsIn(cell) === 0 ? 'faint' : 'bad' });

/** The day of a time. */
export const dayOf = (time: string): string => name(time.slice(0, 10));

/** Words a finding: what failures share and the mistake they resemble, or the reason of the smallest example. */
export function findingSaid({ says, looksLike, rule, example }: Failures): string {
  if (looksLike !== undefined) return sentence(`${says} (${looksLike.says})`);
  return sentence(rule === undefined ? `${says}: ${example.reason}` : says);
}
