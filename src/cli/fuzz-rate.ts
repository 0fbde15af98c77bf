import type { TextStream } from '../report/progress.ts';

/** Says from time to time how many cases have been judged, and how fast. */
export interface Rate {
  judged(): void;
  /** Takes an unfinished line off a terminal. */
  clear(): void;
}

const CLEAR = '\r\x1b[2K';
/** Milliseconds between two words, on a terminal and elsewhere. */
const OFTEN = 200;
const SELDOM = 15_000;

export function startRate(stream: TextStream, now = () => performance.now()): Rate {
  const [start, terminal] = [now(), stream.isTTY === true];
  let [count, said] = [0, start];
  return {
    judged() {
      count++;
      const at = now();
      if (at - said < (terminal ? OFTEN : SELDOM)) return;
      said = at;
      const text = `${count} cases, ${Math.round(count / ((at - start) / 1000))} a second`;
      stream.write(terminal ? `${CLEAR}${text}` : `${text}\n`);
    },
    clear() {
      if (terminal) stream.write(CLEAR);
    },
  };
}
