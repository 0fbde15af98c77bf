import { hintOf } from '../base/nearest.ts';
import { isRecord, lookUp } from '../base/objects.ts';
import { formatValue } from '../base/plain-words.ts';
import type { Random } from '../base/random.ts';
import type { Matrix } from '../matrix/dense.ts';
import { formats } from '../precision/formats/formats.ts';

/** A parameter of a step: its meaning, and its valid values. */
export interface ParameterRecord {
  readonly what: string;
  /** Its valid values, as the end of "must be …". */
  readonly need: string;
  readonly isValid: (value: unknown) => boolean;
  /** Its valid words, if any. */
  readonly words?: readonly string[];
  /** Its value if it is left out; a parameter without one must be given. */
  readonly usual?: number | string;
  /** True if it may be left out without having a value. */
  readonly isOptional?: true;
  /** The places of the numbers of a tensor: `any` of one number, a row, a column; `all` entries of D. Absent for other values. */
  readonly tensor?: 'any' | 'all';
  /** Draws one of its numbers for a case. Needed for tensors, and for numbers without a default value. */
  readonly draw?: NumberDraw;
}

/**
 * Draws a number.
 * @param size the typical size of the entries before the step, a power of two.
 * @param settings those before it.
 */
type NumberDraw = (random: Random, size: number, settings: Settings) => number;

/** The values of a step's parameters. */
export type Settings = Readonly<Record<string, unknown>>;

/** Returns a parameter of any finite number. */
export const numberParameter = (what: string, usual?: number): ParameterRecord => ({
  ...{ what, need: 'a finite number', isValid: Number.isFinite },
  ...(usual === undefined ? {} : { usual }),
});

/** Returns a parameter of one of some words. */
export const wordParameter = (what: string, words: readonly string[], usual?: string): ParameterRecord => ({
  ...{
    what,
    words,
    need: `one of ${words.join(', ')}`,
    isValid: (value) => words.some((word) => word === value),
  },
  ...(usual === undefined ? {} : { usual }),
});

/** Returns a parameter of a whole number. */
export const wholeParameter = (what: string, usual: number): ParameterRecord => ({
  ...{ what, need: 'a whole number', isValid: Number.isSafeInteger, usual },
});

/** Parameter of a claimed error. */
export const ulpsParameter: ParameterRecord = {
  what: 'claimed error, in units in the last place of the result',
  need: 'a number, at least 0',
  isValid: (value) => Number.isFinite(value) && Number(value) >= 0,
  isOptional: true,
};

const isMatrix = (value: unknown): value is Matrix =>
  isRecord(value) &&
  ArrayBuffer.isView(value.data) &&
  'length' in value.data &&
  value.data.length === Number(value.rows) * Number(value.cols);

/** Returns a parameter whose numbers may be one, a row, a column, or all entries. */
export const tensorParameter = (
  what: string,
  tensor: 'any' | 'all',
  holds: (x: number) => boolean = () => true,
  need = '',
): ParameterRecord => ({
  ...{ what, tensor },
  need: `${tensor === 'all' ? 'a matrix' : 'a number, a row or a column'}${need}`,
  isValid: (value) =>
    isMatrix(value) ? value.data.every(holds) : Number.isFinite(value) && holds(Number(value)),
});

/** Returns settings with their defaults, or the clause that says why they are wrong: '"scale" must be …, but is 0'. */
export function readSettings(
  records: Readonly<Record<string, ParameterRecord>>,
  given: Settings,
): Settings | string {
  const known = Object.keys(records);
  const unknown = Object.keys(given).find((key) => !known.includes(key) && lookUp(given, key) !== undefined);
  if (unknown !== undefined)
    return known.length === 0
      ? `it has no parameters, and "${unknown}" is given`
      : `it has no parameter "${unknown}"${hintOf(unknown, known)}`.replace(/\?$/, '');
  const found = new Map<string, unknown>();
  for (const [key, record] of Object.entries(records)) {
    const own = lookUp(given, key);
    const value = own === undefined ? record.usual : own;
    if (value === undefined && record.isOptional === true) continue;
    if (value === undefined) return `it needs "${key}": ${record.need}`;
    if (!record.isValid(value)) return `"${key}" must be ${record.need}, but is ${shown(value, record)}`;
    found.set(key, value);
  }
  return Object.fromEntries(found);
}

/** Describes a wrong value; of a tensor, the entry that is wrong. */
function shown(value: unknown, { isValid, tensor }: ParameterRecord): string {
  if (!isMatrix(value)) return formatValue(value);
  if (tensor === undefined)
    return value.rows === 1 ? `a row of ${value.cols}` : `a ${value.rows}×${value.cols} matrix`;
  const at = value.data.findIndex((x) => !isValid(x));
  return at < 0 ? 'another value' : `${value.data[at]} at entry ${at}`;
}

/** Draws from 1/2 to 2: a power of two for one number in three, else all bits. */
const around = (random: Random): number =>
  random.int(1, 3) === 1 ? 2 ** random.int(-1, 1) : random.uniform(0.5, 2);

/** Draws addends as large as the entries, so that a missing one is seen; one in eight is 0. */
export const addend: NumberDraw = (random, size) =>
  random.int(1, 8) === 1 ? 0 : random.sign() * around(random) * size;

/** Draws factors that bring entries to sizes near 1, where activations differ; one in four is negative. */
export const factor: NumberDraw = (random, size) =>
  (random.int(1, 4) === 1 ? -1 : 1) * (around(random) / size);

/** Draws steps between codes for which most entries are within the range, and some beyond. */
export const codeStep: NumberDraw = (random, size, { to }) =>
  (around(random) * 4 * size) / 2 ** Math.ceil(Math.log2(formats.find(to as string).maxFinite));

/** Draws a code of 0 in the middle half of the range; formats of floating-point numbers have none. */
export const codeOfZero: NumberDraw = (random, _, { to }) => {
  const { holds, maxFinite, minSubnormal } = formats.find(to as string);
  if (holds.nan || minSubnormal !== 1) return 0;
  const half = Math.ceil(maxFinite / 2);
  return holds.negative ? random.sign() * random.int(1, half) : random.int(1, half) + Math.floor(half / 2);
};

/** Draws a slope below 1. */
export const slopeBelowOne: NumberDraw = (random) => around(random) / 4;

/** Draws an end of a range that cuts some entries. */
export const endOfRange =
  (sign: number): NumberDraw =>
  (random, size) =>
    sign * around(random) * size;
