/** A table that any report can print. */
export interface Table {
  readonly title: string;
  readonly headings: readonly string[];
  /** One text a cell; from the column `numbers` on they are numbers. */
  readonly rows: readonly (readonly string[])[];
  readonly numbers: number;
  readonly note?: string;
}

/** A number with so many significant digits, without an exponent where it is handy. */
export function digits(value: number, count = 3): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 1e-3 || size >= 1e6) return value.toExponential(count - 1);
  return size >= 10 ** (count - 1) ? value.toFixed(0) : value.toPrecision(count);
}

/** Bits that one product shows fewer than another. */
export function lost(base: { readonly bits: number }, one: { readonly bits: number }): string {
  return ((Math.round(10 * (base.bits - one.bits)) || 0) / 10).toFixed(1);
}

/** A share as per cent, with a sign where it is negative: `12.3 %`. */
export function percentage(share: number): string {
  return `${((Math.round(1000 * share) || 0) / 10).toFixed(1)} %`;
}

/** A probability: what is below the resolution of its distribution is not called zero. */
export function probability(p: number): string {
  return p < 1e-12 ? '< 1e-12' : digits(p, 3);
}
