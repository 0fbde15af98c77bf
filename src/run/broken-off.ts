import { ParanoiaError } from '../base/errors.ts';
import { machineError } from '../base/system-errors.ts';
import { runBrokenOff } from './messages.ts';

/** Returns the error of a run that ended in the middle, with the original error as its cause. */
export function makeBrokenRunError(thrown: unknown, done: number, planned: number): ParanoiaError {
  const error = machineError(thrown) ?? thrown;
  return runBrokenOff({ done, planned, why: reasonOf(error) }, error);
}

/** Returns the exit code of the error that ended a run in the middle. */
export const brokenRunExitCode = (broken: ParanoiaError): number =>
  broken.cause instanceof ParanoiaError ? broken.cause.exitCode : broken.exitCode;

/** Returns the reason why a run ended, as a sentence. */
function reasonOf(error: unknown): string {
  if (error instanceof ParanoiaError) return error.message;
  return `gemm-paranoia itself failed: ${error instanceof Error ? error.message : String(error)}.`;
}
