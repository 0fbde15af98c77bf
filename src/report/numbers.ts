import { fromReal, type Real } from '../base/real.ts';

/** A number of the results; absent where nothing was measured. */
export type Measured = Real | undefined;

/** Writes a value without digits; undefined for all other values. */
function special(value: Measured): string | undefined {
  if (value === undefined) return '–';
  const x = fromReal(value);
  if (Number.isNaN(x)) return 'NaN';
  if (!Number.isFinite(x)) return x > 0 ? '∞' : '-∞';
  return x === 0 ? '0' : undefined;
}

/** Writes a number in so many significant digits, without an exponent if it is short; a dash where nothing was measured. */
export function short(value: Measured, digits = 3): string {
  const said = special(value);
  if (said !== undefined) return said;
  const x = fromReal(value as Real);
  const size = Math.abs(x);
  if (size < 1e-3 || size >= 1e5) return x.toExponential(digits - 1);
  return size >= 10 ** (digits - 1) ? String(Math.round(x)) : String(Number(x.toPrecision(digits)));
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Writes a size for people: three digits, two from a thousand on, and from ten thousand on the nearest power of ten. */
export function magnitude(value: Measured): string {
  const x = value === undefined ? Number.NaN : fromReal(value);
  const size = Math.abs(x);
  if (!(size >= 999.5 && size < Number.POSITIVE_INFINITY)) return short(value);
  const rounded = Number(x.toPrecision(2));
  if (Math.abs(rounded) < 1e4) return String(rounded);
  const power = String(Math.round(Math.log10(size)));
  return `${x < 0 ? '-' : ''}10${[...power].map((digit) => SUPERSCRIPTS[Number(digit)]).join('')}`;
}

/** Writes a factor in words: "1.84 times", "10⁷ times". */
export const times = (factor: number): string =>
  `${Number.isFinite(factor) ? magnitude(factor) : 'infinitely many'} times`;

/** Writes a number in at most so many significant digits and as few characters as possible. */
export function compact(value: Measured, digits: number): string {
  const said = special(value);
  if (said !== undefined) return said;
  const x = Number(fromReal(value as Real).toPrecision(digits));
  const [plain, scientific] = [String(x), x.toExponential().replace('e+', 'e')];
  return scientific.length < plain.length ? scientific : plain;
}

/** Writes a number in scientific notation of one width, for a column that is read from top to bottom. */
export function exponent(value: Measured, digits = 3): string {
  return special(value) ?? fromReal(value as Real).toExponential(digits - 1);
}

/** Writes a share in percent with one decimal, "12.3 %"; a share of ten and more as {@link times} does: "10⁵ times". */
export function percent(share: Measured): string {
  if (share === undefined) return '–';
  const hundredths = 100 * fromReal(share);
  if (!Number.isFinite(hundredths)) return `${short(hundredths)} %`;
  if (hundredths >= 1000) return times(hundredths / 100);
  return `${((Math.round(10 * hundredths) || 0) / 10).toFixed(1)} %`;
}

/** Writes a probability. A value below the resolution of its distribution is not written as zero. */
export function probability(p: number): string {
  return p < 1e-12 ? '< 1e-12' : short(p);
}

/** Writes a number in the nine digits that distinguish two single-precision numbers. */
export function precise(value: Real): string {
  return typeof value === 'number' ? String(Number(value.toPrecision(9))) : value;
}

/** Returns the worst of the measured numbers: NaN before any other, else the last in the given order. */
export function worst(values: readonly Measured[], most: 'largest' | 'smallest'): Measured {
  const found = values.filter((value) => value !== undefined).map(fromReal);
  if (found.length === 0) return undefined;
  // A loop is used, since Math.max(...values) overflows the stack on long runs.
  const x = found.reduce((a, b) => (most === 'largest' ? Math.max(a, b) : Math.min(a, b)));
  return Number.isFinite(x) ? x : (String(x) as Measured);
}

/** Writes a duration for people: "1.2 ms", "41 s", "3 min 20 s". */
export function duration(seconds: number): string {
  if (seconds > 0 && seconds < 0.1) {
    const [unit, size] = seconds < 1e-4 ? (['µs', 1e6] as const) : (['ms', 1e3] as const);
    return `${short(size * seconds)} ${unit}`;
  }
  if (seconds < 10) return `${Number(seconds.toFixed(1))} s`;
  const whole = Math.round(seconds);
  const parts: [number, string][] = [
    [Math.floor(whole / 3600), 'h'],
    [Math.floor((whole % 3600) / 60), 'min'],
    [whole % 60, 's'],
  ];
  const said = parts.filter(([count]) => count > 0).slice(0, 2);
  return said.map(([count, unit]) => `${count} ${unit}`).join(' ');
}

/** Writes a count with its noun: "1 case", "2 cases". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Writes a count among all: "3 of 20 cases", "The one case". */
export const ofAll = (count: number, all: number, noun: string): string =>
  all === 1 ? `The one ${noun}` : `${count} of ${all} ${noun}s`;

/** Makes a verb agree with its subject: one case fails, two fail. */
export const agreed = (count: number, verb: string): string => (count === 1 ? `${verb}s` : verb);
