import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { atExit } from '../../../confine/node/cleanup.ts';
import type { Confined } from '../../../confine/node/confinement.ts';
import { killGroupAfterUs } from '../../../confine/node/watchdog.ts';
import { deadline } from '../../deadline.ts';

/** How a process ended, or why it never began. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly error?: NodeJS.ErrnoException;
}

/** A process of ours with all that it starts. */
export interface Child {
  /** Settles when it has ended; never rejects. */
  readonly ended: Promise<Ending>;
  /** Undefined while it runs. */
  ending(): Ending | undefined;
  /** The last line that it wrote to its standard error, if any; what says where an error happened left out. */
  lastWords(): string;
  /** What it did that it may not, as a clause; undefined where it did nothing of the kind, or is not held. */
  breach(): string | undefined;
  /** Ends it, and whatever it has started, at once. */
  kill(): void;
}

/** What a child is spawned with, so that it and its own children can be ended together. */
export const OWN_GROUP = { detached: process.platform !== 'win32', windowsHide: true } as const;

/** How much is kept of what a process writes to its standard error. */
const TAIL = 4096;
/** Empty lines, and those that Node prints below an error: its version, and where in JavaScript or itself it happened. */
const SILENT = /^\s*($|at |\d+: |-+ .* -+$|Node\.js v\S*$)/;
/** What shells add to the number of a signal. */
const SIGNALLED = 128;
/** Seconds for the last words of a process to arrive when it has ended. */
const LAST_WORDS = 0.3;

/** Takes what a process writes, as it comes, and nothing at its end. */
type Taking = (chunk?: Buffer) => void;

/** Passes it on as it is: for processes of ours. */
export const asItIs: Taking = (chunk) => chunk && process.stderr.write(chunk);

/**
 * Watches over a process that was started with {@link OWN_GROUP}: it ends when this process does, however that ends, and does
 * not keep it alive: who waits for it does so with a time limit, which does.
 * @param passOn where what it writes to its standard error goes. @defaultValue nowhere
 * @param confined what holds it, if it is held: released at its end.
 */
export function watchOver(child: ChildProcess, passOn: Taking = () => {}, confined?: Confined): Child {
  let tail = Buffer.alloc(0);
  child.stderr?.on('data', (chunk: Buffer) => {
    passOn(chunk);
    tail = Buffer.concat([tail, chunk.subarray(-TAIL)]).subarray(-TAIL);
  });
  let ending: Ending | undefined;
  let breach: string | undefined;
  const kill = () => {
    if (ending === undefined) killGroup(child);
  };
  const release = atExit(kill);
  const forget = child.pid === undefined ? () => {} : killGroupAfterUs(child.pid);
  const ended = new Promise<Ending>((resolve) => {
    const end = (how: Ending) => {
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
      // What it started may still run, and hold on to its standard error.
      kill();
      const silent = deadline(LAST_WORDS, () => end({ code, signal }));
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
    // Writing to a process that has ended is no error of ours: its end is heard of in any case.
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

/** The signal of which an exit code tells. */
function untold(how: Ending): Ending {
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
    // It and all that it started have ended already.
  }
}

/** How a process ended, as a clause, with its last words. */
export function endingText({ code, signal, error }: Ending, lastWords: string): string {
  if (error !== undefined) return `it did not start: ${error.message}`;
  const how = signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
  return lastWords === '' ? how : `${how}, and its standard error ends with "${quoted(lastWords)}"`;
}

const LONGEST = 200;

/** The beginning of a text that is to be quoted, without what steers a terminal. */
export function quoted(text: string, longest = LONGEST): string {
  const shown = text.replace(/\p{C}/gu, '\u{fffd}');
  const characters = [...shown];
  return characters.length > longest ? `${characters.slice(0, longest).join('')}…` : shown;
}
