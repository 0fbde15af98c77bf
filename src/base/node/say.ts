import { escapeControls } from '../printable.ts';

/** Prints a sentence to the user on stderr. Names in it may come from anyone. */
export function say(sentence: string): void {
  process.stderr.write(`${escapeControls(sentence)}\n`);
}
