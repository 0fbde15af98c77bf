import type { Flags } from '../config/flags.ts';
import { parseText } from '../config/flags.ts';

/** What a shell takes as it is. */
const PLAIN = /^[\w./#+:@%-]+$/;

/**
 * Kernels in files as a replay names them, with the precision of those that do not say it, and a space behind; empty where there
 * are none.
 */
export function filesText(files: readonly string[], { precision }: Flags): string {
  if (files.length === 0) return '';
  const named = files.map((file) => (PLAIN.test(file) ? file : quote(file)));
  const said = precision === undefined ? [] : [`--precision ${quote(parseText('--precision', precision))}`];
  return [...named, ...said, ''].join(' ');
}

/** A word for a shell. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
