import { ParanoiaError } from '../base/errors.ts';
import { seeded } from '../base/random.ts';
import { computed } from './queue/computed.ts';
import type { Watched } from './queue/errors.ts';

/** What a shader says that multiplies four packed whole numbers by four at once. */
export const DOTS_ENABLES = 'requires packed_4x8_integer_dot_product;\n';

const WORKGROUP = 64;
const running = { kernel: 'the arithmetic probe', step: 'measuring packed products of whole numbers' };

const shader = `${DOTS_ENABLES}@group(0) @binding(0) var<storage, read> words: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<i32>;
@compute @workgroup_size(${WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  sums[id.x] = dot4I8Packed(words[2u * id.x], words[2u * id.x + 1u]);
}`;

/** Pairs of words of four whole numbers of 8 bits: the largest and smallest ones, then drawn ones. */
function cases(): Int8Array<ArrayBuffer> {
  const random = seeded(1);
  const ends = [-128, -128, -128, -128, -128, -128, -128, -128, 127, 127, 127, 127, -128, -128, -128, -128];
  return Int8Array.from({ length: 8 * 2 * WORKGROUP }, (_, at) => ends[at] ?? random.int(-128, 127));
}

/**
 * Measures whether `dot4I8Packed` is there and exact on a device.
 * @throws ParanoiaError what the device reports, but for a shader that it does not take.
 */
export async function hasPackedDots(open: Watched): Promise<boolean> {
  const numbers = cases();
  const count = numbers.length / 8;
  const input = new Uint32Array(numbers.buffer);
  try {
    const work = { shader, input, bytes: 4 * count, workgroups: count / WORKGROUP };
    const sums = new Int32Array(await computed(open, work, running));
    return sums.every((sum, at) => sum === dotOf(numbers.subarray(8 * at, 8 * at + 8)));
  } catch (error) {
    if (error instanceof ParanoiaError && error.code === 'bad-shader') return false;
    throw error;
  }
}

const dotOf = (pair: Int8Array): number =>
  pair.subarray(0, 4).reduce((sum, x, at) => sum + x * pair[4 + at], 0);
