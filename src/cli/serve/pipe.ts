import { readSync, writeSync } from 'node:fs';

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

/** Reads standard input. */
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
