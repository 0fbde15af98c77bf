import { totalmem } from 'node:os';
import type { ResourceLimits } from './sandbox.ts';

const GIB = 2 ** 30;

/** Returns the default limits of untrusted processes. */
export const defaultLimits = (): ResourceLimits => ({
  memoryBytes: Math.min(8 * GIB, Math.floor(totalmem() / 2)),
  processes: 256,
  fileBytes: GIB,
});

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Formats bytes: `4.1 GiB`. */
export function bytesText(bytes: number): string {
  const unit = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  return `${Number((bytes / 2 ** (10 * unit)).toPrecision(3))} ${UNITS[unit]}`;
}
