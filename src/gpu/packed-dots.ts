import { ParanoiaError } from '../base/errors.ts';
import { createRandom } from '../base/random.ts';
import type { ErrorSource } from './queue/errors.ts';
import { runShader } from './queue/run-shader.ts';

/** The WGSL directive for shaders that use the packed dot product of four 8-bit integers. */
export const DOTS_ENABLES = 'requires packed_4x8_integer_dot_product;\n';

const WORKGROUP = 64;
const running = { kernel: 'the arithmetic probe', step: 'measuring packed products of whole numbers' };

const shader = `${DOTS_ENABLES}@group(0) @binding(0) var<storage, read> words: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<i32>;
@compute @workgroup_size(${WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  sums[id.x] = dot4I8Packed(words[2u * id.x], words[2u * id.x + 1u]);
}`;

/** Returns pairs of words of four 8-bit integers: the largest and smallest ones, then random ones. */
function cases(): Int8Array<ArrayBuffer> {
  const random = createRandom(1);
  const ends = [-128, -128, -128, -128, -128, -128, -128, -128, 127, 127, 127, 127, -128, -128, -128, -128];
  return Int8Array.from({ length: 8 * 2 * WORKGROUP }, (_, at) => ends[at] ?? random.int(-128, 127));
}

/**
 * Measures whether a device has `dot4I8Packed`, and computes it exactly.
 * @throws ParanoiaError as the device reports, except for a shader that it refuses.
 */
export async function hasPackedDots(open: ErrorSource): Promise<boolean> {
  const numbers = cases();
  const count = numbers.length / 8;
  const input = new Uint32Array(numbers.buffer);
  try {
    const work = { shader, input, bytes: 4 * count, workgroups: count / WORKGROUP };
    const sums = new Int32Array(await runShader(open, work, running));
    return sums.every((sum, at) => sum === dotOf(numbers.subarray(8 * at, 8 * at + 8)));
  } catch (error) {
    if (error instanceof ParanoiaError && error.code === 'bad-shader') return false;
    throw error;
  }
}

const dotOf = (pair: Int8Array): number =>
  pair.subarray(0, 4).reduce((sum, x, at) => sum + x * pair[4 + at], 0);
