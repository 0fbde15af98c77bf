import { afterAll, expect, test } from 'vitest';
import { openNodeDevice } from '../../gpu/node/open.ts';
import { runShader } from '../../gpu/queue/run-shader.ts';
import { packCodes, unpackCodes } from '../coding/packed-codes.testing.ts';
import { formats } from './formats.ts';
import { makeDecodeFunction, makeLoadFunction } from './wgsl.ts';
import { iq4nl } from './whole-formats.ts';

const open = await openNodeDevice({ adapter: 'software' });
afterAll(() => open.close());

const WORKGROUP = 64;
const small = [...formats.items, iq4nl].filter(({ code }) => code.bits <= 8);
const running = { kernel: 'formats', step: 'decoding' };

/** Runs a WGSL function for each format at `count` places and returns its results. */
async function onDevice(
  input: Uint32Array<ArrayBuffer>,
  count: number,
  functions: readonly string[],
  each: readonly string[],
): Promise<readonly Uint32Array[]> {
  const stores = each.map((expression, at) => `  found[${at * count}u + id.x] = ${expression};`).join('\n');
  const shader = `@group(0) @binding(0) var<storage, read> words: array<u32>;
@group(0) @binding(1) var<storage, read_write> found: array<u32>;
${functions.join('\n')}
@compute @workgroup_size(${WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= ${count}u) { return; }
${stores}
}`;
  const bytes = 4 * count * each.length;
  const answer = await runShader(
    open,
    { shader, input, bytes, workgroups: Math.ceil(count / WORKGROUP) },
    running,
  );
  return each.map((_, at) => new Uint32Array(answer, 4 * at * count, count));
}

const floats = new Float32Array(1);
const words = new Uint32Array(floats.buffer);
/** Returns the bits of a binary32 number; all NaN give the same bits. */
function bitsOf(x: number): number {
  floats[0] = x;
  return Number.isNaN(x) ? 0x7fc00000 : words[0];
}
function numberOf(bits: number): number {
  words[0] = bits;
  return floats[0];
}

test('the device decodes every pattern of every format, packed in words, as the code does', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
  const loads = small.map(({ name, code }) => makeLoadFunction(`load_${name}`, code.bits, 'words'));
  const decodes = small.map((format) => makeDecodeFunction(`decode_${format.name}`, format));
  const found = await onDevice(
    new Uint32Array(bytes.buffer),
    256,
    [...loads, ...decodes].map(({ declaration }) => declaration),
    small.map((_, at) => `bitcast<u32>(${decodes[at].name}(${loads[at].name}(id.x)))`),
  );
  for (const [at, { name, code }] of small.entries()) {
    const all = code.bits === 4 ? unpackCodes(bytes.subarray(0, 128), 256, 4) : bytes;
    const want = Array.from(all, (pattern) => bitsOf(code.decode(pattern & (2 ** code.bits - 1))));
    expect([name, Array.from(found[at], (bits) => bitsOf(numberOf(bits)))]).toEqual([name, want]);
  }
});

test('patterns of 4 bits lie in words as in bytes', () => {
  expect(new Uint32Array(packCodes([1, 2, 3, 4, 5, 6, 7, 8], 4).buffer)[0]).toBe(0x87654321);
});
