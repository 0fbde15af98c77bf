import type { Arithmetic } from '../formats/arithmetic.ts';
import { arithmetic32, MAX32, type Operations32, TINY } from '../formats/arithmetic32.ts';
import { type Format, f32 } from '../formats/format.ts';
import type { PrecisionName } from '../formats/precision.ts';
import { problem } from '../problems.ts';
import { compileShader, readMapped, type Watched, withScopes } from './errors.ts';

const WORKGROUP = 64;

// Operands come from a buffer and leave as bits, so that no compiler can fold, reorder or canonicalise them.
const shader = ({ enables, type }: Subject): string => /* wgsl */ `${enables}
@group(0) @binding(0) var<storage, read> operands: array<vec3u>;
@group(0) @binding(1) var<storage, read_write> results: array<vec3u>;

@compute @workgroup_size(${WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&results)) { return; }
  let v = vec3<${type}>(bitcast<vec3f>(operands[id.x]));
  results[id.x] = bitcast<vec3u>(vec3f(vec3<${type}>(v.x + v.y, v.x * v.y, fma(v.x, v.y, v.z))));
}`;

const OPERATIONS = ['add', 'mul', 'fma'] as const;
const STRIDE = 4; // an array<vec3u> has an element every 16 bytes

/** A format whose arithmetic is measured, operands and results being binary32 numbers in memory. */
export interface Subject {
  readonly precision: PrecisionName;
  readonly enables: string;
  /** Its name in WGSL. */
  readonly type: string;
  readonly format: Format;
  readonly tiny: Readonly<Record<string, number>>;
  readonly operations: (model: ArithmeticModel) => Operations32;
  /** Three operands and a blank for each case. */
  readonly operands: () => Float32Array;
}

/** What tells one device's arithmetic from another's. */
export type ArithmeticModel = Pick<Arithmetic, 'fused' | 'flushesOperands' | 'flushesBelow'>;

/** binary32. */
export const single: Subject = {
  precision: 'f32',
  enables: '',
  type: 'f32',
  format: f32,
  tiny: TINY,
  operations: arithmetic32,
  operands: probeOperands,
};

/** The models tried: the first that fits a device best is its arithmetic. */
export function arithmeticModels({ tiny }: Subject): readonly ArithmeticModel[] {
  const { afterRounding, beforeRounding, afterDenormalising } = tiny;
  return [true, false].flatMap((fused) =>
    [false, true].flatMap((flushesOperands) =>
      [0, afterRounding, beforeRounding, afterDenormalising].map((flushesBelow) => ({
        fused,
        flushesOperands,
        flushesBelow,
      })),
    ),
  );
}

/**
 * Measures a device's + × and fma in a format by a few thousand directed and pseudo-random operations.
 * @throws Problem computes-nothing on a null device, or what the device reports.
 */
export async function measureArithmetic(open: Watched, subject: Subject = single): Promise<Arithmetic> {
  const results = await runProbe(open, subject);
  const [onePlusOne] = results;
  if (onePlusOne !== 2) throw problem('computes-nothing', undefined);
  return fitArithmetic(results, subject);
}

/** The arithmetic that explains the results of a subject's operands: + × fma and a blank for each case. */
export function fitArithmetic(results: Float32Array, subject: Subject = single): Arithmetic {
  const operands = subject.operands();
  const fits = arithmeticModels(subject).map((model) => ({
    model,
    ...misses(subject.operations(model), operands, results),
  }));
  const best = fits.reduce((x, y) => (y.finite < x.finite ? y : x));
  return {
    precision: subject.precision,
    ...best.model,
    flushesSubnormals: best.model.flushesOperands || best.model.flushesBelow > 0,
    roundsToNearest: roundsToNearest(subject.format, operands, results),
    mirrored: best.finite === 0,
    exceptionsFollowIeee: best.exceptional === 0,
  };
}

/** The operations whose bits the model does not give, by whether its result is finite. */
function misses(
  operations: Operations32,
  operands: Float32Array,
  results: Float32Array,
): { finite: number; exceptional: number } {
  const count = { finite: 0, exceptional: 0 };
  for (let i = 0; i < operands.length; i += STRIDE) {
    const [a, b, c] = [operands[i], operands[i + 1], operands[i + 2]];
    OPERATIONS.forEach((name, j) => {
      const expected = operations[name](a, b, c);
      if (Object.is(expected, results[i + j])) return;
      count[Number.isFinite(expected) ? 'finite' : 'exceptional']++;
    });
  }
  return count;
}

function roundsToNearest(
  { minNormal, maxFinite, round }: Format,
  operands: Float32Array,
  results: Float32Array,
): boolean {
  const normal = (x: number): boolean => Math.abs(x) >= minNormal && Math.abs(x) <= maxFinite;
  const right = (exact: number, result: number): boolean => !normal(exact) || round(exact) === result;
  for (let i = 0; i < operands.length; i += STRIDE) {
    const [a, b] = [operands[i], operands[i + 1]];
    if (!normal(a) || !normal(b)) continue;
    if (!right(a + b, results[i]) || !right(a * b, results[i + 1])) return false;
  }
  return true;
}

const running = { kernel: 'the arithmetic probe', step: 'measuring + × and fma' };

async function runProbe(open: Watched, subject: Subject): Promise<Float32Array> {
  const operands = subject.operands();
  const module = await compileShader(open, shader(subject), running);
  const { staging, buffers } = await withScopes(open, running, () => dispatch(open.device, module, operands));
  const results = new Float32Array(await readMapped(open, staging, running));
  for (const buffer of buffers) buffer.destroy();
  return results;
}

