import { StringDecoder } from 'node:string_decoder';
import { escapeControls, toOneLine } from '../../../base/printable.ts';

/** Output of a kernel's processes, on its way to standard error. */
export interface OutputRelay {
  /** Returns a receiver for the output of one process, as it comes; undefined marks its end. */
  stream(): (chunk?: Buffer) => void;
}

/** The most bytes that a kernel may print in all; the rest is dropped. */
export const MOST = 2 ** 20;
/** Longer lines are split. */
const LONGEST = 4096;
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
        if (held.length > LONGEST || left <= 0) flush();
        if (left <= 0) write(`${name} printed more than ${MOST} bytes. The rest is left out.\n`);
      };
    },
  };
}

/** Writes to standard error, since standard output may be for a program. */
export const onStandardError = (text: string): unknown => process.stderr.write(text);
