import { afterAll, expect, test } from 'vitest';
import { createRandom } from '../../../base/random.ts';
import { openNodeDevice } from '../../node/open.ts';
import { runShader } from '../../queue/run-shader.ts';
import { times } from './coded-words.ts';

const open = await openNodeDevice({ adapter: 'software' });
afterAll(() => open.close());

const WORKGROUP = 64;
const NAN = 0x7fc00000;

const numbers = new Float32Array(2);
const words = new Uint32Array(numbers.buffer);

/** Returns the bits of the product of two patterns, rounded once: binary64 holds the exact product. */
function expected(a: number, b: number): number {
  words.set([a, b]);
  numbers[0] = numbers[0] * numbers[1];
  return Number.isNaN(numbers[0]) ? NAN : words[0];
}

/** Returns pairs of numbers, the first of which is normal and has 8 significant bits. */
function pairs(): Uint32Array<ArrayBuffer> {
  const random = createRandom(3);
  const few = () => ((random.bits() & 0x807f0000) | (random.int(1, 254) << 23)) >>> 0;
  const special = [
    0,
    0x80000000,
    0x7f800000,
    0xff800000,
    NAN,
    1,
    0x807fffff,
    0x00800000,
    0x7f7fffff,
    0x3f800000,
  ];
  const drawn = Array.from({ length: 6000 }, () => [few(), random.bits() >>> 0]);
  // Products near the smallest numbers, where subnormal results are rounded, ties among them.
  const small = Array.from({ length: 6000 }, () => {
    const exponent = random.int(1, 126);
    const tail = random.bits() & (random.int(0, 1) === 0 ? 0x7fffff : 0x7f0000);
    return [
      ((few() & 0x807fffff) | (exponent << 23)) >>> 0,
      ((127 - exponent + random.int(-1, 3)) << 23) | tail,
    ];
  });
  const ofSpecial = [0, 0x80000000, 0x7f800000, NAN, 0x3f800000, 0xc07f0000, 0x7f7f0000, 0x00800000].flatMap(
    (a) => special.map((b) => [a, b]),
  );
  const tiny = special.flatMap(() => Array.from({ length: 50 }, () => [few(), random.bits() & 0x807fffff]));
  return Uint32Array.from([...drawn, ...small, ...ofSpecial, ...tiny].flat());
}

test('products on the device are those of binary64 rounded once, subnormal numbers, infinities and NaN too', async () => {
  const input = pairs();
  const count = input.length / 2;
  const shader = `@group(0) @binding(0) var<storage, read> words: array<u32>;
@group(0) @binding(1) var<storage, read_write> found: array<u32>;
${times.declaration}
@compute @workgroup_size(${WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < ${count}u) { found[id.x] = times(words[2u * id.x], words[2u * id.x + 1u]); }
}`;
  const workgroups = Math.ceil(count / WORKGROUP);
  const running = { kernel: 'codes', step: 'multiplying' };
  const found = new Uint32Array(
    await runShader(open, { shader, input, bytes: 4 * count, workgroups }, running),
  );
  const wrong = Array.from(found).flatMap((got, at) => {
    const [a, b] = [input[2 * at], input[2 * at + 1]];
    return got === expected(a, b) ? [] : [[a, b, got, expected(a, b)].map((word) => word.toString(16))];
  });
  expect(wrong.slice(0, 5)).toEqual([]);
  expect(found.filter((word) => word % 2 ** 31 > 0 && word % 2 ** 31 < 2 ** 23).length).toBeGreaterThan(1000);
});
