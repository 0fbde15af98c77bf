import type { CodedMatrix } from '../../matrix/operands.ts';
import { f16 } from '../format.ts';
import { e2m1, e8m0 } from '../formats/floats.ts';
import { int8, iq4nl } from '../formats/whole-formats.ts';
import { badLayout } from '../messages.ts';
import type { Code } from './code.ts';
import { packCodes, unpackCodes } from './packed-codes.testing.ts';

/** The entries of one block along k, which lie in one column of B. */
const ENTRIES = 32;

/** A block of weights in llama.cpp's memory, of its ggml-common.h. */
interface GgmlBlock {
  readonly name: 'q4_0' | 'q8_0' | 'mxfp4-weights' | 'iq4_nl';
  /** The factor with which a block begins. */
  readonly factor: Code;
  /** The bytes of the elements, without the factor. */
  readonly bytes: number;
  pack(elements: ArrayLike<number>): Uint8Array;
  unpack(bytes: Uint8Array): ArrayLike<number>;
}

/** Patterns of four bits. The first half of a block is in the low four bits of its bytes, the second half in the high ones. */
const nibbles = (
  encode: (x: number) => number,
  decode: (pattern: number) => number,
): Pick<GgmlBlock, 'bytes' | 'pack' | 'unpack'> => ({
  bytes: ENTRIES / 2,
  pack: (elements) =>
    packCodes(
      Array.from({ length: ENTRIES }, (_, at) => encode(elements[besides(at)])),
      4,
    ),
  unpack(bytes) {
    const elements = new Float32Array(ENTRIES);
    unpackCodes(bytes, ENTRIES, 4).forEach((pattern, at) => {
      elements[besides(at)] = decode(pattern);
    });
    return elements;
  },
});

/** −8…7 as 0…15. */
const q4: GgmlBlock = {
  name: 'q4_0',
  factor: f16.code,
  ...nibbles(
    (x) => x + 8,
    (pattern) => pattern - 8,
  ),
};

const mxfp4: GgmlBlock = {
  name: 'mxfp4-weights',
  factor: e8m0.code,
  ...nibbles(e2m1.code.encode, e2m1.code.decode),
};

const iq4: GgmlBlock = {
  name: 'iq4_nl',
  factor: f16.code,
  ...nibbles(iq4nl.code.encode, iq4nl.code.decode),
};

/** Returns the index of element number `at` in the order in which elements share bytes. */
const besides = (at: number): number => (at % 2) * (ENTRIES / 2) + (at >> 1);

const q8: GgmlBlock = {
  name: 'q8_0',
  factor: f16.code,
  bytes: ENTRIES,
  pack: (elements) => Uint8Array.from(elements, (x) => int8.code.encode(x)),
  unpack: (bytes) => Float32Array.from(bytes, (pattern) => int8.code.decode(pattern)),
};

const blocks: Readonly<Record<GgmlBlock['name'], GgmlBlock>> = {
  q4_0: q4,
  q8_0: q8,
  'mxfp4-weights': mxfp4,
  iq4_nl: iq4,
};

/**
 * Returns the bytes of B in llama.cpp's memory, column by column of B, as its rows of weights.
 * @param coded in the coding of this name; B is k×n.
 * @throws ParanoiaError `bad-layout` if 32 does not divide k.
 */
export function toGgml({ elements, scales: [scales] }: CodedMatrix, name: GgmlBlock['name']): Uint8Array {
  const { rows: k, cols: n, data } = elements;
  const { factor, bytes, pack } = blocks[name];
  const perColumn = blocksIn(k, name);
  const first = factor.bits / 8;
  const size = first + bytes;
  const out = new Uint8Array(n * perColumn * size);
  for (let block = 0; block < n * perColumn; block++) {
    const [column, from] = [Math.floor(block / perColumn), (block % perColumn) * ENTRIES];
    out.set(packCodes([factor.encode(scales.data[block])], factor.bits), block * size);
    const own = Array.from({ length: ENTRIES }, (_, at) => data[(from + at) * n + column]);
    out.set(pack(own), block * size + first);
  }
  return out;
}

/**
 * Decodes the bytes of {@link toGgml} to B of k×n.
 * @throws ParanoiaError `bad-layout` if 32 does not divide k, or the number of bytes is wrong.
 */
export function fromGgml(memory: Uint8Array, k: number, n: number, name: GgmlBlock['name']): CodedMatrix {
  const { factor, bytes, unpack } = blocks[name];
  const perColumn = blocksIn(k, name);
  const first = factor.bits / 8;
  const size = first + bytes;
  const need = n * perColumn * size;
  if (memory.length !== need)
    throw badLayout({ what: `${k}×${n} entries of ${name}`, need, unit: 'bytes', found: memory.length });
  const elements = { rows: k, cols: n, data: new Float32Array(k * n) };
  const scales = { rows: n, cols: perColumn, data: new Float32Array(n * perColumn) };
  for (let block = 0; block < n * perColumn; block++) {
    const [column, from] = [Math.floor(block / perColumn), (block % perColumn) * ENTRIES];
    const own = memory.subarray(block * size, (block + 1) * size);
    scales.data[block] = factor.decode(unpackCodes(own.subarray(0, first), 1, factor.bits)[0]);
    const found = unpack(own.subarray(first));
    for (let at = 0; at < ENTRIES; at++) elements.data[(from + at) * n + column] = found[at];
  }
  return { elements, scales: [scales] };
}

function blocksIn(k: number, layout: string): number {
  const blocks = Math.ceil(k / ENTRIES);
  const need = blocks * ENTRIES;
  if (k !== need)
    throw badLayout({ what: `whole blocks of ${layout}`, need, unit: 'entries along k', found: k });
  return blocks;
}
