import { badNumber } from './messages.ts';

/**
 * A seeded random stream that is the same in every JavaScript engine: xoshiro128** 1.1 of Blackman and Vigna ("Scrambled linear
 * pseudorandom number generators", 2021), whose 128 bits of state come from their splitmix64. It uses only + − × and shifts, never
 * `Math.log` or `Math.cos`, whose last bit differs between engines.
 */
export class Random {
  #s0: number;
  #s1: number;
  #s2: number;
  #s3: number;
  readonly #fine: boolean;

  /** Starts from four 32-bit words of state, not all zero. {@link createRandom} starts from a seed. */
  constructor(state: readonly [number, number, number, number], grain: Grain = 'coarse') {
    this.#fine = grain === 'fine';
    [this.#s0, this.#s1, this.#s2, this.#s3] = state;
  }

  /** Returns the next 32 random bits, as an unsigned integer. */
  bits(): number {
    const times5 = Math.imul(this.#s1, 5);
    const result = Math.imul((times5 << 7) | (times5 >>> 25), 9) >>> 0;
    const t = this.#s1 << 9;
    this.#s2 ^= this.#s0;
    this.#s3 ^= this.#s1;
    this.#s1 ^= this.#s2;
    this.#s0 ^= this.#s3;
    this.#s2 ^= t;
    this.#s3 = (this.#s3 << 11) | (this.#s3 >>> 21);
    return result;
  }

  /** Returns a uniform multiple of 2^-24 in [0, 1): a binary32 number. A fine stream returns multiples of 2^-53. */
  uniform01(): number {
    if (this.#fine) return ((this.bits() >>> 5) * 2 ** 26 + (this.bits() >>> 6)) * 2 ** -53;
    return (this.bits() >>> 8) * 2 ** -24;
  }

  /**
   * Returns low + (high − low)·{@link uniform01}, in double: one of 2^24 equally spaced values of [low, high). Rounded to binary32 it may
   * reach `high`. On [−1, 1] it is exact there, a multiple of 2^-23.
   */
  uniform(low: number, high: number): number {
    return low + (high - low) * this.uniform01();
  }

  /**
   * Returns a whole number from low to high, both included, with equal probabilities.
   * @throws ParanoiaError `bad-number` unless both are whole, low ≤ high, and there are at most 2^32 of them.
   */
  int(low: number, high: number): number {
    const count = high - low + 1;
    if (!Number.isSafeInteger(low) || !Number.isSafeInteger(high) || count < 1 || count > 2 ** 32) {
      throw badNumber({
        what: 'The range of a random integer',
        given: `${low}…${high}`,
        need: 'two whole numbers in ascending order, at most 2^32 apart',
      });
    }
    const accepted = 2 ** 32 - (2 ** 32 % count);
    let drawn = this.bits();
    while (drawn >= accepted) drawn = this.bits();
    return low + (drawn % count);
  }

  /** Returns −1 or +1. */
  sign(): number {
    return this.bits() >>> 31 === 0 ? 1 : -1;
  }

  /**
   * Returns a nearly normal number of mean 0 and variance 1, within [−6, 6]: twelve uniforms less six (Irwin–Hall). Its tails are lighter
   * than the normal's beyond about 3. In exchange it is exact, and so the same in every engine.
   */
  normal(): number {
    let sum = -6;
    for (let t = 0; t < 12; t++) sum += this.uniform01();
    return sum + 6 * (this.#fine ? 2 ** -53 : 2 ** -24);
  }

  /** Returns the whole numbers 0 … count − 1 in random order (Fisher and Yates). */
  permutation(count: number): Uint32Array {
    const order = new Uint32Array(count).map((_, at) => at);
    for (let last = count - 1; last > 0; last--) {
      const at = this.int(0, last);
      [order[last], order[at]] = [order[at], order[last]];
    }
    return order;
  }
}

/** Returns a random item of a list, with equal probabilities. */
export const pickRandom = <T>(random: Random, all: readonly T[]): T => all[random.int(0, all.length - 1)];

/** The spacing of uniform random numbers: for binary32, or for binary64. */
export type Grain = 'coarse' | 'fine';

/** Returns the first `count` outputs of splitmix64 from a 64-bit seed. */
export function splitmix64(seed: bigint, count: number): bigint[] {
  let state = BigInt.asUintN(64, seed);
  return Array.from({ length: count }, () => {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
    let z = state;
    z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return z ^ (z >> 31n);
  });
}

/**
 * Returns the generator of a seed. The streams of one seed are independent, so A does not change when only B's size does.
 * @throws ParanoiaError `bad-number` unless the seed is a safe whole number.
 */
export function createRandom(seed: number, stream = 0, grain: Grain = 'coarse'): Random {
  if (!Number.isSafeInteger(seed)) {
    throw badNumber({ what: 'The seed', given: seed, need: 'a whole number below 2^53' });
  }
  const [own] = splitmix64(BigInt(seed), 1);
  const [first, second] = splitmix64(own + BigInt(stream) * 0xd1b54a32d192ed03n, 2);
  const words = [first, second].flatMap((word) => [Number(word & 0xffffffffn), Number(word >> 32n)]);
  return new Random([words[0] | 0, words[1] | 0, words[2] | 0, words[3] | 0], grain);
}
