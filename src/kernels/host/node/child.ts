import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { escapeControls, toOneLine } from '../../../base/printable.ts';
import type { SandboxedCommand } from '../../../sandbox/node/sandbox.ts';
import { killGroupAfterUs, runAtExit } from '../../../sandbox/node/watchdog.ts';
import { startDeadline } from '../../deadline.ts';

/** Output of a kernel's processes, on its way to standard error. */
export interface OutputRelay {
  /** Returns a receiver for the output of one process, as it comes; undefined marks its end. */
  stream(): (chunk?: Buffer) => void;
}

/** The most bytes that a kernel may print in all; the rest is dropped. */
export const MOST = 2 ** 20;
/** Longer lines are split. */
const LONGEST_LINE = 4096;
const LONGEST_NAME = 40;

/**
 * Passes on the output of a kernel's processes line by line, up to a limit. Each line begins with the kernel's name, so that it is not
 * mistaken for output of this package, or for a command to a terminal or a service.
 */
export function relayOutput(kernel: string, write: (text: string) => unknown): OutputRelay {
  const name = toOneLine(kernel, LONGEST_NAME);
  let left = MOST;
  const say = (line: string) => write(`${name} | ${escapeControls(line)}\n`);
  return {
    stream() {
      const decoder = new StringDecoder('utf8');
      let held = '';
      const flush = () => {
        if (held !== '') say(held);
        held = '';
      };
      return (chunk) => {
        if (chunk === undefined) return flush();
        if (left <= 0) return;
        held += decoder.write(chunk.subarray(0, left));
        left -= chunk.length;
        const lines = held.split(/\r\n|\r|\n/);
        held = lines.pop() as string;
        for (const line of lines) say(line);
        if (held.length > LONGEST_LINE || left <= 0) flush();
        if (left <= 0) write(`${name} printed more than ${MOST} bytes. The rest is left out.\n`);
      };
    },
  };
}

/** Writes to standard error, since standard output may be for a program. */
export const onStandardError = (text: string): unknown => process.stderr.write(text);

/** The end of a process, or the reason for which it never started. */
export interface ProcessEnding {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly error?: NodeJS.ErrnoException;
}

/** A process of this package with all that it starts. */
export interface ProcessTree {
  /** Settles when the process has ended; never rejects. */
  readonly ended: Promise<ProcessEnding>;
  /** Returns the end of the process; undefined while it runs. */
  ending(): ProcessEnding | undefined;
  /** Returns the last line of its standard error, if any, without stack traces. */
  lastWords(): string;
  /** Returns a violation of the sandbox, as a clause; undefined where there is none, or no sandbox. */
  breach(): string | undefined;
  /** Ends the process, and all that it has started, at once. */
  kill(): void;
}

/** Spawn options that put a child and its own children in one group, so that they end together. */
export const OWN_GROUP = { detached: process.platform !== 'win32', windowsHide: true } as const;

/** The most bytes kept of a process's standard error. */
const TAIL = 4096;
/** Empty lines, and lines that Node prints below an error: its version, and the stack trace. */
const SILENT = /^\s*($|at |\d+: |-+ .* -+$|Node\.js v\S*$)/;
/** The number that shells add to that of a signal. */
const SIGNALLED = 128;
/** Seconds for the last output of an ended process to arrive. */
const LAST_WORDS = 0.3;

/** Receives output of a process as it comes, and undefined at its end. */
type Taking = (chunk?: Buffer) => void;

/** Passes output on unchanged, for trusted processes. */
export const passOutput: Taking = (chunk) => chunk && process.stderr.write(chunk);

/**
 * Watches a process that was started with {@link OWN_GROUP}. It ends with this process, however that ends, and does not keep it alive;
 * waiting for it with a time limit does.
 * @param passOn receives its standard error.
 * @defaultValue none
 * @param confined its sandbox, if any; released at its end.
 */
export function watchProcessTree(
  child: ChildProcess,
  passOn: Taking = () => {},
  confined?: SandboxedCommand,
): ProcessTree {
  let tail = Buffer.alloc(0);
  child.stderr?.on('data', (chunk: Buffer) => {
    passOn(chunk);
    tail = Buffer.concat([tail, chunk.subarray(-TAIL)]).subarray(-TAIL);
  });
  let ending: ProcessEnding | undefined;
  let breach: string | undefined;
  const kill = () => {
    if (ending === undefined) killGroup(child);
  };
  const release = runAtExit(kill);
  const forget = child.pid === undefined ? () => {} : killGroupAfterUs(child.pid);
  const ended = new Promise<ProcessEnding>((resolve) => {
    const end = (how: ProcessEnding) => {
      ending ??= confined?.tellsSignals === true ? untold(how) : how;
      passOn();
      confined?.release();
      forget();
      release();
      resolve(ending);
    };
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (child.pid === undefined) end({ code: null, signal: null, error });
    });
    child.on('exit', (code, signal) => {
      // Its children may still run and hold its standard error.
      kill();
      const silent = startDeadline(LAST_WORDS, () => end({ code, signal }));
      afterLastWords(child.stderr, () => {
        silent.cancel();
        end({ code, signal });
      });
    });
  });
  if (child.pid !== undefined) {
    confined?.watch(child.pid, (why) => {
      breach = why;
      kill();
    });
  }
  child.unref();
  for (const pipe of child.stdio ?? []) {
    (pipe as { unref?(): void } | null)?.unref?.();
    // Writing to an ended process is not an error here: its end is reported in any case.
    pipe?.on('error', () => {});
  }
  return {
    ended,
    ending: () => ending,
    breach: () => breach,
    lastWords: () =>
      tail
        .toString()
        .split(/[\r\n]/)
        .findLast((line) => !SILENT.test(line))
        ?.trim() ?? '',
    kill,
  };
}

/** Converts an exit code to the signal that it reports. */
function untold(how: ProcessEnding): ProcessEnding {
  const number = (how.code ?? 0) - SIGNALLED;
  const signal = Object.entries(constants.signals).find(([, one]) => one === number)?.[0];
  return signal === undefined ? how : { code: null, signal: signal as NodeJS.Signals };
}

function afterLastWords(stderr: Readable | null, then: () => void): void {
  if (stderr === null || stderr.closed) then();
  else stderr.once('close', then);
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (OWN_GROUP.detached) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // The process and its children have ended already.
  }
}

/** Describes the end of a process, as a clause, with its last output. */
export function endingText({ code, signal, error }: ProcessEnding, lastWords: string): string {
  if (error !== undefined) return `it could not be started: ${error.message}`;
  const how = signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
  return lastWords === '' ? how : `${how}, and its standard error ends with "${quoteOutput(lastWords)}"`;
}

const LONGEST = 200;

/** Shortens a text for quoting, without control characters that steer a terminal. */
export function quoteOutput(text: string, longest = LONGEST): string {
  const shown = text.replace(/\p{C}/gu, '\u{fffd}');
  const characters = [...shown];
  return characters.length > longest ? `${characters.slice(0, longest).join('')}…` : shown;
}
