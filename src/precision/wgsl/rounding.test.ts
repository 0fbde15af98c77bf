import { afterAll, expect, test } from 'vitest';
import { inShort } from '../../base/in-short.testing.ts';
import { createRandom } from '../../base/random.ts';
import { openNodeDevice } from '../../gpu/node/open.ts';
import { compileShader, readMapped, withScopes } from '../../gpu/queue/errors.ts';
import { bf16, binaryFormat, type Format, f16, tf32 } from '../format.ts';
import { type RoundingFunction, roundingFunction } from './rounding.ts';

const open = await openNodeDevice({ adapter: 'software' });
afterAll(() => open.close());

const WORKGROUP = 64;
const running = { kernel: 'rounding', step: 'rounding many numbers' };

/** Rounds binary32 patterns on the device, one or four at a time. */
async function onDevice(
  { name, declaration }: RoundingFunction,
  patterns: Uint32Array<ArrayBuffer>,
  four: boolean,
): Promise<Uint32Array> {
  const [float, word, function_] = four ? ['vec4<f32>', 'vec4<u32>', `${name}4`] : ['f32', 'u32', name];
  const shader = `${declaration}
@group(0) @binding(0) var<storage, read_write> words: array<${word}>;
@compute @workgroup_size(${WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= arrayLength(&words)) { return; }
  words[id.x] = bitcast<${word}>(${function_}(bitcast<${float}>(words[id.x])));
}`;
  const { device } = open;
  const module = await compileShader(open, shader, running);
  const { STORAGE, COPY_DST, COPY_SRC, MAP_READ } = GPUBufferUsage;
  const size = patterns.byteLength;
  const staging = await withScopes(open, running, async () => {
    const pipeline = await device.createComputePipelineAsync({ layout: 'auto', compute: { module } });
    const buffer = device.createBuffer({ size, usage: STORAGE | COPY_DST | COPY_SRC });
    const staging = device.createBuffer({ size, usage: MAP_READ | COPY_DST });
    device.queue.writeBuffer(buffer, 0, patterns);
    const layout = pipeline.getBindGroupLayout(0);
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, device.createBindGroup({ layout, entries: [{ binding: 0, resource: { buffer } }] }));
    pass.dispatchWorkgroups(Math.ceil(patterns.length / (four ? 4 : 1) / WORKGROUP));
    pass.end();
    encoder.copyBufferToBuffer(buffer, 0, staging, 0, size);
    device.queue.submit([encoder.finish()]);
    return staging;
  });
  return new Uint32Array(await readMapped(open, staging, running));
}

/**
 * Returns patterns of binary32: for every sign and exponent and all leading bits of the significand, ties between neighbors and numbers
 * next to them; and random ones.
 */
function patternsFor({ precision }: Format): Uint32Array<ArrayBuffer> {
  const random = createRandom(5);
  const dropped = 24 - precision;
  const all: number[] = [];
  for (let top = 0; top < 2 ** 16; top++) {
    const kept = ((top << 16) | (random.bits() & 0xffff)) & ~(2 ** dropped - 1);
    const tie = kept | (1 << (dropped - 1));
    all.push(kept >>> 0, tie >>> 0, (tie - 1) >>> 0, (tie + 1) >>> 0);
  }
  // binary16 drops more bits of its subnormal numbers, so their ties differ; its largest number is at 142
  for (const exponent of [...Array.from({ length: 18 }, (_, at) => 96 + at), 142, 143]) {
    for (let at = 0; at < 2048; at++) {
      const bits = (exponent << 23) | (at << 12);
      all.push(bits, (bits | 0x80000000) >>> 0, bits + 1, Math.max(bits, 1) - 1);
    }
  }
  for (let at = 0; at < 2 ** 16; at++) all.push(random.bits());
  return Uint32Array.from(all);
}

test.each(
  inShort(
    [
      ['binary16', f16],
      ['bfloat16', bf16],
      ['TensorFloat-32', tf32],
      ['7 significand and 4 exponent bits', binaryFormat('tiny', 7, -6)],
      ['E5M2', binaryFormat('e5m2', 3, -14)],
    ] as const,
    4,
  ),
)('the device rounds to %s as the model does, one and four at a time', async (_, format) => {
  const rounding = roundingFunction('roundIt', format);
  const patterns = patternsFor(format);
  const numbers = new Float32Array(patterns.buffer);
  const expected = numbers.map(format.round);
  const bits = new Uint32Array(expected.buffer);
  for (const four of [false, true]) {
    const found = await onDevice(rounding, patterns, four);
    const rounded = new Float32Array(found.buffer);
    const wrong = bits.findIndex((word, at) =>
      Number.isNaN(expected[at]) ? !Number.isNaN(rounded[at]) : word !== found[at],
    );
    if (wrong >= 0) {
      const [from, to] = [patterns[wrong], found[wrong]].map((word) => word.toString(16));
      expect.fail(`0x${from} (${numbers[wrong]}) becomes 0x${to}, not ${expected[wrong]}`);
    }
  }
});
