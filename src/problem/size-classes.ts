import type { Random } from '../base/random.ts';
import { isPrime } from './sizes.ts';

/** Sizes of one dimension among which kernels are likely to take one path. */
export interface SizeClass {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  /** Which sizes between them belong to it. @defaultValue all */
  readonly has?: (size: number) => boolean;
}

/** Every size up to 32768 is in one of them, some in several. */
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

export const belongs = (size: number, { least, most, has = () => true }: SizeClass): boolean =>
  size >= least && size <= most && has(size);

/** What a size is to be beside of a class. */
interface Wanted {
  /** At most, where the class goes beyond. */
  readonly most?: number;
  /** Congruent to it, where the class has such a size. */
  readonly is?: number;
  readonly modulus?: number;
}

/** A size of a class, of all binades alike; of residues there are fewer than so many. */
export function drawSize(own: SizeClass, random: Random, { most, is, modulus = 1 }: Wanted = {}): number {
  const least = Math.max(1, own.least);
  const last = Math.max(least, Math.min(own.most, most ?? own.most));
  const around = Math.floor(Math.exp(random.uniform(Math.log(least), Math.log(last + 1))));
  const fits = (size: number, isAny: boolean) =>
    size >= least && size <= last && (isAny || size % modulus === is) && belongs(size, own);
  for (const isAny of is === undefined ? [true] : [false, true]) {
    for (let away = 0; away <= last - least; away++) {
      if (fits(around - away, isAny)) return around - away;
      if (fits(around + away, isAny)) return around + away;
    }
  }
  return least;
}
