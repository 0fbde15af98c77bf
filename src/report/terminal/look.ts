import picocolors from 'picocolors';
import type { Colors } from 'picocolors/types.js';
import type { Tone } from '../table.ts';

/** How text for people looks. */
export interface Look {
  readonly colors: Colors;
  /** Columns of the terminal. */
  readonly width: number;
}

/** How wide text is where no terminal says. */
export const DEFAULT_WIDTH = 100;

/** Text for a file: without colours, of the usual width. */
export const plainLook: Look = { colors: picocolors.createColors(false), width: DEFAULT_WIDTH };

const PAINTS = { good: 'green', bad: 'red', unsure: 'yellow', faint: 'dim' } as const;

/** What colours a text of a tone. */
export const paintOf = ({ colors }: Look, tone: Tone | undefined): ((text: string) => string) =>
  tone === undefined ? String : colors[PAINTS[tone]];
