import { mean } from 'd3-array';
import type { Algorithm } from '../../src/algorithms/algorithm.ts';
import { fromJsonNumber } from '../../src/base/numbers.ts';
import { registryOf } from '../../src/base/registry.ts';
import { numbers } from '../../src/evidence/numbers.ts';
import { analysisOf, weigh } from '../../src/evidence/weigh.ts';
import { type Kernel, multiply } from '../../src/kernels/kernel.ts';
import { modelKernel } from '../../src/kernels/model-kernel.ts';
import { type Diagonal, diagonals } from '../../src/matrix/diagonal.ts';
import { emulated } from '../../src/precision/arithmetic.ts';
import { singleComputation } from '../../src/precision/single.ts';
import { illScaled, illScaledPair } from './ill-scaled.ts';
import { scaledKernel } from './scaled-kernel.ts';

/** Options of measuring with and without scaling by powers of two. */
export interface ScalingOptions {
  readonly size: number;
  readonly levels: number;
  readonly replicates: number;
}

export const defaultScaling: ScalingOptions = { size: 48, levels: 2, replicates: 4 };

/** Measurements of one kind of pair. */
export interface MeasuredScaling {
  readonly scaled: string;
  /**
   * Significant bits of the worst entry relative to |A||B|, the mean over pairs: of the classical product, without scaling, and
   * with each kind of scaling.
   */
  readonly bits: Readonly<Record<'classical' | 'none' | Diagonal, number>>;
  /** The largest fraction of the running bound that any of these products used. */
  readonly used: number;
}

const METHOD = { fringe: 'pad', tail: 'mask' } as const;

/** Measures the gain of scaling rows and columns by powers of two, by the bit-exact model in binary32, at sizes that the levels divide. */
export async function measureScaling(
  algorithm: Algorithm,
  { size, levels, replicates }: ScalingOptions,
): Promise<MeasuredScaling[]> {
  const { name, base } = algorithm;
  const near = (parts: number) => Math.max(1, Math.round(size / parts ** levels)) * parts ** levels;
  const shape = { m: near(base.m), k: near(base.k), n: near(base.n) };
  const own = modelKernel(name, singleComputation(emulated), registryOf('algorithm', [algorithm]));
  const ways: Record<string, Kernel> = { classical: own, none: own };
  for (const way of Object.keys(diagonals) as Diagonal[]) ways[way] = scaledKernel(own, way);
  const found: MeasuredScaling[] = [];
  for (const scaled of Object.keys(illScaled)) {
    const bits = new Map<string, number[]>();
    let used = 0;
    for (let seed = 1; seed <= replicates; seed++) {
      const operands = illScaledPair(scaled, shape, seed);
      for (const [way, kernel] of Object.entries(ways)) {
        const plan = kernel.plan(shape, { ...METHOD, levels: way === 'classical' ? 0 : levels });
        const job = { kernel, plan, operands };
        const evidence = weigh(job, [await multiply(job)], { analysis: analysisOf(job) });
        bits.set(way, [...(bits.get(way) ?? []), evidence.errors.exact.bits]);
        used = Math.max(used, fromJsonNumber(numbers.ask(evidence).runningBound?.used ?? 'NaN'));
      }
    }
    const means = [...bits].map(([way, values]) => [way, mean(values) ?? Number.NaN]);
    found.push({ scaled, bits: Object.fromEntries(means), used });
  }
  return found;
}
