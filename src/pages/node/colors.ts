import picocolors from 'picocolors';
import type { Colors } from 'picocolors/types.js';
import { DEFAULT_WIDTH, type Look } from '../../report/terminal/look.ts';
import type { TextStream } from '../progress.ts';

/** Colours for a stream: those of a terminal, none elsewhere or where NO_COLOR is set; FORCE_COLOR forces them. */
export function colorsFor(stream: TextStream, env: NodeJS.ProcessEnv = process.env): Colors {
  const wanted = (env.FORCE_COLOR ?? '0') !== '0' || (stream.isTTY === true && env.TERM !== 'dumb');
  return picocolors.createColors(wanted && !env.NO_COLOR);
}

/** Widths that text can be broken to. */
const NARROWEST = 20;

/** How wide a stream is: as its terminal says, or the COLUMNS of its environment, or as usual. */
export function widthOf(stream: TextStream, env: NodeJS.ProcessEnv = process.env): number {
  const given = Number(env.COLUMNS);
  return Math.max(
    NARROWEST,
    stream.columns ?? (Number.isInteger(given) && given > 0 ? given : DEFAULT_WIDTH),
  );
}

/** How text for people looks on a stream: its colours and its width. */
export const lookFor = (stream: TextStream): Look => ({
  colors: colorsFor(stream),
  width: widthOf(stream),
});
