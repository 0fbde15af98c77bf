import type { CaseResult } from '../evidence/case-result.ts';
import { formatDuration } from '../report/numbers.ts';
import { cutText, DEFAULT_WIDTH, type TerminalStyle } from '../report/terminal/text.ts';
import { failureLine } from './failure.ts';
import { standingOf } from './standing.ts';

/** The output of progress: a terminal, or any text stream. */
export interface TextStream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** The options of {@link startProgress}. */
export interface ProgressOptions {
  readonly stream: TextStream;
  readonly planned: number;
  readonly colors: TerminalStyle['colors'];
  /** Columns where the stream does not state them. @defaultValue the default width */
  readonly width?: number | undefined;
  /** Milliseconds since any fixed moment; by default since the program started. */
  readonly now?: () => number;
  /** Seconds after which no case begins. @defaultValue all cases are judged */
  readonly within?: number | undefined;
}

export interface Progress {
  /** Reports a judged case. For a few kernels, the first failing case is printed with its reason. */
  done(result: CaseResult): void;
  /** Reports a step after the cases. Its part is shown on a terminal; elsewhere only after a long silence. */
  say(what: string, part?: string): void;
  /** Ends the display and clears it from a terminal. */
  finish(): void;
}

/** Shows the progress on a terminal in one line that changes, elsewhere in few lines. */
export function startProgress(options: ProgressOptions): Progress {
  const { stream, planned, colors, width = DEFAULT_WIDTH, now = () => performance.now() } = options;
  const { within = Number.POSITIVE_INFINITY } = options;
  const start = now();
  const count = { done: 0, fail: 0 };
  const failing = new Set<string>();
  const display = stream.isTTY === true ? changingLine(stream) : fewLines(stream, start);
  return {
    done: (result) => {
      count.done += 1;
      if (standingOf(result) === 'fail') {
        count.fail += 1;
        const isNew = failing.size < NAMED && !failing.has(result.kernel);
        failing.add(result.kernel);
        const look = { colors, width: stream.columns ?? width };
        // The report at the end shows it in full, with all others.
        if (isNew) display.print(`${failureLine(result, look)}\n`);
      }
      const seconds = (now() - start) / 1000;
      const share = count.done / planned;
      const rest = share < TELLING ? undefined : (seconds / share) * (1 - share);
      const left = rest && Math.min(rest, Math.max(0, within - seconds));
      display.show({ ...count, planned, left, at: now() });
    },
    say: (what, part) =>
      display.say(part === undefined ? what : `${what}: ${part}`, now(), part === undefined),
    finish: () => display.clear(),
  };
}

/** Most kernels whose first failure is printed as it occurs. */
const NAMED = 3;

/**
 * The share of cases after which the rest can be estimated. The first cases also open the device and compile shared code: in a gate of 56 s
 * the first case alone predicted 263 s, in one that compiled for longer an hour and a half.
 */
const TELLING = 0.1;

interface State {
  readonly done: number;
  readonly planned: number;
  readonly fail: number;
  /** Estimated seconds of the remaining cases, once enough cases are done. */
  readonly left: number | undefined;
  /** Time of this state, in milliseconds. */
  readonly at: number;
}

interface Display {
  print(text: string): void;
  show(state: State): void;
  /** Shows words instead of a state. @param begins true if the first words are always shown. */
  say(what: string, at: number, begins: boolean): void;
  clear(): void;
}

/** The text that goes to the start of a line and clears it. */
export const CLEAR = '\r\x1b[2K';
const REDRAW_MS = 100;

function changingLine(stream: TextStream): Display {
  let drawnAt = Number.NEGATIVE_INFINITY;
  const say = (text: string) => {
    // A full line would wrap, and could not be cleared.
    const width = Math.max(1, (stream.columns ?? DEFAULT_WIDTH) - 1);
    stream.write(`${CLEAR}${cutText(text, width)}`);
  };
  return {
    print: (text) => {
      stream.write(`${CLEAR}${text}`);
      drawnAt = Number.NEGATIVE_INFINITY;
    },
    show: (state) => {
      if (state.at - drawnAt < REDRAW_MS && state.done < state.planned) return;
      drawnAt = state.at;
      say(`${bar(state)} ${describe(state)}`);
    },
    say,
    clear: () => stream.write(CLEAR),
  };
}

/** The longest silence; in a long run, the share of the elapsed time that a silence may last. */
const LONGEST_SILENCE_MS = 15_000;
const LONGEST_SHARE = 1 / 4;
const STEPS = 4;

function fewLines(stream: TextStream, start: number): Display {
  let last = { step: 0, at: start };
  let words = 0;
  const isSilent = (at: number) =>
    at - last.at >= Math.max(LONGEST_SILENCE_MS, LONGEST_SHARE * (last.at - start));
  return {
    print: (text) => stream.write(text),
    show: (state) => {
      const step = Math.floor((state.done * STEPS) / state.planned);
      if (step === last.step && !isSilent(state.at)) return;
      last = { step, at: state.at };
      stream.write(`${describe(state)}\n`);
    },
    say: (what, at, begins) => {
      if (!(begins && words++ === 0) && !isSilent(at)) return;
      last = { ...last, at };
      stream.write(`${what}\n`);
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
  const rest = left !== undefined && left > 0 && done < planned ? `, about ${formatDuration(left)} left` : '';
  return `${done}/${planned} cases${failed}${rest}`;
}
