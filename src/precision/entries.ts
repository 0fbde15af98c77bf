import { mapNumbers } from '../base/numbers.ts';
import type { RealArray } from '../matrix/dense.ts';
import { fromHalfBits, halfBits } from '../matrix/half-bits.ts';
import type { Format } from './format.ts';
import { badKernel } from './messages.ts';
import type { Precision } from './precision.ts';

/**
 * The initial value of each word of C and the workspace: a quiet NaN that no arithmetic produces, as a binary32 number and as the upper
 * half of a binary64 one.
 */
export const POISON = 0x7ff8dead;
/** The words around C and the workspace: a NaN too. */
export const GUARD = 0x7ff8beef;
/**
 * The words around A and B: a NaN, so that a sum that reads it shows it. It differs from the guards around C, since a NaN that is read
 * keeps its payload when it is written.
 */
export const TRAP = 0x7ff8cdcd;

/** The storage of entries: as numbers, or A and B as the bit patterns of their elements, one to a byte. */
export type StorageName = 'f32' | 'f16' | 'codes';

/** The storage of the entries of A, B and C in words of 32 bits. */
interface EntryStorage {
  readonly name: StorageName;
  /** The bytes of an entry. */
  readonly bytes: 4 | 2 | 1;
  /** The initial value of an entry of C: a NaN with a payload that no arithmetic produces. */
  readonly poison: number;
  /** The words around C. */
  readonly guard: number;
  /** The words around A and B: NaN in every entry, see {@link TRAP}. */
  readonly trap: number;
  /** Returns the bits of the entries in words. */
  bits(words: Uint32Array): Uint32Array | Uint16Array | Uint8Array;
  /** Writes a matrix's entries into words. */
  store(from: RealArray, words: Uint32Array): void;
  /** Reads the first `count` entries from words. */
  load(words: Uint32Array, count: number): Float32Array;
}

const POISON16 = 0x7ead;
const GUARD16 = 0x7eef;
const TRAP16 = 0x7ecd;

const table: Readonly<Record<Exclude<StorageName, 'codes'>, EntryStorage>> = {
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

/** Returns the storage of elements as patterns, one to a byte. Words around them hold a NaN of the format, if it has one. */
function codesOf({ name, maxFinite, code }: Format, kernel: string): EntryStorage {
  if (code === undefined || code.bits > 8) {
    const why = `its entries are "codes", but elements of ${name} have no codes of at most 8 bits`;
    throw badKernel({ kernel: `"${kernel}"`, why });
  }
  const patterns = Array.from({ length: 2 ** code.bits }, (_, pattern) => pattern);
  const trap = patterns.findLast((pattern) => Number.isNaN(code.decode(pattern))) ?? code.encode(maxFinite);
  const bytesIn = ({ buffer, byteOffset, byteLength }: Uint32Array) =>
    new Uint8Array(buffer, byteOffset, byteLength);
  return {
    ...{ name: 'codes', bytes: 1, poison: trap },
    ...{ guard: trap * 0x1010101, trap: trap * 0x1010101 },
    bits: bytesIn,
    store(from, words) {
      const bytes = bytesIn(words);
      for (let e = 0; e < from.length; e++) bytes[e] = code.encode(from[e]);
    },
    load: (words, count) => new Float32Array(mapNumbers(bytesIn(words).subarray(0, count), code.decode)),
  };
}

/** The storage of a kernel's matrices on the device. */
export interface MatrixStorage {
  readonly a: EntryStorage;
  readonly b: EntryStorage;
  /** C and D. */
  readonly c: EntryStorage;
}

/**
 * Returns the storage of a kernel's matrices on the device.
 * @throws ParanoiaError `bad-kernel` for a precision that no entries of 32 bits hold, or entries that do not fit its precision.
 */
export function storageOfMatrices(kernel: string, precision: Precision, asked?: StorageName): MatrixStorage {
  const numbers = storageOfEntries(kernel, precision, asked === 'codes' ? undefined : asked);
  if (asked !== 'codes') return { a: numbers, b: numbers, c: numbers };
  const { a, b } = precision.coded ?? {};
  return {
    a: codesOf(a?.element ?? precision.a, kernel),
    b: codesOf(b?.element ?? precision.b, kernel),
    c: numbers,
  };
}

/**
 * Returns the storage of a kernel's entries on the device.
 * @throws ParanoiaError `bad-kernel` for a precision that no entries of 32 bits hold, or entries that do not fit its precision.
 */
export function storageOfEntries(
  kernel: string,
  { name: precision, a, b, d, coded }: Precision,
  asked?: Exclude<StorageName, 'codes'>,
): EntryStorage {
  const refuse = (why: string) => badKernel({ kernel: `"${kernel}"`, why });
  const stored = [coded?.a?.element ?? a, coded?.b?.element ?? b, d];
  if (stored.some(({ bytes }) => bytes > 4)) {
    throw refuse(
      `entries on the device have at most 32 bits, too few for ${precision}. Make it a function with multiply`,
    );
  }
  const fits = stored.every(({ native }) => native === 'f16');
  const name = asked ?? (fits ? 'f16' : 'f32');
  const found = Object.hasOwn(table, name) ? table[name] : undefined;
  if (found === undefined) throw refuse(`its entries are "${name}", but must be "f32", "f16" or "codes"`);
  if (name === 'f16' && !fits) {
    throw refuse(`entries in f16 cannot hold the A, B and C of ${precision}, which are not f16`);
  }
  return found;
}
