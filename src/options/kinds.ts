import { type Field, fieldOf } from '../problem/fields.ts';
import { anyText, type Held, numberIn, oneOf } from '../problem/kinds.ts';
import type { Flat, Key } from '../problem/problem.ts';
import type { Range } from '../problem/ranges.ts';
import type { Option } from './option.ts';
import type { Size } from './size.ts';

/** Parts of a record beside its kind of value. */
export type Rest = Partial<Omit<Option, 'flag' | 'what' | 'held' | 'isList' | 'read'>>;
export type Told = readonly [flag: string, what: string, rest?: Rest];

/** A config may hold any value: its schema says more. */
export const any = (need: string): Held => ({ need, holds: () => true });

/** An option of one value. */
export const one = <T>(held: Held, ...[flag, what, rest]: Told): Option<T> => ({
  ...{ flag, what, held, isList: false },
  ...rest,
});

/** An option of several values, separated by commas or repeated. */
export const list = <T>(held: Held, ...told: Told): Option<readonly T[]> => ({
  ...one<readonly T[]>(held, ...told),
  isList: true,
});

/** An option without a value. */
export const flag = (...told: Told): Option<true> => one(any('true'), ...told);
/** An option that may have a value: true without one. */
export const perhaps = (...told: Told): Option<string | true> => one(anyText, ...told);

export const text = (...told: Told): Option<string> => one(anyText, ...told);
export const texts = (...told: Told): Option<readonly string[]> => list(anyText, ...told);

export const number = (range: Range, ...told: Told): Option<number> => one(numberIn(range), ...told);
export const numbers = (range: Range, ...told: Told): Option<readonly number[]> =>
  list(numberIn(range), ...told);

export const choice = <T extends string>(names: readonly T[], ...told: Told): Option<T> =>
  one(oneOf(names), ...told);
export const choices = <T extends string>(names: readonly T[], ...told: Told): Option<readonly T[]> =>
  list(oneOf(names), ...told);

/** The kind of a size, which a command line writes as "64" or "129x65x33". */
export const SIZE = any('a whole number or [m, k, n]');
export const sizes = (...told: Told): Option<readonly Size[]> => list(SIZE, ...told);

/** The clause of a field of a case, with the names that it may be. */
export const describe = ({ what, kind: { names } }: Field): string =>
  names === undefined ? what : `${what}: ${names.join(', ')}`;

/** One value of a field of a case. */
export function field<K extends Key>(key: K, usual: string, rest?: Rest): Option<Flat[K]> {
  const of = fieldOf(key);
  return one(of.kind, `--${key} <value>`, describe(of), { usual, ...rest });
}

/** Several values of a field of a case, which a campaign goes through. */
export function axis<K extends Key>(key: K, usual: string, rest?: Rest): Option<readonly Flat[K][]> {
  const of = fieldOf(key);
  return list(of.kind, `--${key} <list>`, describe(of), { usual, ...rest });
}

/** The seed of a case. */
export const seed = (usual: string, rest?: Rest): Option<number> => ({
  ...field('seed', usual, rest),
  flag: '--seed <n>',
});
