import type { Random } from '../base/random.ts';

/** Returns sizes at which faults are likely to show: small ones, primes, powers of two and multiples of tiles, each ±1. */
export function listTellingSizes(most: number, tiles: readonly number[]): number[] {
  const around = [...powersOfTwo(most), ...tiles.flatMap((tile) => multiples(tile, most))];
  const all = [1, 2, 3, ...primes(most), ...around.flatMap((size) => [size - 1, size, size + 1])];
  return [...new Set(all)].filter((size) => size >= 1 && size <= most).sort((x, y) => x - y);
}

/** Number of multiples of a tile with new edges. */
const FEW = 3;

function multiples(tile: number, most: number): number[] {
  return Array.from({ length: FEW }, (_, at) => tile * (at + 1)).filter((size) => size <= most + 1);
}

function powersOfTwo(most: number): number[] {
  const powers: number[] = [];
  for (let power = 1; power <= most + 1; power *= 2) powers.push(power);
  return powers;
}

export const isPowerOfTwo = (size: number): boolean => size > 0 && (size & (size - 1)) === 0;

export function isPrime(size: number): boolean {
  for (let factor = 2; factor * factor <= size; factor++) if (size % factor === 0) return false;
  return size >= 2;
}

/** Returns primes up to a size; of large ones only a few, about as many as powers of two. */
function primes(most: number): number[] {
  const all: number[] = [];
  for (let size = 2; size <= most; size = size < 64 ? size + 1 : Math.ceil(size * 1.25)) {
    let prime = size;
    while (!isPrime(prime)) prime++;
    if (prime <= most) all.push(prime);
  }
  return all;
}

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
