import { createRandom, type Random } from '../base/random.ts';
import { fitPowerGrowth } from './growth.ts';

/** Scatter of errors around a power law, on the scale of log2: of mean 0, at place `at` of the sizes. */
export const scatters: Readonly<Record<string, (random: Random, at: number) => number>> = {
  normal: (random) => random.normal(),
  /** The distribution of the largest of many numbers, which is skew. */
  gumbel: (random) => -Math.log(-Math.log(random.uniform01() + 2 ** -25)) - 0.5772156649,
  /** Less scatter at larger sizes, as for means over more entries. */
  'less with n': (random, at) => random.normal() * (1.6 - 0.3 * at),
  'more with n': (random, at) => random.normal() * (0.7 + 0.2 * at),
};

/** A simulation: sizes 2^5, 2^6, …, `replicates` of each, errors c·n^½·2^(σ·scatter). */
export interface Simulation {
  readonly sizes: number;
  readonly replicates: number;
  readonly scatter: string;
  readonly trials: number;
  readonly seed: number;
}

const SLOPE = 0.5;
const SIGMA = 0.1;

/** Returns how often the 95 % interval of a fit contains the true slope. */
export function coverage({ sizes, replicates, scatter, trials, seed }: Simulation): number {
  const random = createRandom(seed);
  let held = 0;
  for (let trial = 0; trial < trials; trial++) {
    const points = Array.from({ length: sizes * replicates }, (_, i) => {
      const at = i % sizes;
      const x = 2 ** (at + 5);
      return { x, error: 1e-6 * x ** SLOPE * 2 ** (SIGMA * scatters[scatter](random, at)) };
    });
    const fit = fitPowerGrowth(points);
    if (fit.fitted && fit.interval !== undefined && fit.interval[0] <= SLOPE && SLOPE <= fit.interval[1])
      held++;
  }
  return held / trials;
}
