import type { ErrorSource } from '../queue/errors.ts';
import { CASE_WORDS, PROBE_WORKGROUP, runCases } from './ask.ts';
import { drawProbeCases, numberOfBits, withAllSigns } from './draws.ts';
import type { OperandWords } from './question.ts';

/** The finding on whether pairs of binary32 numbers can carry the rounding errors of a device's sums and products. */
export interface ErrorFreeFinding {
  readonly exact: boolean;
  /** The failure, and its frequency. */
  readonly reason?: string;
}

/**
 * TwoSum in six operations (Knuth, TAOCP 2, §4.2.2) and TwoProduct by splitting (Dekker 1971), with heads cut to 12 bits by a mask. XOR
 * with a run-time zero makes every rounding on which errors depend opaque.
 */
const SHADER = /* wgsl */ `
@group(0) @binding(0) var<storage, read> asked: array<array<vec4u, 2>>;
@group(0) @binding(1) var<storage, read_write> answers: array<u32>;
var<private> zero: u32;

fn guard(a: f32) -> f32 { return bitcast<f32>(bitcast<u32>(a) ^ zero); }
fn head(a: f32) -> f32 { return bitcast<f32>(bitcast<u32>(a) & 0xfffff000u); }

fn twoSum(x: f32, y: f32) -> vec2f {
  let s = guard(x + y);
  let t = guard(s - x);
  let u = guard(s - t);
  let p = guard(x - u);
  let q = guard(y - t);
  return vec2f(s, guard(p + q));
}

fn twoProduct(x: f32, y: f32) -> vec2f {
  let xh = head(x);
  let yh = head(y);
  let xl = guard(x - xh);
  let yl = guard(y - yh);
  let p = guard(x * y);
  let hh = guard(guard(xh * yh) - p);
  let hl = guard(hh + guard(xh * yl));
  let lh = guard(hl + guard(xl * yh));
  return vec2f(p, guard(lh + guard(xl * yl)));
}

@compute @workgroup_size(${PROBE_WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&answers)) { return; }
  let v = asked[id.x][0];
  zero = asked[id.x][1].y;
  let x = bitcast<f32>(v.x);
  let y = bitcast<f32>(v.y);
  var pair = twoSum(x, y);
  if (v.z == 1u) { pair = twoProduct(x, y); }
  answers[id.x] = bitcast<u32>(select(pair.x, pair.y, v.w == 1u));
}`;

/** A transformation of two numbers into a rounded result and its error. */
interface Transformation {
  readonly name: string;
  readonly of: (x: number, y: number) => number;
  readonly cases: readonly OperandWords[];
}

const ULP = 2 ** -23;
const tails: readonly (readonly [number, number])[] = [
  [1, ULP / 2],
  [1 + ULP, ULP / 2],
  [1, ULP / 4],
  [1, 1.25 * 2 ** -30],
  [2 - ULP, 2 - ULP],
  [1 + ULP, 1 - ULP / 2],
  [1 + 2 ** -12, 1 + 2 ** -12],
  [4097, 4097],
  [1 / 3, 3],
  [2 ** 24, 1],
  [0, 1],
  [1, 1],
];

// Exponents are so close that a double holds the exact sum, and so small that no error underflows.
const transformations = (): readonly Transformation[] => [
  {
    name: 'TwoSum',
    of: (x, y) => x + y,
    cases: [
      ...withAllSigns(tails),
      ...drawProbeCases(700, ({ number }) => [number(-14, 14), number(-14, 14)]),
      ...drawProbeCases(300, ({ number }) => [number(0, 0), number(-1, 0)]),
    ],
  },
  {
    name: 'TwoProduct',
    of: (x, y) => x * y,
    cases: [
      ...withAllSigns(tails),
      ...drawProbeCases(700, ({ number }) => [number(-30, 30), number(-30, 30)]),
      ...drawProbeCases(300, ({ number }) => [number(0, 0, 13), number(0, 0, 23)]),
    ],
  },
];

/** Returns the cases of the measurement: each transformation's operands, once for the result and once for its error. */
export function errorFreeCases(): Uint32Array<ArrayBuffer> {
  const all = transformations().flatMap(({ cases }, which) =>
    cases.flatMap(([x, y]) => [0, 1].map((part) => [x, y, which, part, 0, 0, 0, 0])),
  );
  const data = new Uint32Array(all.length * CASE_WORDS);
  for (const [i, words] of all.entries()) data.set(words, i * CASE_WORDS);
  return data;
}

/** Judges the words of a device's answers to {@link errorFreeCases}. */
export function judgeErrorFree(words: Uint32Array): ErrorFreeFinding {
  const faults: string[] = [];
  let next = 0;
  for (const { name, of, cases } of transformations()) {
    const wrong = cases.filter((operands) => {
      const [x, y] = operands.map(numberOfBits);
      const rounded = Math.fround(of(x, y));
      const [result, error] = [numberOfBits(words[next++]), numberOfBits(words[next++])];
      return result !== rounded || error !== of(x, y) - rounded;
    }).length;
    if (wrong > 0) faults.push(`guarded ${name} loses its error in ${wrong} of ${cases.length} cases`);
  }
  return faults.length === 0 ? { exact: true } : { exact: false, reason: faults.join('; ') };
}

const measured = new WeakMap<GPUDevice, Promise<ErrorFreeFinding>>();
const running = { kernel: 'the arithmetic probe', step: 'measuring error-free sums and products' };

/**
 * Measures, once a device, whether guarded TwoSum and TwoProduct are exact on it.
 * @throws ParanoiaError as the device reports.
 */
export function measureErrorFree(open: ErrorSource): Promise<ErrorFreeFinding> {
  const known = measured.get(open.device);
  if (known !== undefined) return known;
  const found = runCases(open, SHADER, errorFreeCases(), running).then(judgeErrorFree);
  measured.set(open.device, found);
  return found;
}
