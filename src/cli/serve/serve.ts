import { readSync, writeSync } from 'node:fs';
import { EXIT, ParanoiaError } from '../../base/errors.ts';
import { requireFree } from '../../base/node/free-memory.ts';
import { toOneLine } from '../../base/printable.ts';
import { piecesOf } from '../../base/stored-bytes.ts';
import { machineError } from '../../base/system-errors.ts';
import { VERSION } from '../../base/version.ts';
import { openLargeCrew } from '../../evidence/node/large-crew.ts';
import { type KeptMemory, keptMemory } from '../../exact/node/kept-memory.ts';
import { openExactPool } from '../../exact/node/pool.ts';
import { requestUnreadable } from '../messages.ts';
import {
  type Answer,
  answerTo,
  type Bytes,
  ORDER,
  type Request,
  request,
  tensorsOfSteps,
} from './requests.ts';

/** The version of the protocol. A client must refuse another one. */
const PROTOCOL = 2;

/** Bytes of tensors kept for the next request: those of 1290³ in f64. */
const MOST_KEPT = 2 ** 26;

/**
 * Answers requests on standard input until it ends, one after the other: a line of JSON each, then the bytes of its tensors. An answer is
 * a line of JSON, then the bytes that it announces.
 * @returns the exit code
 */
export async function runServe(): Promise<number> {
  return serve(openPipe(readInput), writeOutput);
}

/**
 * Answers the requests of a stream.
 * @param write returns false once the output is closed.
 * @param checkRoom throws where the bytes of a request do not fit in memory.
 */
export async function serve(
  pipe: Pipe,
  write: (bytes: Uint8Array) => boolean,
  checkRoom = requireFree,
): Promise<number> {
  const say = (line: object) => write(new TextEncoder().encode(`${JSON.stringify(line)}\n`));
  const pool = openExactPool();
  const crew = openLargeCrew();
  const memory = keptMemory(MOST_KEPT);
  try {
    const about = { ready: true, protocol: PROTOCOL, version: VERSION, node: process.versions.node };
    for (let isHeard = say(about); isHeard; ) {
      const line = pipe.line();
      if (line === undefined) break;
      const asked = readRequest(line);
      if (asked instanceof ParanoiaError) {
        // The bytes that follow have no known end.
        say({ error: toldOf(asked) });
        return EXIT.usage;
      }
      const bytes = bytesOf(asked, pipe, memory, checkRoom);
      if (bytes === undefined) break;
      const found =
        'code' in bytes ? bytes : await answerTo(asked, bytes, pool.product, crew.judge).catch(toldOf);
      memory.takeBack();
      isHeard = 'answer' in found ? sayAnswer(asked, found) : say({ id: asked.id, error: found });
    }
    return EXIT.pass;
  } finally {
    await Promise.all([pool.close(), crew.close()]);
  }

  function sayAnswer({ id }: Request, { answer, bytes }: Answer): boolean {
    return say({ id, answer }) && (bytes === undefined || piecesOf(bytes).every(write));
  }
}

function readRequest(line: string): Request | ParanoiaError {
  try {
    const found = request.safeParse(JSON.parse(line));
    if (found.success) return found.data;
    const [{ path, message }] = found.error.issues;
    return requestUnreadable({ why: `${path.join('.') || 'the line'}: ${message}` });
  } catch (error) {
    return requestUnreadable({ why: (error as Error).message }, error);
  }
}

/**
 * Reads the bytes of a request into memory that threads read too. Without enough memory, it skips them.
 * @returns undefined if the stream ends before
 */
