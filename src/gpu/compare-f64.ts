import { binary64 } from '../precision/wgsl/f64.ts';
import { directedTriples, randomTriples } from '../precision/wgsl/f64-patterns.ts';
import type { Numeric } from '../precision/wgsl/numeric.ts';
import type { OpenDevice } from './device.ts';
import { runShader } from './queue/run-shader.ts';

export interface CompareOptions {
  /** The number of random triples after the directed ones. */
  readonly random: number;
  readonly seed: number;
  /** The arithmetic to compare. @defaultValue {@link binary64} */
  readonly numeric?: Numeric;
}

/** The result of comparing the device's binary64 with the JavaScript engine's. */
export interface Binary64Comparison {
  /** The number of results compared: four of each triple. */
  readonly compared: number;
  readonly mismatches: number;
  /** The first mismatch, in readable form. */
  readonly first: string | undefined;
}

type Open = Pick<OpenDevice, 'device' | 'lostReason'>;

const OPERATIONS = ['a + b', 'a + b - c', 'a * b', 'a * b + c'] as const;
const CHUNK = 2 ** 18;
const WORKGROUP = 64;
const running = { kernel: 'binary64', step: 'comparing its arithmetic' };

/**
 * Compares the device's emulated binary64 with the engine's own numbers, bit for bit, on directed and random triples a, b, c. Every NaN
 * must be the quiet NaN 0x7ff8000000000000.
 * @throws ParanoiaError bad-shader, gpu-error, out-of-gpu-memory or device-lost.
 */
export async function compareBinary64(
  open: Open,
  { random, seed, numeric = binary64 }: CompareOptions,
): Promise<Binary64Comparison> {
  const total = { compared: 0, mismatches: 0, first: undefined as string | undefined };
  const compare = async (triples: Float64Array<ArrayBuffer>): Promise<void> => {
    const found = judge(triples, await compute(open, numeric, triples));
    total.compared += found.compared;
    total.mismatches += found.mismatches;
    total.first ??= found.first;
  };
  const directed = directedTriples();
  for (let at = 0; at < directed.length; at += 3 * CHUNK) await compare(directed.slice(at, at + 3 * CHUNK));
  const fill = randomTriples(seed);
  for (let left = random; left > 0; left -= CHUNK) {
    const triples = new Float64Array(3 * Math.min(left, CHUNK));
    fill(new Uint32Array(triples.buffer));
    await compare(triples);
  }
  return total;
}

function judge(triples: Float64Array, results: Uint32Array): Binary64Comparison {
  const expected = new Float64Array((4 * triples.length) / 3);
  for (let i = 0, at = 0; i < triples.length; i += 3, at += 4) {
    const [a, b, c] = [triples[i], triples[i + 1], triples[i + 2]];
    const product = a * b;
    expected[at] = a + b;
    expected[at + 1] = a + b - c;
    expected[at + 2] = product;
    expected[at + 3] = product + c;
  }
  const words = new Uint32Array(expected.buffer);
  let mismatches = 0;
  let first: string | undefined;
  for (let i = 0; i < expected.length; i++) {
    const [low, high] = [results[2 * i], results[2 * i + 1]];
    const same = Number.isNaN(expected[i])
      ? low === 0 && high === 0x7ff80000
      : low === words[2 * i] && high === words[2 * i + 1];
    if (same) continue;
    mismatches++;
    first ??= describe(triples, i, `${hex(high)}${hex(low)}`, `${hex(words[2 * i + 1])}${hex(words[2 * i])}`);
  }
  return { compared: expected.length, mismatches, first };
}

function describe(triples: Float64Array, index: number, found: string, wanted: string): string {
  const at = 3 * (index >> 2);
  const [a, b, c] = triples.subarray(at, at + 3);
  return `${OPERATIONS[index & 3]} is 0x${found}, expected 0x${wanted}, for a = ${a}, b = ${b}, c = ${c}`;
}

const hex = (word: number): string => word.toString(16).padStart(8, '0');

/** Computes the four results of each triple, as words. */
async function compute(open: Open, numeric: Numeric, input: Float64Array<ArrayBuffer>): Promise<Uint32Array> {
  const count = input.length / 3;
  const workgroups = Math.ceil(count / WORKGROUP);
  const work = { shader: shader(numeric), input, bytes: 32 * count, workgroups };
  return new Uint32Array(await runShader(open, work, running));
}

/** A lone product is the product plus −0, which changes no bits. */
const shader = (numeric: Numeric): string => `${numeric.enables}
@group(0) @binding(0) var<storage, read_write> triples: array<${numeric.memory(1)}>;
@group(0) @binding(1) var<storage, read_write> results: array<${numeric.memory(1)}>;
${numeric.prelude}
@compute @workgroup_size(${WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.x;
  if (3u * i >= arrayLength(&triples)) { return; }
  let a = ${numeric.load('triples[3u * i]', 1)};
  let b = ${numeric.load('triples[3u * i + 1u]', 1)};
  let c = ${numeric.load('triples[3u * i + 2u]', 1)};
  let minusZero = ${numeric.load('vec2<u32>(0u, 0x80000000u)', 1)};
  let x = ${numeric.prepare('triples[3u * i]', 1)};
  let y = ${numeric.prepare('triples[3u * i + 1u]', 1)};
  let sum = ${numeric.add('a', 'b', 1)};
  results[4u * i] = ${numeric.store('sum', 1)};
  results[4u * i + 1u] = ${numeric.store(numeric.subtract('sum', 'c', 1), 1)};
  results[4u * i + 2u] = ${numeric.store(numeric.multiplyAdd('x', 'y', 'minusZero', 1), 1)};
  results[4u * i + 3u] = ${numeric.store(numeric.multiplyAdd('x', 'y', 'c', 1), 1)};
}`;
