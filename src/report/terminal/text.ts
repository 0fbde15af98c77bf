import picocolors from 'picocolors';
import type { Colors } from 'picocolors/types.js';
import type { Tone } from '../table.ts';

/** The look of text for people. */
export interface TerminalStyle {
  readonly colors: Colors;
  /** Columns of the terminal. */
  readonly width: number;
}

/** Width of text where no terminal states one. */
export const DEFAULT_WIDTH = 100;

/** The look of text in a file: without colors, of the default width. */
export const plainLook: TerminalStyle = { colors: picocolors.createColors(false), width: DEFAULT_WIDTH };

const PAINTS = { good: 'green', bad: 'red', unsure: 'yellow', faint: 'dim' } as const;

/** Returns the function that colors a text of a tone. */
export const paintOf = ({ colors }: TerminalStyle, tone: Tone | undefined): ((text: string) => string) =>
  tone === undefined ? String : colors[PAINTS[tone]];

const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');
const NARROW = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const WIDE =
  /^(?:\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|[\u3000-\u303f\uff01-\uff60])$/u;

const PLAIN = /^[ -~]*$/;

const widthOf = (character: string): number => (NARROW.test(character) ? 0 : WIDE.test(character) ? 2 : 1);

/** Returns the number of terminal columns that the text takes; colors take none. */
export function displayWidth(text: string): number {
  const shown = text.replace(ESCAPES, '');
  if (PLAIN.test(shown)) return shown.length;
  return [...shown].reduce((width, character) => width + widthOf(character), 0);
}

/** Cuts text to a number of columns; it must hold no colors. */
export function cutText(text: string, width: number): string {
  return displayWidth(text) <= width ? text : `${pieces(text, width - 1)[0]}…`;
}

/** Cuts text to a number of columns after a whole word, if its first word fits; it must hold no colors. */
export function cutAtWord(text: string, width: number): string {
  const cut = cutText(text, width);
  return cut === text ? cut : cut.replace(/(?<=\S)[\s,;:]+\S*…$/, ' …');
}

/** Breaks text at spaces into lines of at most `width` columns; longer words stay whole. */
export function wrapText(text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [''];
    for (const word of paragraph.trim().split(/\s+/)) {
      const last = lines[lines.length - 1];
      const longer = last === '' ? word : `${last} ${word}`;
      if (last === '' || displayWidth(longer) <= width) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines;
  });
}

/** Breaks text into lines of at most `width` columns: at spaces, and within longer words. */
export function foldText(text: string, width: number): string[] {
  return wrapText(text, width).flatMap((line) => pieces(line, width));
}

/** Breaks text into lines as {@link foldText} does, at most so many of them, and marks a cut. */
export function firstLines(text: string, width: number, most: number): string[] {
  const lines = foldText(text, width);
  if (lines.length <= most || most === 0) return lines.slice(0, most);
  const last = lines[most - 1];
  return [...lines.slice(0, most - 1), `${pieces(last, width - 2)[0]} …`];
}

/** Splits text into pieces of at most `width` columns; a wider character is a piece of its own. */
function pieces(text: string, width: number): string[] {
  const found = [''];
  let room = width;
  for (const character of text) {
    const wide = widthOf(character);
    if (wide > room && found[found.length - 1] !== '') {
      found.push('');
      room = width;
    }
    found[found.length - 1] += character;
    room -= wide;
  }
  return found;
}
