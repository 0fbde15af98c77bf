import type { RunRequest } from '../../config/run-options.ts';

/** What a shell takes as it is. */
const PLAIN = /^[\w./#+:@%-]+$/;

/**
 * Kernels in files as a replay names them, with the precision of those that do not say it, and a space behind; empty where there
 * are none.
 */
export function filesText(files: readonly string[], { precisions }: RunRequest): string {
  if (files.length === 0) return '';
  const named = files.map((file) => (PLAIN.test(file) ? file : quote(file)));
  const said = precisions === undefined ? [] : [`--precision ${quote(precisions.join())}`];
  return [...named, ...said, ''].join(' ');
}

/** A word for a shell. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
