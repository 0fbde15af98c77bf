/** A double as JSON can hold it. */
export type Real = number | 'Infinity' | '-Infinity' | 'NaN';

/** A double as JSON can hold it. */
export const toReal = (x: number): Real => (Number.isFinite(x) ? x : (String(x) as Real));

/** A value as JSON: numbers that JSON cannot hold are written as {@link Real}, never as null. */
export const realJson = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) => (typeof item === 'number' ? toReal(item) : item));

/** The double that a {@link Real} stands for. */
export const fromReal = (x: Real): number => Number(x);
