/** A double in a form that JSON can hold. */
export type JsonNumber = number | 'Infinity' | '-Infinity' | 'NaN';

/** Converts a double to a form that JSON can hold. */
export const toJsonNumber = (x: number): JsonNumber => (Number.isFinite(x) ? x : (String(x) as JsonNumber));

/** Formats a value as JSON. Numbers that JSON cannot hold are written as {@link JsonNumber}, never as null. */
export const formatJson = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) => (typeof item === 'number' ? toJsonNumber(item) : item));

/** Returns the double of a {@link JsonNumber}. */
export const fromJsonNumber = (x: JsonNumber): number => Number(x);
