import type { Arithmetic } from '../precision/arithmetic.ts';
import { arithmetic32, type Operations } from '../precision/arithmetic32.ts';
import { type Format, f16, f32, tinyOf } from '../precision/format.ts';
import { narrowArithmetic } from '../precision/narrow.ts';
import { arithmeticOperands } from './arithmetic-operands.ts';
import { computesNothing } from './messages.ts';
import type { ErrorSource } from './queue/errors.ts';
import { runShader } from './queue/run-shader.ts';

const WORKGROUP = 64;

// Operands come from a buffer and leave as bits, so that no compiler can fold, reorder or canonicalize them.
const shader = ({ enables, format: { native: type } }: MeasuredFormat): string => /* wgsl */ `${enables}
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

/** A native format whose arithmetic is measured. Operands and results are binary32 numbers in memory. */
export interface MeasuredFormat {
  readonly enables: string;
  readonly format: Format;
  readonly operations: (model: ArithmeticModel) => Operations;
}

/** The properties in which the arithmetics of devices differ. */
export type ArithmeticModel = Pick<Arithmetic, 'fma' | 'subnormals'>;

/** The subject binary32. */
export const single: MeasuredFormat = {
  enables: '',
  format: f32,
  operations: arithmetic32,
};

/** The subject binary16, for devices that have it. */
export const half: MeasuredFormat = {
  enables: 'enable f16;',
  format: f16,
  operations: (model) => narrowArithmetic(f16, model),
};

/** Returns the models to try. A device's arithmetic is the first of those that fit best. */
export function arithmeticModels({ format }: MeasuredFormat): readonly ArithmeticModel[] {
  const { afterRounding, beforeRounding, afterDenormalizing } = tinyOf(format);
  return (['once', 'twice'] as const).flatMap((fma) =>
    [false, true].flatMap((operands) =>
      [0, afterRounding, beforeRounding, afterDenormalizing].map((below) => ({
        fma,
        subnormals: operands || below > 0 ? { operands, below } : 'kept',
      })),
    ),
  );
}

/**
 * Measures a device's +, × and fma in a format by a few thousand directed and pseudo-random operations.
 * @throws ParanoiaError `computes-nothing` on a null device, or the error that the device reports.
 */
export async function measureArithmetic(
  open: ErrorSource,
  subject: MeasuredFormat = single,
): Promise<Arithmetic> {
  const results = await runProbe(open, subject);
  const [onePlusOne] = results;
  if (onePlusOne !== 2) throw computesNothing(undefined);
  return fitArithmetic(results, subject);
}

/**
 * Finds the arithmetic that explains a subject's results.
 * @param results the results of + × and fma, and a blank, for each case.
 */
export function fitArithmetic(results: Float32Array, subject: MeasuredFormat = single): Arithmetic {
  const operands = arithmeticOperands(subject.format);
  const fits = arithmeticModels(subject).map((model) => ({
    model,
    ...misses(subject.operations(model), operands, results),
  }));
  const best = fits.reduce((x, y) => (y.finite < x.finite ? y : x));
  return {
    ...best.model,
    rounding: roundsToNearest(subject.format, operands, results) ? 'nearest' : 'faithful',
    exceptions: best.exceptional === 0,
    modeled: best.finite === 0,
  };
}

/** Counts the operations whose bits the model does not give, separately for finite and exceptional results. */
function misses(
  operations: Operations,
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

async function runProbe(open: ErrorSource, subject: MeasuredFormat): Promise<Float32Array> {
  const input = arithmeticOperands(subject.format) as Float32Array<ArrayBuffer>;
  const workgroups = Math.ceil(input.length / STRIDE / WORKGROUP);
  const work = { shader: shader(subject), input, bytes: input.byteLength, workgroups };
  return new Float32Array(await runShader(open, work, running));
}
