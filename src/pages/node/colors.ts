import picocolors from 'picocolors';
import type { Colors } from 'picocolors/types.js';
import { DEFAULT_WIDTH, type TerminalStyle } from '../../report/terminal/text.ts';
import type { TextStream } from '../progress.ts';

/** Returns the colors of a stream: those of a terminal, none elsewhere or where NO_COLOR is set; FORCE_COLOR forces them. */
export function colorsFor(stream: TextStream, env: NodeJS.ProcessEnv = process.env): Colors {
  const wanted = (env.FORCE_COLOR ?? '0') !== '0' || (stream.isTTY === true && env.TERM !== 'dumb');
  return picocolors.createColors(wanted && !env.NO_COLOR);
}

/** Least width that text can be wrapped to. */
const NARROWEST = 20;

/** Returns the width of a stream: from its terminal, the COLUMNS of its environment, or the default. */
export function widthOf(stream: TextStream, env: NodeJS.ProcessEnv = process.env): number {
  const given = Number(env.COLUMNS);
  return Math.max(
    NARROWEST,
    stream.columns ?? (Number.isInteger(given) && given > 0 ? given : DEFAULT_WIDTH),
  );
}

/** Returns the look of text for people on a stream: its colors and its width. */
export const lookFor = (stream: TextStream): TerminalStyle => ({
  colors: colorsFor(stream),
  width: widthOf(stream),
});
