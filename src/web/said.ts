import { ParanoiaError } from '../base/errors.ts';
import type { OpenDevice } from '../gpu/device.ts';
import type { Results } from '../run/results.ts';
import { PASTED } from './pasted.ts';

/** The warning about results from a link. */
export const FROM_LINK =
  'These results come from a link, which anyone may have written. To verify them, replay a case on the device yourself.';

export const doesNotCompile = (count: number): string =>
  `The kernel does not compile: ${count === 1 ? 'one error' : `${count} errors`}, listed below.`;

export const refuses = (why: string): string => `The device rejects the kernel: ${why.replace(/\.?$/, '.')}`;

/** Returns the sentence on how a run ended. */
export function endOf(
  { summary: { run, planned, interrupted } }: Results,
  lost: string | undefined,
  isPasted: boolean,
): string {
  if (lost !== undefined)
    return `The GPU was lost (${lost}). A sleeping tab or a driver restart can cause this. ${run} of ${planned} cases are kept. To continue, select Resume.`;
  if (interrupted) return `Stopped: ${run} of ${planned} cases are kept. To continue, select Resume.`;
  return isPasted ? `Done. To replay a case elsewhere, first save the kernel as ${PASTED}.` : 'Done.';
}

export const lostInTiming = (why: string): string =>
  `The GPU was lost (${why}) during timing. All verdicts are complete. Speeds measured before the loss are shown.`;

/** Returns the warning about speeds on a device, if there is one. */
export function noteOn({ fingerprint: { kind } }: OpenDevice): string | undefined {
  return kind === 'software'
    ? 'This adapter is software. Its speeds depend on the load of the CPU; compare only their ratios.'
    : undefined;
}

/** The sentence for an error. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ParanoiaError) return error.message;
  return `Internal error of gemm-paranoia: ${error instanceof Error ? error.message : String(error)}`;
}
