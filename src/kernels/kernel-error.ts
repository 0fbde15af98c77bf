import { ParanoiaError } from '../base/errors.ts';
import type { Shape } from '../matrix/dense.ts';
import { kernelThrew } from './messages.ts';

const LONGEST = 300;

/** Describes a thrown value, whatever it is, as a clause: the first line of its message, without the full stop. */
export function describeThrown(thrown: unknown): string {
  const line = textOf(thrown)
    .trim()
    .split(/[\r\n]/, 1)[0]
    .trim();
  const short = line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
  return short.replace(/\.$/, '') || 'an error without a message';
}

function textOf(thrown: unknown): string {
  try {
    if (!(thrown instanceof Error)) return String(thrown);
    return String(thrown.message) || String(thrown.name);
  } catch {
    return 'a value that cannot be shown';
  }
}

/**
 * Converts a value that a kernel threw: a `ParanoiaError` unchanged, else `kernel-threw`.
 * @param shape the product for which it was thrown, if any. A case may have products of other shapes.
 */
export const toKernelError = (kernel: string, error: unknown, shape?: Shape): ParanoiaError =>
  error instanceof ParanoiaError ? error : kernelThrew({ kernel, shape, why: describeThrown(error) }, error);

/** Calls a user's function, which may throw any value, at once or later. @throws ParanoiaError of {@link toKernelError} */
export async function callBlaming<T>(kernel: string, work: () => T | PromiseLike<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toKernelError(kernel, error);
  }
}
