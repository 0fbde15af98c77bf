/** Returns a generator of uniform numbers in [0, 1) from a 32-bit seed: Weyl sequence and a multiplicative mix (mulberry32). */
export function createUniform(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) * 2 ** -32;
  };
}

/** Returns one random index from each of `parts` equal ranges of 0 … size − 1; at least 1 and at most `size` indices. */
export function pickOneOfEach(size: number, parts: number, next: () => number): number[] {
  const count = Math.min(Math.max(parts, 1), size);
  return Array.from({ length: count }, (_, s) => {
    const begin = Math.floor((s * size) / count);
    const end = Math.floor(((s + 1) * size) / count);
    return begin + Math.floor(next() * (end - begin));
  });
}
