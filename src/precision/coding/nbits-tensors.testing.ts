import type { CodedMatrix } from '../../matrix/operands.ts';
import { badLayout } from '../messages.ts';
import { packCodes, packedBytes, unpackCodes } from './packed-codes.testing.ts';

/** The tensors of B (k×n) that ONNX Runtime's MatMulNBits takes, all column by column of B. */
export interface NBitsTensors {
  /** n × ⌈k / block⌉ × (block · bits / 8); patterns of 4 bits lie two to a byte, the first one low. */
  readonly b: Uint8Array;
  /** n × ⌈k / block⌉. */
  readonly scales: Float32Array;
  /** n × ⌈⌈k / block⌉ · bits / 8⌉: each column begins a byte. */
  readonly zeros: Uint8Array;
}

/** The width of patterns, and the entries along k that share a factor: a multiple of 16. */
export interface NBits {
  readonly bits: 4 | 8;
  readonly block: number;
}

/** Returns the tensors of coded weights. A shorter last block is padded with zeros (onnxruntime, ContribOperators.md). */
export function toNBits(
  { elements, scales: [scales], zeros }: CodedMatrix,
  { bits, block }: NBits,
): NBitsTensors {
  const { rows: k, cols: n, data } = elements;
  const blocks = Math.ceil(k / block);
  const columns = Array.from({ length: n }, (_, column) =>
    packCodes(
      Array.from({ length: blocks * block }, (_, at) => (at < k ? data[at * n + column] : 0)),
      bits,
    ),
  );
  const points = Array.from({ length: n }, (_, column) =>
    packCodes(
      Array.from({ length: blocks }, (_, at) => zeros?.data[column * blocks + at] ?? 0),
      bits,
    ),
  );
  return { b: joined(columns), scales: Float32Array.from(scales.data), zeros: joined(points) };
}

/**
 * Decodes the tensors of {@link toNBits} to B of k×n.
 * @throws ParanoiaError `bad-layout` for a tensor of another length.
 */
export function fromNBits(tensors: NBitsTensors, k: number, n: number, { bits, block }: NBits): CodedMatrix {
  const blocks = Math.ceil(k / block);
  const [ofColumn, ofPoints] = [packedBytes(blocks * block, bits), packedBytes(blocks, bits)];
  requireLengths(tensors, { b: n * ofColumn, scales: n * blocks, zeros: n * ofPoints });
  const elements = { rows: k, cols: n, data: new Float32Array(k * n) };
  const zeros = { rows: n, cols: blocks, data: new Float32Array(n * blocks) };
  for (let column = 0; column < n; column++) {
    const patterns = unpackCodes(part(tensors.b, column, ofColumn), blocks * block, bits);
    for (let at = 0; at < k; at++) elements.data[at * n + column] = patterns[at];
    zeros.data.set(unpackCodes(part(tensors.zeros, column, ofPoints), blocks, bits), column * blocks);
  }
  return { elements, scales: [{ rows: n, cols: blocks, data: tensors.scales.slice() }], zeros };
}

const part = (bytes: Uint8Array, at: number, size: number): Uint8Array =>
  bytes.subarray(at * size, (at + 1) * size);

function requireLengths(tensors: NBitsTensors, needs: Readonly<Record<keyof NBitsTensors, number>>): void {
  for (const name of ['b', 'scales', 'zeros'] as const) {
    const [found, need] = [tensors[name].length, needs[name]];
    if (found !== need)
      throw badLayout({
        what: `the ${name} of MatMulNBits`,
        need,
        unit: name === 'scales' ? 'numbers' : 'bytes',
        found,
      });
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const one of parts) {
    all.set(one, at);
    at += one.length;
  }
  return all;
}
