import { type BlamedParty, ParanoiaError } from '../base/errors.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import type { Campaign } from '../gate/campaign.ts';
import type { Machine } from '../gpu/device.ts';
import type { OpenOptions } from '../gpu/open.ts';
import { formatCase, parseCase } from '../problem/case.ts';
import type { JudgeOptions, RunOutcome } from '../run/judge.ts';
import type { PlannedCase } from '../run/planned-case.ts';
import type { Waiver } from '../run/waivers.ts';

/** The machine of a run, as far as it can be encoded. */
export type WireMachine = Pick<Machine, 'fingerprint' | 'arithmetic' | 'chosenBecause'>;

/** The outcome of a run, without the parts that only one side knows, and with encoded errors. */
export type WireOutcome = Omit<RunOutcome, 'machine' | 'baselines' | 'broken'> & {
  readonly broken?: WireError;
};

/** A message of a runtime to the process that started it, in this order. */
export type RuntimeMessage =
  | { readonly on: WireMachine; readonly planned: readonly WireCase[] }
  | { readonly begins: string }
  | { readonly result: CaseResult }
  | { readonly inspects: string; readonly question?: string | undefined }
  | { readonly outcome: WireOutcome; readonly on: WireMachine }
  | { readonly error: WireError };

/** A planned case as its text and the rest of its plan. */
interface WireCase extends Omit<PlannedCase, 'kernel' | 'problem' | 'method' | 'fault' | 'after'> {
  readonly text: string;
  readonly after?: readonly string[] | undefined;
}

/** An encoded error: a bug of this program, unless it has a code. */
export interface WireError {
  readonly code?: string;
  readonly exitCode?: number;
  readonly blames?: BlamedParty;
  readonly message: string;
  readonly cause?: WireError | undefined;
}

/** Encodes an error for another process. */
export function toWireError(thrown: unknown): WireError {
  if (!(thrown instanceof Error)) return { message: String(thrown) };
  const cause = thrown.cause === undefined ? {} : { cause: toWireError(thrown.cause) };
  const { code, exitCode, blames, message } = thrown as ParanoiaError;
  return thrown instanceof ParanoiaError
    ? { code, exitCode, blames, message, ...cause }
    : { message, ...cause };
}

export function fromWireError({ code, exitCode, blames, message, cause }: WireError): Error {
  const options = cause === undefined ? {} : { cause: fromWireError(cause) };
  if (code === undefined || exitCode === undefined) return new Error(message, options);
  return new ParanoiaError(code, exitCode, message, {
    ...options,
    ...(blames === undefined ? {} : { blames }),
  });
}

/** The key of a number that JSON cannot represent. */
const NUMBER = '$number';

/** Encodes a value as JSON, with signed zeros, infinities and NaN. */
export const encode = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'number' && (!Number.isFinite(item) || Object.is(item, -0))
      ? { [NUMBER]: Object.is(item, -0) ? '-0' : String(item) }
      : item,
  );

/** Decodes the value given to {@link encode}. @throws SyntaxError */
export const decode = (text: string): unknown =>
  JSON.parse(text, (_, item: unknown) => {
    const held = (item as Readonly<Record<string, unknown>> | null)?.[NUMBER];
    return held === undefined ? item : Number(held);
  });

/** The task of a runtime: everything but the kernels, which come as code. */
export interface RuntimeTask {
  /** Options of judging, as data. */
  readonly judging: Pick<
    JudgeOptions,
    'thresholds' | 'whole' | 'thin' | 'notes' | 'shard' | 'inspect' | 'budget' | 'sources'
  >;
  readonly asked: readonly WireCase[];
  readonly sample: readonly WireCase[];
  readonly waivers: readonly Waiver[];
  /** The campaign for further draws, made where a kernel is seen to take another path. */
  readonly campaign?: Campaign | undefined;
  /** Text before and after the cases in the command that runs them. */
  readonly replay: { readonly before: string; readonly behind: string };
  /** True if the cases of a failing kernel end early. */
  readonly endsEarly: boolean;
  /** Seconds for the search for smaller examples. */
  readonly shrinking: number;
  /** The requested kind of adapter. */
  readonly adapter?: 'hardware' | 'software' | undefined;
  /** Facts that WebGPU does not report, but the starting process knows. */
  readonly known: Pick<OpenOptions, 'dawn' | 'toggles' | 'origin' | 'chosenBecause'>;
}

export function encodeCase({ kernel, problem, method, fault, after, ...more }: PlannedCase): WireCase {
  const text = formatCase({ kernel, problem, method, fault });
  return { ...more, text, ...(after === undefined ? {} : { after: after.map(formatCase) }) };
}

/** Decodes a planned case. @throws ParanoiaError `bad-case` */
export function decodeCase({ text, after, ...more }: WireCase): PlannedCase {
  const others = after === undefined ? {} : { after: after.map((one) => parseCase(one)) };
  return { ...parseCase(text), ...more, ...others };
}
