const SIGN = 0x80000000;

/** Fills triples a, b, c of doubles, given as words: low, high, low, high… */
export type FillTriples = (words: Uint32Array) => void;

/**
 * Returns all pairs of a table of edge numbers, each with a third number: one of the table, or one that nearly cancels the pair's
 * product or sum.
 */
export function directedTriples(): Float64Array<ArrayBuffer> {
  const table = edgeNumbers();
  const triples = new Float64Array(3 * table.length ** 2);
  let at = 0;
  for (const [i, a] of table.entries()) {
    for (const [j, b] of table.entries()) {
      triples.set([a, b, third(a, b, (i + j) % 3, table[(7 * i + 13 * j) % table.length])], at);
      at += 3;
    }
  }
  return triples;
}

/** Returns a number that cancels the product or the sum of a and b, exactly or nearly; otherwise `instead`. */
function third(a: number, b: number, which: number, instead: number): number {
  const result = which === 0 ? -(a * b) : a + b;
  if (which === 2 || Number.isNaN(result)) return instead;
  if (!Number.isFinite(result)) return Math.sign(result) * Number.MAX_VALUE;
  return instead > 0 ? result : result * (1 + 2 ** -52);
}

/** Returns powers of two and their neighbors at thresholds, ties of sums and of products, and the exceptions. */
function edgeNumbers(): readonly number[] {
  const ulp = 2 ** -52;
  const numbers = new Set<number>();
  for (const e of [
    -1074, -1073, -1050, -1023, -1022, -1021, -970, -538, -537, -512, -511, 511, 512, 970, 1022,
  ]) {
    for (const f of [1, 1 + ulp, 2 - ulp]) numbers.add(f * 2 ** e);
  }
  for (let e = -61; e <= 61; e += Math.abs(e) < 56 && Math.abs(e) > 4 && Math.abs(e - 27) > 2 ? 5 : 1) {
    for (const f of [1, 1 + ulp, 1 - ulp / 2]) numbers.add(f * 2 ** e);
  }
  for (const f of [1.5, 1.5 + ulp, 1.5 - ulp, 1.25, 1 + 2 ** -26, 1 + 2 ** -27, 1 - 2 ** -26, 1 - 2 ** -27]) {
    for (const e of [-1022, -53, -1, 0, 1, 52, 1023]) numbers.add(f * 2 ** e);
  }
  for (const n of [
    3,
    5,
    7,
    2 ** 26 + 1,
    2 ** 27 - 1,
    2 ** 27 + 1,
    2 ** 53 - 1,
    2 ** 32 - 1,
    2 ** 32 + 1,
    0.1,
  ]) {
    numbers.add(n).add(n * 2 ** -1074);
  }
  numbers
    .add(Number.MAX_VALUE)
    .add(Number.MAX_VALUE * (1 - ulp))
    .add(2 ** 1023)
    .add(Infinity)
    .add(0);
  return [...[...numbers].flatMap((x) => [x, -x]), Number.NaN];
}

/** Returns a source of random triples, different ones each time. It alternates between several kinds, so that rare cases come often. */
export function randomTriples(seed: number): FillTriples {
  const next = xorshift(seed);
  const one = new Float64Array(1);
  const oneWords = new Uint32Array(one.buffer);
  return (words) => {
    for (let at = 0; at < words.length; at += 6) {
      for (let w = 0; w < 6; w++) words[at + w] = next();
      const kind = next();
      const spread = (kind >>> 8) & 0x7f;
      const exponent = (number: number, e: number): void => {
        const high = at + 2 * number + 1;
        words[high] = (words[high] & 0x800fffff) | (Math.min(Math.max(e, 0), 2046) << 20);
      };
      const sparse = (number: number): void => {
        const shift = words[at + 2 * number] & 63;
        words[at + 2 * number] = shift < 32 ? words[at + 2 * number] & (-1 << shift) : 0;
        if (shift >= 32) words[at + 2 * number + 1] &= -1 << (shift & 15);
      };
      const ea = (kind >>> 16) & 0x7ff;
      switch (kind & 7) {
        case 0: // uniform bits
          break;
        case 1: // all three of like size
          for (let number = 0; number < 3; number++) exponent(number, 1020 + (words[at + 2 * number] & 7));
          break;
        case 2: // a and b within a shift of each other, c within a shift of the product
          exponent(0, 300 + (ea >> 1));
          exponent(1, 300 + (ea >> 1) + spread - 64);
          exponent(2, 2 * (300 + (ea >> 1)) + spread - 64 - 1023 + (words[at] & 127) - 64);
          break;
        case 3: // products around the smallest numbers
          exponent(0, ea);
          exponent(1, 1023 - ea + spread - 70);
          exponent(2, spread >> 1);
          break;
        case 4: // products and sums around the largest numbers
          exponent(0, ea | 0x400);
          exponent(1, 3069 - (ea | 0x400) + (spread & 7) - 4);
          exponent(2, 2046 - (spread >> 4));
          break;
        case 5: // the same numbers with short significands: ties
          sparse(0);
          sparse(1);
          sparse(2);
          exponent(0, 1023 + (spread & 7));
          exponent(1, 1023 + (spread >> 3));
          exponent(2, 1023 + (spread & 63));
          break;
        case 6: // a sum that cancels, but for a few bits
          exponent(0, 512 + (ea >> 1));
          exponent(1, 1023 + (spread & 3));
          one[0] = asDouble(words, at) * asDouble(words, at + 2);
          words[at + 4] = oneWords[0] ^ (spread & 8 ? words[at + 4] >>> (words[at + 5] & 31) : spread & 3);
          words[at + 5] = oneWords[1] ^ SIGN;
          break;
        default: // subnormal numbers, and zeros
          exponent(kind & 8 ? 0 : 2, 0);
          if (spread < 16) words.fill(0, at, at + 2);
          if (spread < 8) words[at + 1] = kind & 0x80000000;
          exponent(1, (kind & 16 ? 1023 : 0) + (spread >> 1));
      }
    }
  };

  function asDouble(words: Uint32Array, at: number): number {
    oneWords[0] = words[at];
    oneWords[1] = words[at + 1];
    return one[0];
  }
}

/** Returns Marsaglia's xorshift with 128 bits of state. */
function xorshift(seed: number): () => number {
  let [x, y, z, w] = [seed | 0, 362436069, 521288629, 88675123];
  return () => {
    const t = x ^ (x << 11);
    x = y;
    y = z;
    z = w;
    w = w ^ (w >>> 19) ^ t ^ (t >>> 8);
    return w >>> 0;
  };
}
