import { mapNumbers } from '../base/numbers.ts';
import type { Real } from '../matrix/dense.ts';
import { fromHalfBits, halfBits } from '../matrix/half-bits.ts';
import { GUARD, POISON, TRAP } from './guard-words.ts';
import { badKernel } from './messages.ts';
import type { Precision } from './precision.ts';

/** How the entries of A, B and C lie in words of 32 bits. */
export interface Entries {
  readonly name: 'f32' | 'f16';
  /** Bytes of an entry. */
  readonly bytes: 4 | 2;
  /** What an entry of C holds before anything is written: a NaN of a payload that no arithmetic produces. */
  readonly poison: number;
  /** What words around C hold. */
  readonly guard: number;
  /** What words around A and B hold: NaN in every entry, see {@link TRAP}. */
  readonly trap: number;
  /** The entries in some words, as bits. */
  bits(words: Uint32Array): Uint32Array | Uint16Array;
  /** Writes a matrix's entries into words. */
  store(from: Real, words: Uint32Array): void;
  /** The first so many entries that lie in words. */
  load(words: Uint32Array, count: number): Float32Array;
}

const POISON16 = 0x7ead;
const GUARD16 = 0x7eef;
const TRAP16 = 0x7ecd;

const table: Readonly<Record<Entries['name'], Entries>> = {
  f32: {
    name: 'f32',
    bytes: 4,
    poison: POISON,
    guard: GUARD,
    trap: TRAP,
    bits: (words) => words,
    store: (from, words) => numbersIn(words).set(from),
    load: (words, count) => numbersIn(words).slice(0, count),
  },
  f16: {
    name: 'f16',
    bytes: 2,
    poison: POISON16,
    guard: GUARD16 * 0x10001,
    trap: TRAP16 * 0x10001,
    bits: halvesIn,
    store(from, words) {
      const halves = halvesIn(words);
      for (let e = 0; e < from.length; e++) halves[e] = halfBits(from[e]);
    },
    load: (words, count) => new Float32Array(mapNumbers(halvesIn(words).subarray(0, count), fromHalfBits)),
  },
};

function numbersIn({ buffer, byteOffset, length }: Uint32Array): Float32Array {
  return new Float32Array(buffer, byteOffset, length);
}

function halvesIn({ buffer, byteOffset, length }: Uint32Array): Uint16Array {
  return new Uint16Array(buffer, byteOffset, 2 * length);
}

/**
 * How a kernel's entries are stored on the device.
 * @throws ParanoiaError `bad-kernel` for a precision that no entries of 32 bits hold, or entries that are not its precision's.
 */
export function entriesOf(
  kernel: string,
  { name: precision, a, b, d }: Precision,
  asked?: Entries['name'],
): Entries {
  const refuse = (why: string) => badKernel({ kernel: `"${kernel}"`, why });
  const stored = [a, b, d];
  if (stored.some(({ bytes }) => bytes > 4)) {
    throw refuse(
      `on the device entries have at most 32 bits, which do not hold ${precision}; make it a function with multiply`,
    );
  }
  const fits = stored.every(({ native }) => native === 'f16');
  const name = asked ?? (fits ? 'f16' : 'f32');
  const found = Object.hasOwn(table, name) ? table[name] : undefined;
  if (found === undefined) throw refuse(`its entries are "${name}", but must be "f32" or "f16"`);
  if (name === 'f16' && !fits) {
    throw refuse(`entries in f16 cannot hold the A, B and C of ${precision}, which are no f16`);
  }
  return found;
}
