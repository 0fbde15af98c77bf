import type { Shape } from '../matrix/dense.ts';
import { type Field, fieldOf } from '../problem/fields.ts';
import { anyText, type Held, numberIn, oneOf, readKind } from '../problem/kinds.ts';
import type { Flat, Key } from '../problem/problem.ts';
import { type Range, ranges } from '../problem/ranges.ts';
import type { Option } from './option.ts';
import {
  readChoice,
  readDuration,
  readList,
  readNumber,
  readSize,
  readText,
  type Size,
  shapeOf,
} from './read.ts';

/** Parts of a record beside its kind of value. */
type Rest = Partial<Omit<Option, 'flag' | 'what' | 'held' | 'isList' | 'read'>>;
type Told = readonly [flag: string, what: string, rest?: Rest];

/** A config may hold any value: its schema says more. */
export const any = (need: string): Held => ({ need, holds: () => true });

/** An option of one value. */
export function one<T>(
  held: Held,
  read: (option: string, text: string) => T,
  ...[flag, what, rest]: Told
): Option<T> {
  return { ...{ flag, what, held, isList: false }, ...rest, read: (option, [text]) => read(option, text) };
}

/** An option of several values, separated by commas or repeated. */
export function list<T>(
  held: Held,
  read: (option: string, text: string) => T,
  ...[flag, what, rest]: Told
): Option<readonly T[]> {
  return {
    ...{ flag, what, held, isList: true },
    ...rest,
    read: (option, texts) => readList(option, texts).map((item) => read(option, item)),
  };
}

/** An option of several values that is repeated for each, since they may hold commas. */
export const repeated = (...[flag, what, rest]: Told): Option<readonly string[]> => ({
  ...{ flag, what, held: anyText, isList: true },
  ...rest,
  read: (option, texts) => texts.map((text) => readText(option, text)),
});

/** An option without a value. */
export const flag = (...[name, what, rest]: Told): Option<true> => ({
  ...{ flag: name, what, held: any('true'), isList: false },
  ...rest,
  read: () => true,
});

/** An option that may have a value: true without one. */
export const perhaps = (...[name, what, rest]: Told): Option<string | true> => ({
  ...{ flag: name, what, held: anyText, isList: false },
  ...rest,
  read: (option, [text]) => (text === undefined ? true : readText(option, text)),
});

export const text = (...told: Told): Option<string> => one(anyText, readText, ...told);
export const texts = (...told: Told): Option<readonly string[]> => list(anyText, readText, ...told);

export const number = (range: Range, ...told: Told): Option<number> =>
  one(numberIn(range), (option, given) => readNumber(option, given, range), ...told);
export const numbers = (range: Range, ...told: Told): Option<readonly number[]> =>
  list(numberIn(range), (option, given) => readNumber(option, given, range), ...told);

export const choice = <T extends string>(names: readonly T[], ...told: Told): Option<T> =>
  one(oneOf(names), (option, given) => readChoice(option, given, names), ...told);
export const choices = <T extends string>(names: readonly T[], ...told: Told): Option<readonly T[]> =>
  list(oneOf(names), (option, given) => readChoice(option, given, names), ...told);

/** A duration: the value is in seconds. */
export const duration = (...told: Told): Option<number> =>
  one(any('a duration such as 90s, 10m or 2h'), readDuration, ...told);

const SIZE = any('a whole number or [m, k, n]');

/** The shape of one product. @param range of its sizes. */
export const shape = (range: Range | undefined, ...told: Told): Option<Shape> =>
  one(SIZE, (option, given) => shapeOf(readSize(option, given, range)), ...told);
export const shapes = (range: Range | undefined, ...told: Told): Option<readonly Shape[]> =>
  list(SIZE, (option, given) => shapeOf(readSize(option, given, range)), ...told);
export const sizes = (...told: Told): Option<readonly Size[]> =>
  list(SIZE, (option, given) => readSize(option, given), ...told);

/** The clause of a field of a case, with the names that it may be. */
export const describe = ({ what, kind: { names } }: Field): string =>
  names === undefined ? what : `${what}: ${names.join(', ')}`;

const ofField =
  <K extends Key>({ key, kind }: Field<K>) =>
  (option: string, given: string): Flat[K] =>
    readKind(kind, readText(option, given), {
      field: kind.names === undefined ? key : `value of ${option}`,
      where: option,
    });

/** One value of a field of a case. */
export function field<K extends Key>(key: K, usual: string, rest?: Rest): Option<Flat[K]> {
  const of = fieldOf(key);
  return one(of.kind, ofField(of), `--${key} <value>`, describe(of), { usual, ...rest });
}

/** Several values of a field of a case, which a campaign goes through. */
export function axis<K extends Key>(key: K, usual: string, rest?: Rest): Option<readonly Flat[K][]> {
  const of = fieldOf(key);
  return list(of.kind, ofField(of), `--${key} <list>`, describe(of), { usual, ...rest });
}

export const seed = (usual: string, rest?: Rest): Option<number> =>
  number(ranges.seed, '--seed <n>', describe(fieldOf('seed')), { usual, ...rest });
