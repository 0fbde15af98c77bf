import type { CodedMatrix } from '../../matrix/operands.ts';
import { f16 } from '../format.ts';
import { codings } from './codings.ts';

/** Some bits of a number: those of a byte from `shift` on. */
type Bits = readonly [byte: number, shift: number, count: number];

/** The places of the numbers of a superblock of 256 entries in ggml-common.h, each from its low bits up. */
interface SuperblockLayout {
  readonly bytes: number;
  /** The place of the factor in binary16, and of that of minima. */
  readonly step: number;
  readonly lowerStep?: number;
  /** The number that is subtracted from the bits of elements, and of scales. */
  readonly bias: readonly [element: number, scale: number];
  element(e: number): readonly Bits[];
  scale(block: number): readonly Bits[];
  minimum?(block: number): readonly Bits[];
}

const ENTRIES = 256;

/** Scales and minima of 6 bits: those of the first four blocks whole, the others in two pieces. */
const sixBits = {
  scale: (b: number): readonly Bits[] =>
    b < 4
      ? [[4 + b, 0, 6]]
      : [
          [8 + b, 0, 4],
          [b, 6, 2],
        ],
  minimum: (b: number): readonly Bits[] =>
    b < 4
      ? [[8 + b, 0, 6]]
      : [
          [8 + b, 4, 4],
          [4 + b, 6, 2],
        ],
};

/** Two entries 32 apart share a byte. */
const nibble = (e: number, from: number): Bits => [from + 32 * (e >> 6) + (e & 31), 4 * ((e >> 5) & 1), 4];
/** Four entries 32 apart share a byte, in each half of the superblock. */
const pair = (e: number, from: number): Bits => [from + 32 * (e >> 7) + (e & 31), 2 * ((e >> 5) & 3), 2];

const layouts: Readonly<Record<string, SuperblockLayout>> = {
  q2_K: {
    ...{ bytes: 84, step: 80, lowerStep: 82, bias: [0, 0] },
    element: (e) => [pair(e, 16)],
    scale: (b) => [[b, 0, 4]],
    minimum: (b) => [[b, 4, 4]],
  },
  q3_K: {
    ...{ bytes: 110, step: 108, bias: [4, 32] },
    element: (e) => [pair(e, 32), [e & 31, e >> 5, 1]],
    scale: (b) => [
      [96 + (b & 7), b < 8 ? 0 : 4, 4],
      [104 + (b & 3), 2 * (b >> 2), 2],
    ],
  },
  q4_K: {
    ...{ bytes: 144, step: 0, lowerStep: 2, bias: [0, 0] },
    ...sixBits,
    element: (e) => [nibble(e, 16)],
  },
  q5_K: {
    ...{ bytes: 176, step: 0, lowerStep: 2, bias: [0, 0] },
    ...sixBits,
    element: (e) => [nibble(e, 48), [16 + (e & 31), e >> 5, 1]],
  },
  q6_K: {
    ...{ bytes: 210, step: 208, bias: [32, 0] },
    element: (e) => [[64 * (e >> 7) + (e & 63), 4 * ((e >> 6) & 1), 4], pair(e, 128)],
    scale: (b) => [[192 + b, 0, 8]],
  },
};

export const superblockNames = Object.keys(layouts);
export const superblockBytes = (name: string): number => layouts[name].bytes;

const read = (memory: Uint8Array, pieces: readonly Bits[]): number => {
  let [value, at] = [0, 0];
  for (const [byte, shift, count] of pieces) {
    value |= ((memory[byte] >> shift) & (2 ** count - 1)) << at;
    at += count;
  }
  return value;
};

function write(memory: Uint8Array, pieces: readonly Bits[], value: number): void {
  let at = 0;
  for (const [byte, shift, count] of pieces) {
    memory[byte] |= ((value >> at) & (2 ** count - 1)) << shift;
    at += count;
  }
}

const half = (memory: Uint8Array, at: number): number => f16.code.decode(memory[at] | (memory[at + 1] << 8));

/** Returns the codes of one column of B that is one superblock. */
export function fromSuperblock(memory: Uint8Array, name: string): CodedMatrix {
  const { element, scale, minimum, step, lowerStep = 0, bias } = layouts[name];
  const [{ entries, format }] = codings.find(name).coded.b!.scales;
  const blocks = ENTRIES / entries;
  const list = (length: number, of: (at: number) => number) => ({
    ...{ rows: 1, cols: length },
    data: Float32Array.from({ length }, (_, at) => of(at)),
  });
  // Whole scales of 8 bits are two's complement; those of 6 bits have a bias.
  const signed = (pattern: number) => (format.name === 'int8' && pattern > 127 ? pattern - 256 : pattern);
  const elements = list(ENTRIES, (e) => read(memory, element(e)) - bias[0]);
  const scales = list(blocks, (b) => signed(read(memory, scale(b))) - bias[1]);
  const all =
    minimum === undefined
      ? [scales, list(1, () => half(memory, step))]
      : [
          scales,
          list(blocks, (b) => read(memory, minimum(b))),
          list(1, () => half(memory, step)),
          list(1, () => half(memory, lowerStep)),
        ];
  return { elements: { ...elements, rows: ENTRIES, cols: 1 }, scales: all };
}

/** Returns the bytes of one column of B that is one superblock. */
export function toSuperblock({ elements, scales }: CodedMatrix, name: string): Uint8Array {
  const { bytes, element, scale, minimum, step, lowerStep = 0, bias } = layouts[name];
  const memory = new Uint8Array(bytes);
  const writeHalf = (at: number, x: number) => {
    const pattern = f16.code.encode(x);
    [memory[at], memory[at + 1]] = [pattern & 255, pattern >> 8];
  };
  for (let e = 0; e < ENTRIES; e++) write(memory, element(e), elements.data[e] + bias[0]);
  scales[0].data.forEach((x, b) => {
    write(memory, scale(b), (x + bias[1]) & 255);
  });
  if (minimum !== undefined)
    scales[1].data.forEach((x, b) => {
      write(memory, minimum(b), x);
    });
  writeHalf(step, scales[minimum === undefined ? 1 : 2].data[0]);
  if (minimum !== undefined) writeHalf(lowerStep, scales[3].data[0]);
  return memory;
}
