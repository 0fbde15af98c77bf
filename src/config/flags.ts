import { badNumber, unknownName } from '../base/messages.ts';
import type { Shape } from '../matrix/dense.ts';
import { fieldOf } from '../problem/fields.ts';
import { type Kind, type Names, numberOf, readKind } from '../problem/kinds.ts';
import type { Flat, Key } from '../problem/problem.ts';
import { isWithin, type Range, ranges } from '../problem/ranges.ts';
import { emptyItem, missingOption } from './messages.ts';

/** A size: n for n×n×n, or [m, k, n] for an m×k matrix times a k×n one. */
export type Size = number | readonly [m: number, k: number, n: number];

/** What a command line gives for an option: text, or several where the option is repeated. */
export type Given = unknown;

/** The options of a command line, by name in camel case, as `cac` gives them. */
export type Flags = Readonly<Record<string, Given>>;

/** The text of an option that is given once. @throws ParanoiaError `missing-option` */
export function parseText(option: string, given: Given): string {
  const parts = texts(given);
  if (parts.length !== 1 || parts[0] === '') throw missingOption({ option, need: 'one value' });
  return parts[0];
}

/** The items of a list such as "a,b", without repetitions. @throws ParanoiaError `missing-option`, `empty-item` */
export function parseList(option: string, given: Given): string[] {
  const items = texts(given).flatMap((text) => text.split(',').map((item) => item.trim()));
  if (items.every((item) => item === '')) {
    throw missingOption({ option, need: 'values separated by commas' });
  }
  if (items.includes('')) throw emptyItem({ option, given: texts(given).join(' ') });
  return [...new Set(items)];
}

/** The adapter of `--adapter`, and the toggles of `--toggle`. @throws ParanoiaError `missing-option`, `empty-item` */
export function deviceOf({ adapter, toggle }: Flags): { adapter: string | undefined; toggles: string[] } {
  return {
    adapter: adapter === undefined ? undefined : parseText('--adapter', adapter),
    toggles: toggle === undefined ? [] : parseList('--toggle', toggle),
  };
}

/** A number in a range. @throws ParanoiaError `bad-number` */
export function parseNumber(option: string, given: Given, range: Range): number {
  const text = parseText(option, given);
  const value = numberOf(text);
  if (isWithin(value, range)) return value;
  throw badNumber({ what: option, given: text, need: range.need });
}

/**
 * The fields of a case that flags of their names say, one value each.
 * @param known the names that they may hold
 * @throws ParanoiaError `missing-option`, `bad-number`, `unknown-name`
 */
export function fieldsOf(flags: Flags, keys: readonly Key[], known: Names): Partial<Flat> {
  const said = keys.flatMap((key) => {
    if (flags[key] === undefined) return [];
    const { kind } = fieldOf(key);
    const where = `--${key}`;
    const field = kind.names === undefined ? key : `value of ${where}`;
    return [[key, readKind(kind as Kind<unknown>, parseText(where, flags[key]), { field, where }, known)]];
  });
  return Object.fromEntries(said);
}

/** A list of numbers in a range: "0,1,2". @throws ParanoiaError `missing-option`, `bad-number` */
export function parseNumbers(option: string, given: Given, range: Range): number[] {
  return parseList(option, given).map((item) => parseNumber(option, item, range));
}

const BETWEEN = /\s*[x×]\s*/i;

/** One size: "64" or "129x65x33". @throws ParanoiaError `bad-number` */
export function parseSize(option: string, given: Given, range: Range = ranges.dimension): Size {
  const text = parseText(option, given);
  const parts = text.split(BETWEEN);
  const need = 'a size n, or three: mxkxn';
  if (parts.length !== 1 && parts.length !== 3) throw badNumber({ what: option, given: text, need });
  const [m, k, n] = parts.map((part) => {
    // An empty part would read as a missing option.
    if (part === '') throw badNumber({ what: option, given: text, need });
    return parseNumber(option, part, range);
  });
  return parts.length === 1 ? m : [m, k, n];
}

/** The shape of one size. @throws ParanoiaError `bad-number` */
export function parseShape(option: string, given: Given, range?: Range): Shape {
  return shapeOf(parseSize(option, given, range));
}

/** The shape of a size. */
export function shapeOf(size: Size): Shape {
  const [m, k, n] = typeof size === 'number' ? [size, size, size] : size;
  return { m, k, n };
}

/** A list of sizes: "64,129x65x33"; here a comma separates sizes. @throws ParanoiaError `missing-option`, `bad-number` */
export function parseSizes(option: string, given: Given, range?: Range): Size[] {
  return parseList(option, given).map((item) => parseSize(option, item, range));
}

/** A list of names of a fixed table. @throws ParanoiaError `missing-option`, `unknown-name` */
export function parseChoices<T extends string>(option: string, given: Given, known: readonly T[]): T[] {
  return parseList(option, given).map((item) => {
    if (known.includes(item as T)) return item as T;
    throw unknownName({ what: `value of ${option}`, given: item, known });
  });
}

/** One name of a fixed table. @throws ParanoiaError `missing-option`, `unknown-name` */
export function parseChoice<T extends string>(option: string, given: Given, known: readonly T[]): T {
  const [chosen, ...others] = parseChoices(option, given, known);
  if (others.length > 0) throw missingOption({ option, need: `one of ${known.join(', ')}` });
  return chosen;
}

// Who calls from code may give numbers; the parser of command lines makes true of an option without a value.
function texts(given: Given): string[] {
  const all = Array.isArray(given) ? given : [given];
  return all.map((one) => (typeof one === 'string' || typeof one === 'number' ? String(one).trim() : ''));
}