async function dispatch(
  device: GPUDevice,
  module: GPUShaderModule,
  operands: Float32Array,
): Promise<{ staging: GPUBuffer; buffers: GPUBuffer[] }> {
  const size = operands.byteLength;
  const { STORAGE, COPY_DST, COPY_SRC, MAP_READ } = GPUBufferUsage;
  const input = device.createBuffer({ size, usage: STORAGE | COPY_DST });
  const output = device.createBuffer({ size, usage: STORAGE | COPY_SRC });
  const staging = device.createBuffer({ size, usage: MAP_READ | COPY_DST });
  const pipeline = await device.createComputePipelineAsync({ layout: 'auto', compute: { module } });
  const bindings = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [input, output].map((buffer, binding) => ({ binding, resource: { buffer } })),
  });
  device.queue.writeBuffer(input, 0, operands as Float32Array<ArrayBuffer>);
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, bindings);
  pass.dispatchWorkgroups(Math.ceil(operands.length / STRIDE / WORKGROUP));
  pass.end();
  encoder.copyBufferToBuffer(output, 0, staging, 0, size);
  device.queue.submit([encoder.finish()]);
  return { staging, buffers: [input, output, staging] };
}

/** The operands of binary32: three and a blank for each case. */
export function probeOperands(): Float32Array {
  const values: number[] = [];
  const put = (a: number, b: number, c: number): void => {
    for (const s of [1, -1]) for (const t of [1, -1]) values.push(s * a, t * b, c, 0, s * a, t * b, -c, 0);
  };
  for (const [a, b, c] of directed) put(a, b, c);
  const random = generator(0x9e3779b9);
  const scale = (low: number, high: number): number => 2 ** Math.floor(low + random() * (high - low));
  const significand = (): number => Math.fround(1 + random());
  for (let i = 0; i < 300; i++) {
    const [a, b] = [significand() * scale(-30, 30), significand() * scale(-30, 30)];
    put(a, b, significand() * scale(-40, 40));
    put(a, b, a * b);
    put(significand() * scale(-75, -50), significand() * scale(-75, -50), significand() * scale(-127, -120));
    put(significand() * scale(-127, -120), significand() * scale(-127, -120), significand() * 2 ** -126);
    put(significand() * 2 ** -126, significand() * scale(-5, 5), significand() * scale(-149, -126));
  }
  return Float32Array.from(values);
}

const ULP = 2 ** -23;

const directed: readonly (readonly [number, number, number])[] = [
  [1, 1, 1], // first: 1 + 1 tells whether the device computes at all
  [0, 0, 0],
  [1, ULP / 2, ULP],
  [1 + ULP, ULP / 2, 1],
  [1 + ULP, 1 + ULP, 1],
  [1 + ULP, 1 - ULP / 2, 1],
  // the exact fma lies just off the midpoint that the double sum falls on
  [1 + 2 ** -12, 1 + 2 ** -12, 2 ** -70],
  [2 ** -40, 2 ** -40, 1 + ULP],
  [2 ** 12 + 1, 2 ** 12 + 1, 2 ** -60],
  // around the smallest normal number, from above, at it and below, as operand, product and fma
  [2 ** -126, 1, 2 ** -149],
  [2 ** -126, 1 - ULP / 2, 2 ** -126],
  [2 ** -63 * (1 - ULP), 2 ** -63 * (1 + ULP), 0],
  [2 ** -63 * (1 - ULP / 2), 2 ** -63, 0],
  [2 ** -63 * (1 - ULP / 2), 2 ** -63 * (1 + ULP), 0],
  [2 ** -63 * (1 - 2 ** -13), 2 ** -63 * (1 + 2 ** -13), 0],
  [2 ** -63 * (1 - 2 ** -12), 2 ** -63 * (1 + 2 ** -12), 0],
  [2 ** -64, 2 ** -63, 2 ** -127],
  [2 ** -100, 2 ** -49, 2 ** -126],
  [2 ** -100, 2 ** -100, 0],
  [2 ** -100, 2 ** -100, 2 ** -126],
  [2 ** -149, 1, 0],
  [2 ** -149, 2 ** 23, 2 ** -126],
  [2 ** -149, 2 ** 100, 1],
  [2 ** -127, 2 ** -127, 2 ** -127],
  [2 ** -127, 2, 2 ** -127],
  [3 * 2 ** -128, 1.5, 2 ** -128],
  [2 ** -126, 1.5 * 2 ** -126, 2 ** -126],
  // around the largest finite number, and beyond
  [MAX32, 2 ** 102, 2 ** 103],
  [MAX32, 2 ** 103, MAX32],
  [MAX32, 1, 2 ** 103],
  [MAX32, 1 + ULP, 2 ** 104],
  [2 ** 64, 2 ** 64, MAX32],
  [2 ** 64, 2 ** 64, Infinity],
  [2 ** 64 * (1 - 2 ** -12), 2 ** 64 * (1 + 2 ** -12), 2 ** 100],
  [Infinity, 1, 0],
  [Infinity, 0, 1],
  [Infinity, Infinity, Infinity],
  [NaN, 1, 1],
  [1, 1, NaN],
];

/** Mulberry32: uniform in [0, 1), the same on every machine. */
export function generator(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
