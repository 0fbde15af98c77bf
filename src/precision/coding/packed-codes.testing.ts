import { badLayout } from '../messages.ts';

/** Packs patterns into bytes: patterns of 4 bits two to a byte, the first one low; others in one byte or two. */
export function packCodes(patterns: ArrayLike<number>, bits: number): Uint8Array {
  const { length } = patterns;
  const bytes = new Uint8Array(packedBytes(length, bits));
  for (let at = 0; at < length; at++) {
    const pattern = patterns[at];
    if (bits === 4) bytes[at >> 1] |= pattern << (4 * (at & 1));
    else if (bits <= 8) bytes[at] = pattern;
    else for (let byte = 0; byte < bits / 8; byte++) bytes[(at * bits) / 8 + byte] = pattern >>> (8 * byte);
  }
  return bytes;
}

/** Returns the bytes that `count` patterns take. */
export const packedBytes = (count: number, bits: number): number =>
  bits === 4 ? Math.ceil(count / 2) : count * Math.ceil(bits / 8);

/**
 * Unpacks the bytes of {@link packCodes}.
 * @throws ParanoiaError `bad-layout` if the number of bytes is wrong.
 */
export function unpackCodes(bytes: Uint8Array, count: number, bits: number): Uint32Array {
  const need = packedBytes(count, bits);
  if (bytes.length !== need) {
    throw badLayout({ what: `${count} patterns of ${bits} bits`, need, unit: 'bytes', found: bytes.length });
  }
  const patterns = new Uint32Array(count);
  for (let at = 0; at < count; at++) {
    if (bits === 4) patterns[at] = (bytes[at >> 1] >> (4 * (at & 1))) & 15;
    else if (bits <= 8) patterns[at] = bytes[at];
    else
      for (let byte = 0; byte < bits / 8; byte++) patterns[at] |= bytes[(at * bits) / 8 + byte] << (8 * byte);
  }
  return patterns;
}
