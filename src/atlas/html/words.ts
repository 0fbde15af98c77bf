import { toOneLine } from '../../base/printable.ts';
import { BITS_CAP } from '../../evidence/tally.ts';
import { markOf } from '../../pages/standing.ts';
import { html, type Markup } from '../../report/html/markup.ts';
import { htmlCell } from '../../report/html/table.ts';
import { formatShort, type MeasuredNumber } from '../../report/numbers.ts';
import { digitsCell, tonedCell } from '../../report/table.ts';
import { type AtlasCell, findingsIn } from '../cells.ts';
import type { PlatformChanges } from '../changes.ts';
import type { FailureRow } from '../entry.ts';
import { deviceKey, slugOf } from '../place.ts';

/** The most characters of a name: an entry may contain long ones. */
const LONGEST = 120;
export const shortenName = (text: string): string => toOneLine(text, LONGEST);

/** The most characters of a sentence of an entry. */
const LONGEST_SENTENCE = 600;
export const shortenSentence = (text: string): string => toOneLine(text, LONGEST_SENTENCE);

/** Returns the title of a kernel, with its precision if that is not binary32 and not part of the name. */
export const kernelTitle = ({ kernel, precision }: Pick<AtlasCell, 'kernel' | 'precision'>): string =>
  shortenName(precision === 'f32' || kernel.endsWith(precision) ? kernel : `${kernel} ${precision}`);

export const verdictMark = ({ verdict }: Pick<AtlasCell, 'verdict'>): Markup => htmlCell(markOf(verdict));

/** Returns text in the tone of a verdict. */
export const verdictMarkOf = (verdict: AtlasCell['verdict'], says: string): Markup =>
  htmlCell({ ...markOf(verdict), value: says });

/** Formats bits: "19.9", "all", "0; 19.9 in passing cases". */
export function formatBits({ bits, passingBits }: Pick<AtlasCell, 'bits' | 'passingBits'>): string {
  const passing = passingBits === undefined ? '' : `; ${bitsOf(passingBits)} in passing cases`;
  return `${bitsOf(bits)}${passing}`;
}

/** Fewer bits than this are shown as none. */
const NO_BITS = 0.05;

function bitsOf(bits: MeasuredNumber): string {
  if (bits === BITS_CAP) return 'all';
  return formatShort(typeof bits === 'number' && bits < NO_BITS ? 0 : bits);
}

/** Returns the grade of a kernel as a letter; a kernel without a grade is marked bad. */
export const formatGrade = ({ grade }: Pick<AtlasCell, 'grade'>): Markup =>
  grade === undefined ? html`–` : htmlCell(tonedCell(grade, grade === 'none' ? 'bad' : undefined));

/** Returns the number of findings of a cell, marked bad if there are any. */
export const formatFindingCount = (cell: AtlasCell): Markup =>
  htmlCell({ ...digitsCell(findingsIn(cell)), tone: findingsIn(cell) === 0 ? 'faint' : 'bad' });

export const dayOf = (time: string): string => shortenName(time.slice(0, 10));

/** Words a finding: what failures share and the mistake they resemble, or the reason of the smallest example. */
export function describeFinding({ says, looksLike, rule, example }: FailureRow): string {
  if (looksLike !== undefined) return shortenSentence(`${says} (${looksLike.says})`);
  return shortenSentence(rule === undefined ? `${says}: ${example.reason}` : says);
}

export const devicePage = (slug: string): string => `device-${slug}.html`;

export const kernelPage = (slug: string): string => `kernel-${slug}.html`;

/** Returns the permanent link of a cell, from any page of the site; it follows from the cell's identity. */
export const cellLink = ({ place, slug }: Pick<AtlasCell, 'place' | 'slug'>): string =>
  `${devicePage(slugOf(deviceKey(place.device)))}#${slug}`;

/** Returns the fragment of the changes between two drivers or implementations, which follows from their names. */
export const changeSlug = ({ before, after }: Pick<PlatformChanges, 'before' | 'after'>): string =>
  slugOf('from', before.implementation, before.driver, 'to', after.implementation, after.driver);

/** Returns the link to changes, from any page of the site. */
export const changeLink = (device: string, changes: Pick<PlatformChanges, 'before' | 'after'>): string =>
  `${devicePage(device)}#${changeSlug(changes)}`;

/** Returns the path of an entry beside the pages. */
export const entryLink = (file: string): string => `entries/${encodeURIComponent(file)}`;
