import { createRandom } from '../base/random.ts';
import type { Arithmetic } from '../precision/arithmetic.ts';
import { type Format, f16, f32, tinyOf } from '../precision/format.ts';
import { arithmetic32, narrowArithmetic, type Operations } from '../precision/modeled-arithmetic.ts';
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

type Triple = readonly [number, number, number];

/** Returns operands of +, × and fma that distinguish a format's possible arithmetics: a, b, c and a blank for each case. */
export function arithmeticOperands(format: Format): Float32Array {
  const values: number[] = [];
  const put = ([a, b, c]: Triple): void => {
    for (const s of [1, -1]) for (const t of [1, -1]) values.push(s * a, t * b, c, 0, s * a, t * b, -c, 0);
  };
  directed(format).forEach(put);
  random(format).forEach(put);
  return Float32Array.from(values, format.round);
}

function directed({ precision: p, minNormal, minSubnormal, maxFinite }: Format): readonly Triple[] {
  const ulp = 2 ** (1 - p);
  const [narrow, wide] = [2 ** -Math.floor(p / 2), 2 ** -Math.ceil(p / 2)];
  // factors of the smallest normal number, of the smallest subnormal one, and of a number just too large
  const root = Math.sqrt(minNormal);
  const small = 2 ** Math.floor(Math.log2(minSubnormal) / 2);
  const large = 2 / root;
  const last = maxFinite * (ulp / (2 - ulp));
  const { POSITIVE_INFINITY: infinity, NaN: nan } = Number;
  return [
    [1, 1, 1], // first: 1 + 1 tells whether the device computes at all
    [0, 0, 0],
    [1, ulp / 2, ulp],
    [1 + ulp, ulp / 2, 1],
    [1 + ulp, 1 + ulp, 1],
    [1 + ulp, 1 - ulp / 2, 1],
    // the exact fma lies just off a midpoint, on which a double sum may fall
    [1 + narrow, 1 + wide, Math.max(2 ** -70, minSubnormal)],
    [1 / narrow + 1, 1 / wide + 1, Math.max(2 ** -60, minSubnormal)],
    [Math.max(2 ** -40, small), Math.max(2 ** -40, small), 1 + ulp],
    // around the smallest normal number, from above, at it and below, as operand, product and fma
    [minNormal, 1, minSubnormal],
    [minNormal, 1 - ulp / 2, minNormal],
    [root * (1 - ulp), root * (1 + ulp), 0],
    [root * (1 - ulp / 2), root, 0],
    [root * (1 - ulp / 2), root * (1 + ulp), 0],
    [root * (1 - wide / 2), root * (1 + wide / 2), 0],
    [root * (1 - wide), root * (1 + wide), 0],
    [root / 2, root, minNormal / 2],
    [small, minSubnormal / small, minNormal],
    [small / 2, small / 2, 0],
    [small / 2, small / 2, minNormal],
    [minSubnormal, 1, 0],
    [minSubnormal, 1 / ulp, minNormal],
    [minSubnormal, large, 1],
    [minNormal / 2, minNormal / 2, minNormal / 2],
    [minNormal / 2, 2, minNormal / 2],
    [(3 * minNormal) / 4, 1.5, minNormal / 4],
    [minNormal, 1.5 * minNormal, minNormal],
    // around the largest finite number, and beyond it
    [maxFinite, last / 4, last / 2],
    [maxFinite, last / 2, maxFinite],
    [maxFinite, 1, last / 2],
    [maxFinite, 1 + ulp, last],
    [large, large, maxFinite],
    [large, large, infinity],
    [large * (1 - wide), large * (1 + wide), large],
    [infinity, 1, 0],
    [infinity, 0, 1],
    [infinity, infinity, infinity],
    [nan, 1, 1],
    [1, 1, nan],
  ];
}

/** Draws operands of usual size, operands and products near the smallest normal number, and subnormal operands. */
function random({ precision, minNormal, round }: Format): readonly Triple[] {
  const draw = createRandom(0x9e3779b9);
  const least = Math.log2(minNormal);
  const usual = Math.min(30, Math.floor((-3 * least) / 7));
  const near = Math.min(12, precision >> 1);
  const number = (low: number, high: number): number =>
    round((1 + draw.uniform01()) * 2 ** Math.floor(draw.uniform(low, high)));
  const half = () => number(least / 2 - near, least / 2 + near);
  const tiny = () => number(least - 1, least + 6);
  return Array.from({ length: 300 }, (): Triple[] => {
    const [a, b] = [number(-usual, usual), number(-usual, usual)];
    return [
      [a, b, number(-usual - 6, usual + 6)],
      [a, b, a * b],
      [half(), half(), tiny()],
      [tiny(), tiny(), number(least, least + 1)],
      [number(least, least + 1), number(-5, 5), number(least + 1 - precision, least)],
    ];
  }).flat();
}
