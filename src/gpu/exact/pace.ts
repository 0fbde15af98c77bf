import { exponentOf, lowestBit } from '../../base/binary64.ts';
import { ParanoiaError } from '../../base/errors.ts';
import type { ExactProduct } from '../../exact/exact.ts';
import { significantBitsOf } from '../../exact/slices.ts';
import { findInput } from '../../inputs/inputs.ts';
import type { Matrix, RealArray, Shape } from '../../matrix/dense.ts';
import { singlePrecision } from '../../precision/single.ts';
import type { OpenDevice } from '../device.ts';
import { exactProductOnGpu } from './exact-on-gpu.ts';

export type ExactProductFunction = (a: Matrix, b: Matrix) => ExactProduct | Promise<ExactProduct>;

/** Errors after which computing on the CPU is no remedy. */
const LASTING: readonly string[] = ['device-lost', 'reference-stopped'];

/** True if the CPU can compute the exact product after this error of the GPU. */
export const isRecoverable = (error: unknown): error is ParanoiaError =>
  error instanceof ParanoiaError && !LASTING.includes(error.code);

/** The lines of each operand that are inspected before a product goes to the GPU. */
const LOOKED_AT = 16;

/**
 * True if the GPU seems able to compute nearly all lines, by a sample. If more than one in five lines were unfit, the sample would probably
 * show one.
 */
export function seemsNarrow(a: Matrix, b: Matrix): boolean {
  const some = (lines: number) =>
    Array.from({ length: Math.min(lines, LOOKED_AT) }, (_, at) =>
      Math.floor((at * lines) / Math.min(lines, LOOKED_AT)),
    );
  return (
    some(a.rows).every((i) => isFit(a.data, i * a.cols, 1, a.cols)) &&
    some(b.cols).every((j) => isFit(b.data, j, b.cols, b.rows))
  );
}

function isFit(data: RealArray, begin: number, stride: number, length: number): boolean {
  let top = Number.NEGATIVE_INFINITY;
  let grid = Number.POSITIVE_INFINITY;
  for (let t = 0; t < length; t++) {
    const x = data[begin + t * stride];
    if (!Number.isFinite(x)) return false;
    if (x === 0) continue;
    top = Math.max(top, exponentOf(x));
    grid = Math.min(grid, lowestBit(x));
  }
  return top < grid || significantBitsOf({ top, grid }) !== undefined;
}

/** The seconds for one product of two entries on the GPU and on the CPU. */
export interface Pace {
  readonly gpu: number;
  readonly cpu: number;
}

/** A rate, in bytes a second, at which results are read back: lower than that of any GPU in a slot. */
const READ_BACK = 1e9;

/** Predicts the seconds to compute a shape from the pace of a trial. */
export function predictSeconds({ gpu, cpu }: Pace, { m, k, n }: Shape): Pace {
  const work = m * k * n;
  return { gpu: gpu * work + (16 * m * n) / READ_BACK, cpu: cpu * work };
}

/**
 * Measures the pace of GPU and CPU by one product on each, after the GPU has compiled its shaders. The GPU's own clock counts, if it has
 * one: in a small product the overhead dominates, and it does not grow with k.
 * @returns undefined if the GPU cannot compute the product.
 */
export async function measurePace(
  open: OpenDevice,
  side: number,
  cpu: ExactProductFunction,
  say: (sentence: string) => void,
): Promise<Pace | undefined> {
  // Software adapters run on the CPU, but slower.
  if (open.fingerprint.kind === 'software') return undefined;
  const { a, b } = findInput('uniform').generate({
    m: side,
    k: side,
    n: side,
    levels: 0,
    seed: 1,
    precision: singlePrecision,
  });
  const since = (begun: number) => (performance.now() - begun) / 1000;
  try {
    await exactProductOnGpu(open, a, b, { cpu });
    await cpu(a, b);
    let begun = performance.now();
    const { gpu } = await exactProductOnGpu(open, a, b, { cpu });
    const there = gpu.seconds ?? since(begun);
    begun = performance.now();
    await cpu(a, b);
    return { gpu: there / side ** 3, cpu: since(begun) / side ** 3 };
  } catch (error) {
    if (!isRecoverable(error)) throw error;
    say(`The CPU computes exact products: ${error.message}`);
    return undefined;
  }
}
