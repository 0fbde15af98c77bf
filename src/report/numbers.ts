import type { z } from 'zod';
import { fromReal, type real } from '../gate/results.ts';

/** A number as it is in the results; absent where nothing was measured. */
export type Measured = z.infer<typeof real> | undefined;

/** A number in three digits, for a table; a dash where nothing was measured. */
export function short(value: Measured): string {
  if (value === undefined) return '–';
  const x = fromReal(value);
  if (Number.isNaN(x)) return 'NaN';
  if (!Number.isFinite(x)) return x > 0 ? '∞' : '-∞';
  const size = Math.abs(x);
  if (size !== 0 && (size < 1e-3 || size >= 1e5)) return x.toExponential(2);
  return size >= 100 ? String(Math.round(x)) : String(Number(x.toPrecision(3)));
}

/** A number in the nine digits that tell two single-precision numbers apart. */
export function precise(value: z.infer<typeof real>): string {
  return typeof value === 'number' ? String(Number(value.toPrecision(9))) : value;
}

/** The worst of the numbers measured: NaN before any other, else the last in the given order. */
export function worst(values: readonly Measured[], most: 'largest' | 'smallest'): Measured {
  const found = values.filter((value) => value !== undefined).map(fromReal);
  if (found.length === 0) return undefined;
  // Reduced by hand: Math.max(...values) overflows the stack on long runs.
  const x = found.reduce((a, b) => (most === 'largest' ? Math.max(a, b) : Math.min(a, b)));
  return Number.isFinite(x) ? x : (String(x) as Measured);
}

/** A number of seconds as people say it: "41 s", "3 min 20 s". */
export function duration(seconds: number): string {
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

/** "1 case", "2 cases". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
