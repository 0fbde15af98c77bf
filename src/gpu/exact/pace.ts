import { exponentOf, lowestBit } from '../../base/binary64.ts';
import { ParanoiaError } from '../../base/errors.ts';
import type { ExactProduct } from '../../exact/exact.ts';
import { bitsOf } from '../../exact/slices.ts';
import { findInput } from '../../inputs/inputs.ts';
import type { Matrix, Real, Shape } from '../../matrix/dense.ts';
import { singlePrecision } from '../../precision/single.ts';
import type { OpenDevice } from '../device.ts';
import { exactProductOnGpu } from './exact-on-gpu.ts';

export type Multiply = (a: Matrix, b: Matrix) => ExactProduct | Promise<ExactProduct>;

/** What the CPU cannot make good. */
const LASTING: readonly string[] = ['device-lost', 'reference-stopped'];

/** Whether an error of a GPU's exact product is one after which the CPU computes it. */
export const isMadeGood = (error: unknown): error is ParanoiaError =>
  error instanceof ParanoiaError && !LASTING.includes(error.code);

/** Lines of either operand that are looked at before a product is given to the GPU. */
const LOOKED_AT = 16;

/** Whether the GPU would leave few lines to the CPU, going by a few: more than one in five of many would show. */
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

function isFit(data: Real, begin: number, stride: number, length: number): boolean {
  let top = Number.NEGATIVE_INFINITY;
  let grid = Number.POSITIVE_INFINITY;
  for (let t = 0; t < length; t++) {
    const x = data[begin + t * stride];
    if (!Number.isFinite(x)) return false;
    if (x === 0) continue;
    top = Math.max(top, exponentOf(x));
    grid = Math.min(grid, lowestBit(x));
  }
  return top < grid || bitsOf({ top, grid }) !== undefined;
}

/** Seconds that a product of two entries takes on the GPU and on the CPU. */
export interface Pace {
  readonly gpu: number;
  readonly cpu: number;
}

/** Bytes a second that results come back with: less than any GPU in a slot has. */
const READ_BACK = 1e9;

/** What computing a shape takes, going by the pace of a trial. */
export function predicted({ gpu, cpu }: Pace, { m, k, n }: Shape): Pace {
  const work = m * k * n;
  return { gpu: gpu * work + (16 * m * n) / READ_BACK, cpu: cpu * work };
}

/**
 * Multiplies once on both, the GPU having compiled its shaders before; undefined where the GPU cannot. Of a small product the GPU's
 * own time counts, where it has a clock: the rest does not grow with k.
 */
export async function trial(
  open: OpenDevice,
  side: number,
  cpu: Multiply,
  say: (sentence: string) => void,
): Promise<Pace | undefined> {
  // Software adapters are the CPU, slower.
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
    if (!isMadeGood(error)) throw error;
    say(`Exact products are computed on the CPU: ${error.message}`);
    return undefined;
  }
}