function bytesOf(
  asked: Request,
  pipe: Pipe,
  memory: KeptMemory,
  checkRoom: typeof requireFree,
): Bytes | ToldError | undefined {
  const named = ORDER.flatMap((name) => (asked[name] === undefined ? [] : [[name, asked[name]] as const]));
  const ofSteps = tensorsOfSteps(asked);
  const total = [...named.map(([, about]) => about), ...ofSteps].reduce((sum, { bytes }) => sum + bytes, 0);
  const reserve = () => {
    checkRoom(total, 'The request');
    return {
      named: named.map(([name, { bytes }]) => [name, new DataView(memory.take(bytes))] as const),
      steps: ofSteps.map(({ bytes }) => new DataView(new ArrayBuffer(bytes))),
    };
  };
  let own: ReturnType<typeof reserve>;
  try {
    own = reserve();
  } catch (error) {
    return skip(pipe, total) ? toldOf(error) : undefined;
  }
  const views = [...own.named.map(([, view]) => view), ...own.steps];
  if (!views.flatMap((view) => piecesOf(view)).every(pipe.fill)) return undefined;
  return { ...Object.fromEntries(own.named), steps: own.steps };
}

/** Reads bytes and drops them. @returns false if the stream ends before */
function skip(pipe: Pipe, count: number): boolean {
  const unread = new Uint8Array(CHUNK);
  for (let left = count; left > 0; left -= CHUNK)
    if (!pipe.fill(unread.subarray(0, Math.min(CHUNK, left)))) return false;
  return true;
}

interface ToldError {
  readonly code: string;
  readonly exitCode: number;
  readonly message: string;
}

function toldOf(thrown: unknown): ToldError {
  const error = machineError(thrown) ?? thrown;
  if (error instanceof ParanoiaError) {
    const { code, exitCode, message } = error;
    return { code, exitCode, message };
  }
  const what = error instanceof Error ? error.message : String(error);
  const message = `Something in gemm-paranoia itself went wrong: ${toOneLine(what)}.`;
  return { code: 'internal', exitCode: EXIT.internal, message };
}

/** Bytes of one read while a line is awaited. */
const CHUNK = 2 ** 16;

/** The longest line that a request may have, in bytes. */
const LONGEST_LINE = 2 ** 20;

const NEWLINE = 10;

/** A request stream: lines, and bytes after them. */
export interface Pipe {
  /** Returns the next line; undefined at the end of the stream, and where a line is too long. */
  line(): string | undefined;
  /** Fills an array with the next bytes. @returns false if the stream ends before */
  fill(target: Uint8Array): boolean;
}

/** Reads bytes into an array. @returns their number, 0 at the end */
export type Read = (target: Uint8Array) => number;

/** Opens a stream. Bytes after a line go from the system straight into the arrays that keep them. */
export function openPipe(read: Read): Pipe {
  const chunk = new Uint8Array(CHUNK);
  let rest = chunk.subarray(0, 0);
  return {
    line() {
      const parts: Uint8Array[] = [];
      for (let length = 0; length <= LONGEST_LINE; ) {
        const end = rest.indexOf(NEWLINE);
        if (end >= 0) {
          parts.push(rest.slice(0, end));
          rest = rest.subarray(end + 1);
          return new TextDecoder().decode(Buffer.concat(parts));
        }
        parts.push(rest.slice());
        length += rest.length;
        rest = chunk.subarray(0, read(chunk));
        if (rest.length === 0) return undefined;
      }
      return undefined;
    },
    fill(target) {
      let at = Math.min(rest.length, target.length);
      target.set(rest.subarray(0, at));
      rest = rest.subarray(at);
      while (at < target.length) {
        const count = read(target.subarray(at));
        if (count === 0) return false;
        at += count;
      }
      return true;
    },
  };
}

/** Milliseconds between two attempts at a pipe that does not block. */
const PAUSE = 5;

const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);

/** Repeats a system call while the pipe is not ready. @returns what the call returns, 0 where the other end is closed */
function whenReady(call: () => number): number {
  for (;;) {
    try {
      return call();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF' || code === 'EPIPE') return 0;
      if (code !== 'EAGAIN') throw error;
      pause();
    }
  }
}

export const readInput: Read = (target) => whenReady(() => readSync(0, target));

/** Writes bytes to standard output. @returns false if its reader is gone */
export function writeOutput(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; ) {
    const count = whenReady(() => writeSync(1, bytes, at));
    if (count === 0) return false;
    at += count;
  }
  return true;
}
