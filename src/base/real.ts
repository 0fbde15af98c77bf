/** A double as JSON can hold it. */
export type Real = number | 'Infinity' | '-Infinity' | 'NaN';

/** A double as JSON can hold it. */
export const toReal = (x: number): Real => (Number.isFinite(x) ? x : (String(x) as Real));

/** The double that a {@link Real} stands for. */
export const fromReal = (x: Real): number => Number(x);
