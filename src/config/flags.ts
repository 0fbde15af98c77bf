import { findPrecision } from '../formats/precision.ts';
import { borders, edges } from '../plan/plan.ts';
import { problem } from '../problems.ts';
import type { Config, Size } from './config.ts';
import { isWithin, type Range, ranges } from './ranges.ts';
import { checkNames, type KnownNames } from './schema.ts';

/** What a command line gives for an option: text, or several where the option is repeated. */
export type Given = unknown;

/** The text of an option that is given once. @throws Problem `missing-option` */
export function parseText(option: string, given: Given): string {
  const parts = texts(given);
  if (parts.length !== 1 || parts[0] === '') throw problem('missing-option', { option, need: 'one value' });
  return parts[0];
}

/** The items of a list such as "a,b", without repetitions. @throws Problem `missing-option`, `empty-item` */
export function parseList(option: string, given: Given): string[] {
  const items = texts(given).flatMap((text) => text.split(',').map((item) => item.trim()));
  if (items.every((item) => item === '')) {
    throw problem('missing-option', { option, need: 'values separated by commas' });
  }
  if (items.includes('')) throw problem('empty-item', { option, given: texts(given).join(' ') });
  return [...new Set(items)];
}

/** A number in a range. @throws Problem `bad-number` */
export function parseNumber(option: string, given: Given, range: Range): number {
  const text = parseText(option, given);
  const value = NUMBER.test(text) ? Number(text) : Number.NaN;
  if (isWithin(value, range)) return value;
  throw problem('bad-number', { what: option, given: text, need: range.need });
}

const NUMBER = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** A list of numbers in a range: "0,1,2". @throws Problem `missing-option`, `bad-number` */
export function parseNumbers(option: string, given: Given, range: Range): number[] {
  return parseList(option, given).map((item) => parseNumber(option, item, range));
}

const BETWEEN = /\s*[x×,]\s*/i;

/**
 * One size: "64", "129x65x33" or "129,65,33".
 * @param form how a message writes three sizes.
 * @throws Problem `bad-number`
 */
export function parseSize(option: string, given: Given, form = 'm,k,n'): Size {
  const text = parseText(option, given);
  const parts = text.split(BETWEEN);
  const need = `a size n, or three: ${form}`;
  if (parts.length !== 1 && parts.length !== 3)
    throw problem('bad-number', { what: option, given: text, need });
  const [m, k, n] = parts.map((part) => {
    // An empty part would read as a missing option.
    if (part === '') throw problem('bad-number', { what: option, given: text, need });
    return parseNumber(option, part, ranges.size);
  });
  return parts.length === 1 ? m : [m, k, n];
}

/** A list of sizes: "64,129x65x33"; here a comma separates sizes. @throws Problem `missing-option`, `bad-number` */
export function parseSizes(option: string, given: Given): Size[] {
  return parseList(option, given).map((item) => parseSize(option, item, 'mxkxn'));
}

/** A list of names of a fixed table. @throws Problem `missing-option`, `unknown-name` */
export function parseChoices<T extends string>(option: string, given: Given, known: readonly T[]): T[] {
  return parseList(option, given).map((item) => {
    if (known.includes(item as T)) return item as T;
    throw problem('unknown-name', { what: `value of ${option}`, given: item, known });
  });
}

/** One name of a fixed table. @throws Problem `missing-option`, `unknown-name` */
export function parseChoice<T extends string>(option: string, given: Given, known: readonly T[]): T {
  const [chosen, ...others] = parseChoices(option, given, known);
  if (others.length > 0) throw problem('missing-option', { option, need: `one of ${known.join(', ')}` });
  return chosen;
}

// The parser of command lines makes numbers of what looks like one, and true of an option without a value.
function texts(given: Given): string[] {
  const all = Array.isArray(given) ? given : [given];
  return all.map((one) => (typeof one === 'string' || typeof one === 'number' ? String(one).trim() : ''));
}

type FlagReaders = { readonly [K in keyof Flags]-?: (option: string, given: Given) => Flags[K] };

/** The config with its thresholds on one level, as a command line gives them; waivers are given in a config alone. */
type Flags = Omit<Config, 'thresholds' | 'waivers'> & NonNullable<Config['thresholds']>;

const readers: FlagReaders = {
  adapter: parseText,
  kernels: parseList,
  inputs: parseList,
  levels: (option, given) => parseNumbers(option, given, ranges.levels),
  sizes: parseSizes,
  precisions: (option, given) => parseList(option, given).map((name) => findPrecision(name).name),
  toggles: parseList,
  borders: (option, given) => parseChoices(option, given, borders),
  edges: (option, given) => parseChoices(option, given, edges),
  seed: (option, given) => parseNumber(option, given, ranges.seed),
  replicates: (option, given) => parseNumber(option, given, ranges.replicates),
  sigmas: (option, given) => parseNumber(option, given, ranges.sigmas),
  drift: (option, given) => parseNumber(option, given, ranges.drift),
  baselines: parseText,
  reporters: parseList,
  out: parseText,
  timeLimit: (option, given) => parseNumber(option, given, ranges.timeLimit),
};

/** What flags are called where it is not what the option of a config is called. */
const flagNames: { readonly [K in keyof Flags]?: string } = {
  kernels: 'kernel',
  inputs: 'input',
  sizes: 'size',
  precisions: 'precision',
  toggles: 'toggle',
  borders: 'border',
  edges: 'edge',
  reporters: 'reporter',
};

/**
 * The options of a command line as a config; options that no config has are left to the caller.
 * @param flags - by name in camel case, as `cac` gives them.
 * @throws Problem `missing-option`, `bad-number`, `unknown-name`
 */
export function parseFlags(flags: Readonly<Record<string, unknown>>, known: KnownNames): Config {
  const read = Object.entries(readers)
    .map(([name, reader]) => ({ name, reader, flag: flagNames[name as keyof Flags] ?? name }))
    .filter(({ flag }) => flags[flag] !== undefined)
    .map(({ name, reader, flag }) => [name, reader(`--${dashed(flag)}`, flags[flag])]);
  const { sigmas, drift, ...config }: Flags = Object.fromEntries(read);
  checkNames(config, known, (_, error) => error);
  return sigmas === undefined && drift === undefined ? config : { ...config, thresholds: { sigmas, drift } };
}

function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
