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
