import type { Shape } from '../matrix/dense.ts';
import { type Field, fieldOf } from '../problem/fields.ts';
import { anyText, choiceKind, numberKind, type ValueSet } from '../problem/kinds.ts';
import type { FieldKey, FlatCase } from '../problem/problem.ts';
import type { NumberRange } from '../problem/ranges.ts';
import type { Option } from './option.ts';

/** Parts of a record beside its kind of value. */
type OptionExtras = Partial<Omit<Option, 'flag' | 'what' | 'held' | 'isList' | 'read'>>;
export type OptionWords = readonly [flag: string, what: string, rest?: OptionExtras];

/** Accepts any value in a config, whose schema says more. */
export const any = (need: string): ValueSet => ({ need, holds: () => true });

/** Returns an option of one value. */
export const oneValue = <T>(held: ValueSet, ...[flag, what, rest]: OptionWords): Option<T> => ({
  ...{ flag, what, held, isList: false },
  ...rest,
});

/** Defines an option of several values, separated by commas or repeated. */
export const listOfValues = <T>(held: ValueSet, ...told: OptionWords): Option<readonly T[]> => ({
  ...oneValue<readonly T[]>(held, ...told),
  isList: true,
});

/** Returns an option without a value. */
export const flag = (...told: OptionWords): Option<true> => oneValue(any('true'), ...told);
/** Defines an option that may have a value: true without one. */
export const optionalValue = (...told: OptionWords): Option<string | true> => oneValue(anyText, ...told);

export const text = (...told: OptionWords): Option<string> => oneValue(anyText, ...told);
export const texts = (...told: OptionWords): Option<readonly string[]> => listOfValues(anyText, ...told);

export const number = (range: NumberRange, ...told: OptionWords): Option<number> =>
  oneValue(numberKind(range), ...told);
export const numbers = (range: NumberRange, ...told: OptionWords): Option<readonly number[]> =>
  listOfValues(numberKind(range), ...told);

export const choice = <T extends string>(names: readonly T[], ...told: OptionWords): Option<T> =>
  oneValue(choiceKind(names), ...told);
export const choices = <T extends string>(names: readonly T[], ...told: OptionWords): Option<readonly T[]> =>
  listOfValues(choiceKind(names), ...told);

/** The kind of a size, which a command line writes as "64" or "129x65x33". */
export const SIZE = any('a whole number or [m, k, n]');
export const sizes = (...told: OptionWords): Option<readonly Size[]> => listOfValues(SIZE, ...told);

/** Returns the clause of a field of a case, with the names that it may be. */
const describe = ({ what, kind: { names } }: Field): string =>
  names === undefined ? what : `${what}: ${names.join(', ')}`;

/** Returns one value of a field of a case. */
export function field<K extends FieldKey>(key: K, usual: string, rest?: OptionExtras): Option<FlatCase[K]> {
  const of = fieldOf(key);
  return oneValue(of.kind, `--${key} <value>`, describe(of), { usual, ...rest });
}

/** Defines the option for several values of a field of a case, which a campaign goes through. */
export function axis<K extends FieldKey>(
  key: K,
  usual: string,
  rest?: OptionExtras,
): Option<readonly FlatCase[K][]> {
  const of = fieldOf(key);
  return listOfValues(of.kind, `--${key} <list>`, describe(of), { usual, ...rest });
}

/** Returns the seed of a case. */
export const seed = (usual: string, rest?: OptionExtras): Option<number> => ({
  ...field('seed', usual, rest),
  flag: '--seed <n>',
});

/** A size: n for n×n×n, or [m, k, n] for an m×k matrix times a k×n one. */
export type Size = number | readonly [m: number, k: number, n: number];

/** Returns the shape of a size. */
export function shapeOf(size: Size): Shape {
  const [m, k, n] = typeof size === 'number' ? [size, size, size] : size;
  return { m, k, n };
}
