import { fromJsonNumber, type JsonNumber } from '../base/numbers.ts';

/** A number of the results; absent where nothing was measured. */
export type MeasuredNumber = JsonNumber | undefined;

/** Writes a value without digits; undefined for all other values. */
function special(value: MeasuredNumber): string | undefined {
  if (value === undefined) return '–';
  const x = fromJsonNumber(value);
  if (Number.isNaN(x)) return 'NaN';
  if (!Number.isFinite(x)) return x > 0 ? '∞' : '-∞';
  return x === 0 ? '0' : undefined;
}

/** Writes a number in so many significant digits, without an exponent if it is short; a dash where nothing was measured. */
export function formatShort(value: MeasuredNumber, digits = 3): string {
  const said = special(value);
  if (said !== undefined) return said;
  const x = fromJsonNumber(value as JsonNumber);
  const size = Math.abs(x);
  if (size < 1e-3 || size >= 1e5) return x.toExponential(digits - 1);
  return size >= 10 ** (digits - 1) ? String(Math.round(x)) : String(Number(x.toPrecision(digits)));
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Writes a size for people: three digits, two from a thousand on, and from ten thousand on the nearest power of ten. */
export function formatMagnitude(value: MeasuredNumber): string {
  const x = value === undefined ? Number.NaN : fromJsonNumber(value);
  const size = Math.abs(x);
  if (!(size >= 999.5 && size < Number.POSITIVE_INFINITY)) return formatShort(value);
  const rounded = Number(x.toPrecision(2));
  if (Math.abs(rounded) < 1e4) return String(rounded);
  const power = String(Math.round(Math.log10(size)));
  return `${x < 0 ? '-' : ''}10${[...power].map((digit) => SUPERSCRIPTS[Number(digit)]).join('')}`;
}

/** Writes a factor in words: "1.84 times", "10⁷ times". */
export const formatTimes = (factor: number): string =>
  `${Number.isFinite(factor) ? formatMagnitude(factor) : 'infinitely many'} times`;

/** Writes a number in at most so many significant digits and as few characters as possible. */
export function formatCompact(value: MeasuredNumber, digits: number): string {
  const said = special(value);
  if (said !== undefined) return said;
  const x = Number(fromJsonNumber(value as JsonNumber).toPrecision(digits));
  const [plain, scientific] = [String(x), x.toExponential().replace('e+', 'e')];
  return scientific.length < plain.length ? scientific : plain;
}

/** Writes a number in scientific notation of one width, for a column that is read from top to bottom. */
export function formatExponent(value: MeasuredNumber, digits = 3): string {
  return special(value) ?? fromJsonNumber(value as JsonNumber).toExponential(digits - 1);
}

/** Writes a share in percent with one decimal, "12.3 %"; a share of ten and more as {@link formatTimes} does: "10⁵ times". */
export function formatPercent(share: MeasuredNumber): string {
  if (share === undefined) return '–';
  const hundredths = 100 * fromJsonNumber(share);
  if (!Number.isFinite(hundredths)) return `${formatShort(hundredths)} %`;
  if (hundredths >= 1000) return formatTimes(hundredths / 100);
  return `${((Math.round(10 * hundredths) || 0) / 10).toFixed(1)} %`;
}

/** Writes a probability. A value below the resolution of its distribution is not written as zero. */
export function formatProbability(p: number): string {
  return p < 1e-12 ? '< 1e-12' : formatShort(p);
}

/** Writes a number in the nine digits that distinguish two single-precision numbers. */
export function formatPrecise(value: JsonNumber): string {
  return typeof value === 'number' ? String(Number(value.toPrecision(9))) : value;
}

/** Returns the worst of the measured numbers: NaN before any other, else the last in the given order. */
export function worstNumber(values: readonly MeasuredNumber[], most: 'largest' | 'smallest'): MeasuredNumber {
  const found = values.filter((value) => value !== undefined).map(fromJsonNumber);
  if (found.length === 0) return undefined;
  // A loop is used, since Math.max(...values) overflows the stack on long runs.
  const x = found.reduce((a, b) => (most === 'largest' ? Math.max(a, b) : Math.min(a, b)));
  return Number.isFinite(x) ? x : (String(x) as MeasuredNumber);
}

/** Writes a duration for people: "1.2 ms", "41 s", "3 min 20 s". */
export function formatDuration(seconds: number): string {
  if (seconds > 0 && seconds < 0.1) {
    const [unit, size] = seconds < 1e-4 ? (['µs', 1e6] as const) : (['ms', 1e3] as const);
    return `${formatShort(size * seconds)} ${unit}`;
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
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Writes a count among all: "3 of 20 cases", "The one case". */
export const formatCountOfAll = (count: number, all: number, noun: string): string =>
  all === 1 ? `The one ${noun}` : `${count} of ${all} ${noun}s`;

/** Makes a verb agree with its subject: one case fails, two fail. */
export const inflectVerb = (count: number, verb: string): string => (count === 1 ? `${verb}s` : verb);
