import { ParanoiaError } from '../base/errors.ts';
import { refusalOf } from '../base/refusal.ts';
import { runBrokenOff } from './messages.ts';

/** The problem of a run that something ended in the middle, with what it was as its cause. */
export function brokenOff(thrown: unknown, done: number, planned: number): ParanoiaError {
  const error = refusalOf(thrown) ?? thrown;
  return runBrokenOff({ done, planned, why: reasonOf(error) }, error);
}

/** The exit code of what ended a run in the middle. */
export const brokenCode = (broken: ParanoiaError): number =>
  broken.cause instanceof ParanoiaError ? broken.cause.exitCode : broken.exitCode;

/** Why a run ended, as a sentence. */
function reasonOf(error: unknown): string {
  if (error instanceof ParanoiaError) return error.message;
  return `something in gemm-paranoia itself went wrong: ${error instanceof Error ? error.message : String(error)}.`;
}
