import { type Blamed, ParanoiaError } from '../base/errors.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import type { Machine } from '../gpu/device.ts';
import type { Judged } from '../run/judge.ts';
import type { PlannedCase } from '../run/planned-case.ts';

/** What is judged on, as far as it can be told. */
export type ToldMachine = Pick<Machine, 'fingerprint' | 'arithmetic' | 'chosenBecause'>;

/** What came of a run, but for what only one side knows, and errors as they can be told. */
export type ToldOutcome = Omit<Judged, 'machine' | 'baselines' | 'broken'> & { readonly broken?: ToldError };

/** What a runtime tells whoever started it, in this order. */
export type Told =
  | { readonly on: ToldMachine; readonly planned: readonly ToldCase[] }
  | { readonly begins: string }
  | { readonly result: CaseResult }
  | { readonly inspects: string; readonly question?: string | undefined }
  | { readonly outcome: ToldOutcome; readonly on: ToldMachine }
  | { readonly error: ToldError };

/** A case as its text, and what else is planned of it. */
export interface ToldCase extends Omit<PlannedCase, 'kernel' | 'problem' | 'method' | 'fault' | 'after'> {
  readonly text: string;
  readonly after?: readonly string[] | undefined;
}

/** An error: a fault of this program, unless it has a code. */
export interface ToldError {
  readonly code?: string;
  readonly exitCode?: number;
  readonly blames?: Blamed;
  readonly message: string;
  readonly cause?: ToldError | undefined;
}

/** An error in terms that another process understands. */
export function tellError(thrown: unknown): ToldError {
  if (!(thrown instanceof Error)) return { message: String(thrown) };
  const cause = thrown.cause === undefined ? {} : { cause: tellError(thrown.cause) };
  const { code, exitCode, blames, message } = thrown as ParanoiaError;
  return thrown instanceof ParanoiaError
    ? { code, exitCode, blames, message, ...cause }
    : { message, ...cause };
}

/** The error that was told. */
export function errorTold({ code, exitCode, blames, message, cause }: ToldError): Error {
  const options = cause === undefined ? {} : { cause: errorTold(cause) };
  if (code === undefined || exitCode === undefined) return new Error(message, options);
  return new ParanoiaError(code, exitCode, message, {
    ...options,
    ...(blames === undefined ? {} : { blames }),
  });
}

/** The key under which a number lies that JSON cannot hold. */
const NUMBER = '$number';

/** A value as JSON, zeros with their signs, infinities and NaN among its numbers. */
export const encode = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'number' && (!Number.isFinite(item) || Object.is(item, -0))
      ? { [NUMBER]: Object.is(item, -0) ? '-0' : String(item) }
      : item,
  );

/** What {@link encode} was given. @throws SyntaxError */
export const decode = (text: string): unknown =>
  JSON.parse(text, (_, item: unknown) => {
    const held = (item as Readonly<Record<string, unknown>> | null)?.[NUMBER];
    return held === undefined ? item : Number(held);
  });
