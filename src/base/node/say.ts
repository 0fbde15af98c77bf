import { printable } from '../printable.ts';

/** Tells a user something beside the output: a sentence, in which names may be anybody's. */
export function say(sentence: string): void {
  process.stderr.write(`${printable(sentence)}\n`);
}
