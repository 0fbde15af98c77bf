import { sha256, sha256OfBytes } from '../base/sha256.ts';
import type { Matrix, RealArray } from '../matrix/dense.ts';
import type { CaseResult } from './case-result.ts';
import type { Evidence } from './evidence.ts';

/** Hexadecimal digits of a digest: 128 bits. */
const DIGITS = 32;

/** Entries that are hashed at once: Web Crypto takes at most 2 GiB, and a part is copied. */
const PART = 2 ** 23;

/** The bytes of the one NaN that stands for all, by the bytes of an entry. */
const NAN_BYTES: Readonly<Record<number, Uint8Array>> = {
  4: new Uint8Array(Uint32Array.of(0x7fc00000).buffer),
  8: new Uint8Array(Uint32Array.of(0, 0x7ff80000).buffer),
};

/** Returns the digests of a product as the kernel returned it, all products of a batch, and of its operands as the judge made them. */
export async function digestBits({
  outcomes: [{ c: d }],
  operands: { a, b, c },
}: Pick<Evidence, 'outcomes' | 'operands'>): Promise<{ bits: NonNullable<CaseResult['bits']> }> {
  const [product, operands] = await Promise.all([
    digestOf([d]),
    digestOf(c === undefined ? [a, b] : [a, b, c]),
  ]);
  return { bits: { d: product, operands } };
}

/** Returns the SHA-256 of the entries, or of the digests of their parts if there are several, cut to {@link DIGITS}. */
async function digestOf(matrices: readonly Matrix[]): Promise<string> {
  const digests: string[] = [];
  for (const { data } of matrices)
    for (let at = 0; at < data.length; at += PART)
      digests.push(await sha256OfBytes(bytesOf(data.subarray(at, at + PART))));
  return (digests.length === 1 ? digests[0] : await sha256(digests.join())).slice(0, DIGITS);
}

/** Copies the bit patterns of entries; every NaN gets the same. */
function bytesOf(data: RealArray): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(data.byteLength);
  bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  const width = data.BYTES_PER_ELEMENT;
  for (let e = 0; e < data.length; e++) if (Number.isNaN(data[e])) bytes.set(NAN_BYTES[width], e * width);
  return bytes;
}
