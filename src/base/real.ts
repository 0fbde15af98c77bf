/** A double in a form that JSON can hold. */
export type Real = number | 'Infinity' | '-Infinity' | 'NaN';

/** Converts a double to a form that JSON can hold. */
export const toReal = (x: number): Real => (Number.isFinite(x) ? x : (String(x) as Real));

/** Formats a value as JSON. Numbers that JSON cannot hold are written as {@link Real}, never as null. */
export const realJson = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) => (typeof item === 'number' ? toReal(item) : item));

/** Returns the double of a {@link Real}. */
export const fromReal = (x: Real): number => Number(x);
