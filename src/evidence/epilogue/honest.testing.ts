import type { Random } from '../../base/random.ts';
import { type Epilogue, readEpilogue } from '../../epilogue/chain.ts';
import { type EntryNumbers, numberAt } from '../../epilogue/entry-numbers.ts';
import { type Matrix, matrix } from '../../matrix/dense.ts';
import { type Format, f32, isWholeFormat } from '../../precision/format.ts';
import { precisions } from '../../precision/precisions.ts';
import type { GivenWithEpilogue } from './product-with-epilogue.ts';

/** An implementation in a format: every operation is rounded. */
type Compute = (x: number, round: (x: number) => number) => number;

const logistic: Compute = (x, r) => r(1 / r(1 + r(Math.exp(-x))));

/** erf with an error near that of doubles: its series, or 1 where it rounds to that. */
function erf(x: number): number {
  if (Math.abs(x) > 5) return Math.sign(x);
  let [term, sum] = [x, x];
  for (let n = 1; Math.abs(term) > 1e-18 * Math.abs(sum) && n < 200; n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

/** Usual formulas of activations. */
const formulas: Readonly<Record<string, Compute>> = {
  relu: (x) => Math.max(x, 0),
  'squared-relu': (x, r) => r(Math.max(x, 0) ** 2),
  gelu: (x, r) => r(r(x * 0.5) * r(1 + r(erf(r(x * r(Math.SQRT1_2)))))),
  'gelu-tanh'(x, r) {
    const cube = r(r(r(x * x) * x) * r(0.044715));
    return r(r(0.5 * x) * r(1 + r(Math.tanh(r(r(0.7978845608028654) * r(x + cube))))));
  },
  silu: (x, r) => r(x / r(1 + r(Math.exp(-x)))),
  sigmoid: logistic,
  tanh: (x, r) => r(Math.tanh(x)),
};

const gates: Readonly<Record<string, string>> = { swiglu: 'silu', geglu: 'gelu', 'geglu-tanh': 'gelu-tanh' };

/** Computes D as a correct kernel does: sums one after the other, then each step, in the format of sums. */
export function honestResult(given: Omit<GivenWithEpilogue, 'd'>, isBiasFirst: boolean): Matrix {
  const { a, b, precision: named = 'f32', epilogue: steps } = given;
  const precision = precisions.find(named);
  const sizes = { m: a.rows, n: b.cols, batch: 1 };
  const epilogue = readEpilogue(steps, sizes);
  const { accumulated } = precision;
  const round = isWholeFormat(accumulated) ? f32.round : accumulated.round;
  const startsWith = isBiasFirst && epilogue.steps[0]?.record.name === 'bias' && round === accumulated.round;
  const rows: number[][] = [];
  for (let i = 0; i < a.rows; i++) {
    const sums: number[] = [];
    for (let j = 0; j < b.cols; j++) {
      let sum = startsWith ? numberAt(epilogue.steps[0].settings.values as EntryNumbers, sizes.m, i, j) : 0;
      for (let q = 0; q < a.cols; q++)
        sum = accumulated.round(sum + accumulated.round(a.data[i * a.cols + q] * b.data[q * b.cols + j]));
      sums.push(round(sum));
    }
    rows.push(sums);
  }
  return stored(
    follow(epilogue, startsWith ? 1 : 0, rows, round),
    epilogue,
    isWholeFormat(precision.d) ? f32 : precision.d,
  );
}

/** Applies the steps from one on. */
function follow(
  { steps, sizes: { m } }: Epilogue,
  from: number,
  rows: number[][],
  round: Format['round'],
): number[][] {
  let now = rows;
  for (const { record, settings, run, n } of steps.slice(from)) {
    const at = (key: string, i: number, j: number) => round(numberAt(settings[key] as EntryNumbers, m, i, j));
    const compute = (x: number, i: number, j: number): number => {
      const formula = formulas[gates[record.name] ?? record.name];
      if (formula !== undefined) return formula(x, round);
      if (record.name === 'bias' || record.name === 'residual') return round(x + at('values', i, j));
      if (record.name === 'scale') return round(x * at('values', i, j));
      if (record.name === 'leaky-relu') return x < 0 ? round(x * at('slope', i, j)) : x;
      if (record.name === 'clamp') return Math.min(Math.max(x, at('low', i, j)), at('high', i, j));
      if (record.name === 'requantize') return round(x / at('scale', i, j));
      // A step of rounding alone.
      return run.at({ lo: x, hi: x }, () => ({ lo: 0, hi: 0 }), rounding).lo;
    };
    if (record.isGate !== true) now = now.map((row, i) => row.map((x, j) => compute(x, i, j)));
    else {
      const [gate, other] = settings.order === 'gate-last' ? [n / 2, 0] : [0, n / 2];
      const { stored: store = (x: number) => x } = run;
      now = now.map((row, i) =>
        Array.from({ length: n / 2 }, (_, j) => round(store(compute(row[j + gate], i, j)) * row[j + other])),
      );
    }
  }
  return now;
}

/** Interval arithmetic of which only roundings are used. */
const rounding = {
  rounded: (x: { lo: number; hi: number }, by: Format['round']) => ({ lo: by(x.lo), hi: by(x.hi) }),
} as never;

function stored(rows: number[][], { steps }: Epilogue, d: Format): Matrix {
  const target = steps.at(-1)?.run.target;
  const data = Float32Array.from(rows.flat(), (x) => {
    if (target === undefined) return d.round(x);
    const result = target.result(x);
    // Infinity has no last bits: any code is as good.
    return Number.isNaN(result) && target.name.endsWith('int8') ? 0 : result;
  });
  return matrix(rows.length, rows[0].length, data);
}

/** Draws numbers with few bits, which every format holds. */
export const drawRow = (random: Random, length: number): Float32Array =>
  Float32Array.from({ length }, () => Math.round((random.uniform01() - 0.5) * 64) / 16);
