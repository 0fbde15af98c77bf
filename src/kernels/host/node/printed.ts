import { StringDecoder } from 'node:string_decoder';
import { oneLine, printable } from '../../../base/printable.ts';

/** What processes of a kernel print, on its way to our standard error. */
export interface Printed {
  /** What one process prints, as it comes; nothing at its end. */
  stream(): (chunk?: Buffer) => void;
}

/** Bytes that a kernel may print in all; what comes after them is left out. */
export const MOST = 2 ** 20;
/** A line that is longer is shown as several. */
const LONGEST = 4096;
const LONGEST_NAME = 40;

/**
 * Passes on what processes of a kernel print: line by line behind its name, so that nobody takes it for ours, nor a terminal or
 * a service for a command; and only so much.
 */
export function printedBy(kernel: string, write: (text: string) => unknown): Printed {
  const name = oneLine(kernel, LONGEST_NAME);
  let left = MOST;
  const say = (line: string) => write(`${name} | ${printable(line)}\n`);
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
        if (left <= 0) write(`${name} printed more than ${MOST} bytes: what follows is left out.\n`);
      };
    },
  };
}

/** Where it goes: our output may be for a program. */
export const onStandardError = (text: string): unknown => process.stderr.write(text);
