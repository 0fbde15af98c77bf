import type { Random } from '../base/random.ts';
import { isPrime } from './sizes.ts';

/** Sizes of one dimension for which kernels are likely to take one code path. */
export interface SizeClass {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  /** Returns true if a size in the range belongs to the class. @defaultValue all do */
  readonly has?: (size: number) => boolean;
}

/** The classes of sizes. Every size up to 32768 is in at least one. */
export const sizeClasses: readonly SizeClass[] = [
  { name: '0', least: 0, most: 0 },
  { name: '1', least: 1, most: 1 },
  { name: '2–8', least: 2, most: 8 },
  // Sides of tiles, from registers to caches, are multiples of 16.
  {
    name: '9–257, beside a multiple of 16',
    least: 15,
    most: 257,
    has: (size) => [0, 1, 15].includes(size % 16),
  },
  { name: 'a prime, 11–251', least: 11, most: 251, has: isPrime },
  // Sides of the tiles of a whole workgroup.
  { name: '128–1024, a multiple of 128', least: 128, most: 1024, has: (size) => size % 128 === 0 },
  { name: '9–256', least: 9, most: 256 },
  { name: '257–600', least: 257, most: 600 },
  { name: '601–4096', least: 601, most: 4096 },
  { name: '4097–32768', least: 4097, most: 32768 },
];

export const belongsToClass = (size: number, { least, most, has = () => true }: SizeClass): boolean =>
  size >= least && size <= most && has(size);

/** Requirements on a size besides its class. */
interface Wanted {
  /** Upper limit, where the class goes beyond. */
  readonly most?: number;
  /** Residue, where the class has such a size. */
  readonly is?: number;
  readonly modulus?: number;
}

/** Draws a size of a class log-uniformly. Limits and residues hold where the class has such a size. */
export function drawSize(own: SizeClass, random: Random, { most, is, modulus = 1 }: Wanted = {}): number {
  const least = Math.max(1, own.least);
  const last = Math.max(least, Math.min(own.most, most ?? own.most));
  const around = Math.floor(Math.exp(random.uniform(Math.log(least), Math.log(last + 1))));
  const fits = (size: number, isAny: boolean) =>
    size >= least && size <= last && (isAny || size % modulus === is) && belongsToClass(size, own);
  for (const isAny of is === undefined ? [true] : [false, true]) {
    for (let away = 0; away <= last - least; away++) {
      if (fits(around - away, isAny)) return around - away;
      if (fits(around + away, isAny)) return around + away;
    }
  }
  return least;
}
