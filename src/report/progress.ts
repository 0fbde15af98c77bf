import type { CaseResult } from '../gate/results.ts';
import { cut } from './columns.ts';
import { duration } from './numbers.ts';
import { standingOf } from './standing.ts';
import { describeFailure, type Look } from './table.ts';

/** Where progress is written: a terminal, or any stream that takes text. */
export interface TextStream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** What {@link startProgress} needs. */
export interface ProgressOptions {
  readonly stream: TextStream;
  readonly planned: number;
  readonly colors: Look['colors'];
  /** Milliseconds since any fixed moment; by default since the program started. */
  readonly now?: () => number;
}

/** The progress of a run. */
export interface Progress {
  /** Tells of a case that has been judged; one that fails is printed in full. */
  done(result: CaseResult): void;
  /** Ends the display; nothing of it stays on a terminal. */
  finish(): void;
}

/** Shows the progress on a terminal in one line that changes, elsewhere in few lines. */
export function startProgress(options: ProgressOptions): Progress {
  const { stream, planned, colors, now = () => performance.now() } = options;
  const start = now();
  const count = { done: 0, fail: 0 };
  const display = stream.isTTY === true ? changingLine(stream) : fewLines(stream, start);
  return {
    done: (result) => {
      count.done += 1;
      if (standingOf(result) === 'fail') {
        count.fail += 1;
        const look = { colors, width: stream.columns ?? DEFAULT_WIDTH };
        display.print(`${describeFailure(result, look).join('\n')}\n`);
      }
      const seconds = (now() - start) / 1000;
      display.show({ ...count, planned, left: (seconds / count.done) * (planned - count.done), at: now() });
    },
    finish: () => display.clear(),
  };
}

/** How wide a report is where no terminal says. */
export const DEFAULT_WIDTH = 100;

interface State {
  readonly done: number;
  readonly planned: number;
  readonly fail: number;
  /** Seconds that the rest will probably take. */
  readonly left: number;
  /** When this was so, in milliseconds. */
  readonly at: number;
}

interface Display {
  print(text: string): void;
  show(state: State): void;
  clear(): void;
}

const CLEAR = '\r\x1b[2K';
const REDRAW_MS = 100;

function changingLine(stream: TextStream): Display {
  let drawnAt = Number.NEGATIVE_INFINITY;
  return {
    print: (text) => {
      stream.write(`${CLEAR}${text}`);
      drawnAt = Number.NEGATIVE_INFINITY;
    },
    show: (state) => {
      if (state.at - drawnAt < REDRAW_MS && state.done < state.planned) return;
      drawnAt = state.at;
      // A full line would wrap, and could not be cleared.
      const width = Math.max(1, (stream.columns ?? DEFAULT_WIDTH) - 1);
      stream.write(`${CLEAR}${cut(`${bar(state)} ${describe(state)}`, width)}`);
    },
    clear: () => stream.write(CLEAR),
  };
}

const LONGEST_SILENCE_MS = 15_000;
const STEPS = 10;

function fewLines(stream: TextStream, start: number): Display {
  let last = { step: 0, at: start };
  return {
    print: (text) => stream.write(text),
    show: (state) => {
      const step = Math.floor((state.done * STEPS) / state.planned);
      if (step === last.step && state.at - last.at < LONGEST_SILENCE_MS) return;
      last = { step, at: state.at };
      stream.write(`${describe(state)}\n`);
    },
    clear: () => undefined,
  };
}

const BAR = 20;

function bar({ done, planned }: State): string {
  const full = Math.min(BAR, Math.round((done * BAR) / planned));
  return `${'█'.repeat(full)}${'░'.repeat(BAR - full)}`;
}

function describe({ done, planned, fail, left }: State): string {
  const failed = fail === 0 ? '' : `, ${fail} failed`;
  const rest = done < planned ? `, about ${duration(left)} left` : '';
  return `${done}/${planned} cases${failed}${rest}`;
}
