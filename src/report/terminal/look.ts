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
