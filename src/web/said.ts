import { ParanoiaError } from '../base/errors.ts';
import type { OpenDevice } from '../gpu/device.ts';
import type { Results } from '../run/results.ts';
import { PASTED } from './pasted.ts';

/** The warning about results from a link. */
export const FROM_LINK =
  'This was opened by a link, which anybody may have written: to be sure of it, run its case on the device yourself.';

export const doesNotCompile = (count: number): string =>
  `The kernel does not compile: ${count === 1 ? 'one error' : `${count} errors`}, listed below it.`;

export const refuses = (why: string): string => `The device refuses the kernel: ${why.replace(/\.?$/, '.')}`;

/** The sentence on how a run ended. */
export function endOf(
  { summary: { run, planned, interrupted } }: Results,
  lost: string | undefined,
  isPasted: boolean,
): string {
  if (lost !== undefined)
    return `The GPU was lost (${lost}), as browsers do when a tab sleeps or a driver restarts: ${run} of ${planned} cases are kept, and judging can go on.`;
  if (interrupted) return `Stopped: ${run} of ${planned} cases are kept, and judging can go on.`;
  return isPasted ? `Done. To repeat a case elsewhere, save the kernel as ${PASTED} first.` : 'Done.';
}

export const lostInTiming = (why: string): string =>
  `The GPU was lost (${why}) while kernels were timed: what was judged is whole, and the speeds before it are shown.`;

/** The warning about speeds on a device, if there is one. */
export function noteOn({ fingerprint: { kind } }: OpenDevice): string | undefined {
  return kind === 'software'
    ? 'This adapter is software: its speeds depend on what else the processor does, and only their ratios tell anything.'
    : undefined;
}

/** The sentence for an error. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ParanoiaError) return error.message;
  return `Something in gemm-paranoia itself went wrong: ${error instanceof Error ? error.message : String(error)}`;
}
