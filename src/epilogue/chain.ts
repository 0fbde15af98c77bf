import { isRecord, lookUp } from '../base/objects.ts';
import { formatValue } from '../base/plain-words.ts';
import { type Matrix, matrix } from '../matrix/dense.ts';
import type { EpilogueCall } from '../matrix/epilogue-call.ts';
import { type EntryNumbers, type EntrySizes, placeOf, whyMisfit } from './entry-numbers.ts';
import { epilogueSteps } from './epilogues.ts';
import { badEpilogue, badEpilogueStep } from './messages.ts';
import { readSettings, type Settings } from './parameters.ts';
import { parseStep } from './parse-epilogue.ts';
import type { EpilogueStep, StepFunction } from './step.ts';

const MOST_STEPS = 4;

/**
 * A step as a user gives it: a word as {@link parseStep} reads it, or its name and parameters. Tensors are numbers, rows of numbers,
 * lists of rows, or matrices.
 */
export type GivenStep = string | EpilogueCall;

/** A step with its settings, on a product of given sizes. */
export interface ChainStep {
  readonly record: EpilogueStep;
  readonly settings: Settings;
  readonly run: StepFunction;
  /** Columns before the step. */
  readonly n: number;
  /** Returns the columns of a gate and of what it multiplies. @defaultValue those of its halves */
  readonly columns?: (j: number) => readonly [gate: number, other: number];
}

/** An epilogue: what happens to the entries of α·A·B + β·C before they are stored as D. */
export interface Epilogue {
  readonly steps: readonly ChainStep[];
  /** The sizes of the product before the first step. */
  readonly sizes: EntrySizes;
}

/** Returns the columns of D. */
export const columnsAfter = ({ steps, sizes }: Epilogue): number =>
  steps.reduce((n, { record }) => (record.isGate === true ? n / 2 : n), sizes.n);

/**
 * Reads an epilogue.
 * @param given the list of steps, in their order.
 * @param sizes those of the product before the first step.
 * @param most the most steps.
 * @throws ParanoiaError `bad-epilogue`, `unknown-name` for a step, `bad-epilogue-step`
 */
export function readEpilogue(given: unknown, sizes: EntrySizes, most = MOST_STEPS): Epilogue {
  if (!Array.isArray(given))
    throw badEpilogue({ why: `it must be a list of steps, as ["relu"], but is ${formatValue(given)}` });
  if (given.length > most)
    throw badEpilogue({ why: `it has ${given.length} steps, and at most ${most} are judged` });
  const named = given.map(readStep);
  const steps: ChainStep[] = [];
  let { n } = sizes;
  for (const [at, { record, given }] of named.entries()) {
    const refuse = (why: string) => badEpilogueStep({ at, step: record.name, why });
    const settings = readSettings(record.parameters, asTensors(record, given));
    if (typeof settings === 'string') throw refuse(settings);
    const why = record.whyWrong?.(settings) ?? whyMisplaced(record, settings, { ...sizes, n });
    if (why !== undefined) throw refuse(why);
    const next = named[at + 1];
    const run = record.of(settings);
    if (run.target !== undefined && next !== undefined)
      throw refuse(
        `it must be the last step, and ${next.record.name} follows; put ${next.record.name} before it`,
      );
    steps.push({ record, settings, run, n });
    if (record.isGate === true) n /= 2;
  }
  return { steps, sizes };
}

function readStep(given: unknown, at: number): { record: EpilogueStep; given: Settings } {
  const read = typeof given === 'string' ? parseStep(given, refusePlace) : given;
  if (!isRecord(read) || typeof read.step !== 'string') {
    const why = `step ${at + 1} must be a name, or an object such as { "step": "scale", "values": 0.5 }, but is ${formatValue(given)}`;
    throw badEpilogue({ why });
  }
  const { step, ...settings } = read;
  return { record: epilogueSteps.find(step as string), given: settings };
}

/** Refuses the place of a tensor, which only commands read. */
const refusePlace = (place: string): never => {
  throw badEpilogue({ why: `"${place}" is no number; give an array of numbers in an object` });
};

/** Returns settings whose lists of numbers, and lists of these, are matrices. */
const asTensors = ({ parameters }: EpilogueStep, given: Settings): Settings =>
  Object.fromEntries(
    Object.entries(given).map(([key, value]) => [
      key,
      lookUp(parameters, key)?.tensor !== undefined ? asTensor(value) : value,
    ]),
  );

const isNumbers = (value: unknown): value is ArrayLike<number> =>
  (ArrayBuffer.isView(value) && !(value instanceof DataView)) ||
  (Array.isArray(value) && value.every((x) => typeof x === 'number'));

function asTensor(value: unknown): unknown {
  if (value instanceof Float32Array) return matrix(1, value.length, value);
  if (isNumbers(value)) return matrix(1, value.length, Float64Array.from(value, Number));
  if (!Array.isArray(value) || !value.every(isNumbers)) return value;
  const cols = value[0].length;
  return value.every((row) => row.length === cols)
    ? matrix(value.length, cols, Float64Array.from(value.flatMap((row) => Array.from(row))))
    : value;
}

/** Explains why the product does not fit a step, as a clause; undefined where it does. */
function whyMisplaced(
  { parameters, isGate }: EpilogueStep,
  settings: Settings,
  sizes: EntrySizes,
): string | undefined {
  if (isGate === true && sizes.n % 2 === 1)
    return `it takes two halves of the columns, and the product has ${sizes.n} columns`;
  for (const [key, { tensor }] of Object.entries(parameters)) {
    const value = lookUp(settings, key);
    if (tensor === undefined || (tensor === 'any' && typeof value === 'number')) continue;
    if (typeof value === 'number') return `"${key}" must be a ${sizes.m}×${sizes.n} matrix, but is ${value}`;
    const why = whyMisfit(key, value as Matrix, tensor, sizes);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** Returns the steps of an epilogue as a user would give them. */
export const givenSteps = ({ steps }: Pick<Epilogue, 'steps'>): GivenStep[] =>
  steps.map(({ record, settings }) => ({ step: record.name, ...settings }));

/** Describes an epilogue in words: "bias (row), gelu, requantize (int8, scale 0.05)". */
export const describeEpilogue = ({ steps }: Pick<Epilogue, 'steps'>): string =>
  steps.map(describeStep).join(', ');

function describeStep({ record, settings }: ChainStep): string {
  const { parameters, main } = record;
  const told = Object.entries(parameters).flatMap(([key, { usual, tensor }]) => {
    const value = lookUp(settings, key);
    if (value === undefined || value === usual) return [];
    if (tensor !== undefined && typeof value !== 'number')
      return [`${key === main ? '' : `${key} `}${placeOf(value as EntryNumbers)}`];
    return [key === main ? String(value) : `${key} ${value}`];
  });
  return told.length === 0 ? record.name : `${record.name} (${told.join(', ')})`;
}
