import { EXIT, ParanoiaError } from '../base/errors.ts';
import { escapeControls, toOneLine } from '../base/printable.ts';
import { machineError } from '../base/system-errors.ts';
import { recordEndReason } from './no-judgment.ts';

export interface CommandError {
  readonly exitCode: number;
  readonly message: string;
  readonly isOfKernel: boolean;
}

/** Prints any error, with its stack trace if `--verbose` is given. */
export function printError(thrown: unknown): CommandError {
  const error = machineError(thrown) ?? thrown;
  const message = sentence(error);
  recordEndReason(message);
  process.stderr.write(`${process.argv.includes('--verbose') ? escapeControls(traced(error)) : message}\n`);
  if (!(error instanceof ParanoiaError)) return { exitCode: EXIT.internal, message, isOfKernel: false };
  return { exitCode: error.exitCode, message, isOfKernel: error.blames === 'kernel' };
}

function traced(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error.stack ?? String(error);
  return error.cause === undefined ? own : `${own}\ncaused by ${traced(error.cause)}`;
}

function sentence(error: unknown): string {
  if (error instanceof ParanoiaError) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  return `Internal error of gemm-paranoia: ${toOneLine(message)} (--verbose prints the stack trace).`;
}
