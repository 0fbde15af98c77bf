import { DEFAULT_WIDTH } from '../report/terminal/look.ts';
import type { Progress, ProgressOptions } from './progress.ts';
import { type CaseStanding, standingOf } from './standing.ts';

/** The character and color of each standing. */
const DOTS: Readonly<Record<CaseStanding, readonly [string, 'green' | 'red' | 'yellow']>> = {
  pass: ['.', 'green'],
  fail: ['F', 'red'],
  inconclusive: ['?', 'yellow'],
  waived: ['w', 'yellow'],
};

/** Shows the progress as one character a case, in lines as wide as the stream. */
export function startDots({ stream, colors, width = DEFAULT_WIDTH }: ProgressOptions): Progress {
  let column = 0;
  const end = () => {
    if (column > 0) stream.write('\n');
    column = 0;
  };
  return {
    done(result) {
      const [dot, color] = DOTS[standingOf(result)];
      stream.write(colors[color](dot));
      column += 1;
      if (column >= Math.max(1, stream.columns ?? width)) end();
    },
    say: () => undefined,
    finish: end,
  };
}
