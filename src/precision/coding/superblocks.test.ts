import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../base/random.ts';
import type { CodedMatrix } from '../../matrix/operands.ts';
import { codings } from './codings.ts';
import { decodeValid, requireCoded } from './decode-coded.ts';
import {
  fromSuperblock,
  superblockBytes,
  superblockNames,
  toSuperblock,
} from './ggml-superblocks.testing.ts';

const fixture = JSON.parse(
  readFileSync(new URL('../../../fixtures/formats/superblocks.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, Readonly<Record<'bytes' | 'numbers', string>>>>;

const bytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'base64'));
const coding = (name: string) => codings.find(name).coded.b!;
const decoded = (coded: CodedMatrix, name: string) => [...decodeValid(coded, 'b', coding(name)).data];
const random = createRandom(44);

/** binary16 by its fields. */
function half(memory: Uint8Array, at: number): number {
  const word = memory[at] + 256 * memory[at + 1];
  const [sign, exponent, fraction] = [word >= 32768 ? -1 : 1, Math.floor(word / 1024) % 32, word % 1024];
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}

/**
 * The numbers of a superblock as ggml-quants.c walks them: pointers into the memory that advance by chunks, with masks that shift. Nothing
 * of the table of places is used.
 */
const walks: Readonly<Record<string, (memory: Uint8Array) => number[]>> = {
  q2_K(m) {
    const out: number[] = [];
    let block = 0;
    for (let q = 16; q < 80; q += 32) {
      for (let shift = 0; shift < 8; shift += 2) {
        for (const from of [0, 16]) {
          const scale = m[block++];
          const [d, low] = [half(m, 80) * (scale % 16), half(m, 82) * Math.floor(scale / 16)];
          for (let l = 0; l < 16; l++) out.push(d * (Math.floor(m[q + from + l] / 2 ** shift) % 4) - low);
        }
      }
    }
    return out;
  },
  q3_K(m) {
    // Three words of 32 bits hold the scales: nibbles of 16, and pairs of bits in the third.
    const scales = Array.from({ length: 16 }, (_, b) => {
      const low = b < 8 ? m[96 + b] % 16 : Math.floor(m[96 + b - 8] / 16);
      return low + 16 * (Math.floor(m[104 + (b % 4)] / 4 ** Math.floor(b / 4)) % 4) - 32;
    });
    const out: number[] = [];
    let [block, mask] = [0, 1];
    for (let q = 32; q < 96; q += 32) {
      for (let shift = 0; shift < 8; shift += 2) {
        for (const from of [0, 16]) {
          const d = half(m, 108) * scales[block++];
          for (let l = from; l < from + 16; l++)
            out.push(d * ((Math.floor(m[q + l] / 2 ** shift) % 4) - (m[l] & mask ? 0 : 4)));
        }
        mask *= 2;
      }
    }
    return out;
  },
  q4_K: (m) => fourBits(m, 16, () => 0),
  q5_K: (m) => fourBits(m, 48, (l, mask) => (m[16 + l] & mask ? 16 : 0)),
  q6_K(m) {
    const out = new Array<number>(256);
    for (let half2 = 0; half2 < 2; half2++) {
      const [ql, qh, sc, y] = [64 * half2, 128 + 32 * half2, 192 + 8 * half2, 128 * half2];
      for (let l = 0; l < 32; l++) {
        const high = m[qh + l];
        const q = [
          (m[ql + l] & 15) + 16 * (high & 3),
          (m[ql + l + 32] & 15) + 16 * ((high >> 2) & 3),
          (m[ql + l] >> 4) + 16 * ((high >> 4) & 3),
          (m[ql + l + 32] >> 4) + 16 * (high >> 6),
        ];
        for (let t = 0; t < 4; t++) {
          const scale = m[sc + 2 * t + (l >> 4)];
          out[y + 32 * t + l] = half(m, 208) * (scale - (scale > 127 ? 256 : 0)) * (q[t] - 32);
        }
      }
    }
    return out;
  },
};

/** q4_K, and q5_K with a fifth bit. */
function fourBits(m: Uint8Array, from: number, fifth: (l: number, mask: number) => number): number[] {
  const scales = m.subarray(4, 16);
  const pairOf = (j: number): [number, number] =>
    j < 4
      ? [scales[j] & 63, scales[j + 4] & 63]
      : [(scales[j + 4] & 15) | ((scales[j - 4] >> 6) << 4), (scales[j + 4] >> 4) | ((scales[j] >> 6) << 4)];
  const out: number[] = [];
  let [block, mask] = [0, 1];
  for (let q = from; q < from + 128; q += 32) {
    for (const shift of [0, 4]) {
      const [scale, low] = pairOf(block++);
      for (let l = 0; l < 32; l++)
        out.push(half(m, 0) * scale * (((m[q + l] >> shift) & 15) + fifth(l, mask)) - half(m, 2) * low);
      mask *= 2;
    }
  }
  return out;
}

/** Bytes whose factors are finite. */
function drawn(name: string): Uint8Array {
  const memory = Uint8Array.from({ length: superblockBytes(name) }, () => random.int(0, 255));
  for (const at of { q2_K: [81, 83], q3_K: [109], q6_K: [209] }[name] ?? [1, 3]) memory[at] &= 0xbb;
  return memory;
}

const isSame = (x: readonly number[], y: readonly number[]) => x.every((one, e) => one === y[e]);
const plain = (numbers: readonly number[]) => numbers.map((x) => x + 0);

describe.each(superblockNames)('%s', (name) => {
  test('ggml decodes superblocks as we do', () => {
    const [memory, numbers] = [
      bytes(fixture[name].bytes),
      new Float32Array(bytes(fixture[name].numbers).buffer),
    ];
    const size = superblockBytes(name);
    expect(memory.length % size).toBe(0);
    for (let at = 0; at < memory.length / size; at++) {
      const coded = fromSuperblock(memory.subarray(at * size, (at + 1) * size), name);
      requireCoded(coded, 'b', coding(name));
      const found = decoded(coded, name).map((x) => Math.fround(x) + 0);
      expect(found).toEqual(plain([...numbers.subarray(at * 256, (at + 1) * 256)]));
    }
  });

  test('each bit of a superblock is where ggml-quants.c reads it', () => {
    const [base, wrong]: [Uint8Array, number[]] = [drawn(name), []];
    for (let bit = 0; bit < 8 * base.length; bit++) {
      const memory = base.slice();
      memory[bit >> 3] ^= 1 << (bit & 7);
      // A factor that becomes infinite or NaN is refused.
      if (!walks[name](memory).every((x) => Math.abs(x) < 1e9)) continue;
      if (!isSame(decoded(fromSuperblock(memory, name), name), walks[name](memory))) wrong.push(bit);
    }
    expect(wrong).toEqual([]);
  });

  test('every scale with every element and minimum gives the number of the formula', () => {
    const { element, scales } = coding(name);
    const patterns = (bits: number) => Array.from({ length: 2 ** bits }, (_, pattern) => pattern);
    const [scale, minimum] = scales;
    const wrong: [number, number][] = [];
    for (const [at, pattern] of patterns(scale.format.code!.bits).entries()) {
      const coded = fromSuperblock(drawn(name), name);
      coded.scales[0].data.fill(scale.format.code!.decode(pattern));
      const count = 2 ** element.code.bits;
      coded.elements.data.forEach((_, e) => {
        coded.elements.data[e] = element.code.decode(e % count);
      });
      const lower = minimum.subtracted === true ? patterns(minimum.format.code!.bits) : [0];
      for (const low of lower) {
        if (minimum.subtracted === true) coded.scales[1].data.fill((low + at) % lower.length);
        const memory = toSuperblock(coded, name);
        const [back, numbers] = [fromSuperblock(memory, name), walks[name](memory)];
        if (!isSame(decoded(coded, name), numbers) || !isSame(decoded(back, name), numbers))
          wrong.push([pattern, low]);
      }
    }
    expect(wrong).toEqual([]);
  });
});
