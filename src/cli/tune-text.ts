import type { LeafRefusal, LeafTime } from '../gpu/tuning/time-leaves.ts';
import type { Shape } from '../matrix/dense.ts';

/** The times of leaf kernels on one product. */
export interface TuningTable {
  readonly adapter: string;
  /** Whether Dawn checks indices. */
  readonly robustness: string;
  readonly shape: Shape;
  readonly clock: string;
  /** How long it took in all. */
  readonly seconds: number;
  readonly times: readonly LeafTime[];
  readonly refusals: readonly LeafRefusal[];
}

const milliseconds = (seconds: number) => (1e3 * seconds).toPrecision(4);

/** A table, the fastest kernel first. */
export function tableText({ robustness, shape, clock, seconds, times, refusals }: TuningTable): string {
  const { m, k, n } = shape;
  const checks = robustness === 'off' ? ', without checks of indices' : '';
  const head = `${m}×${k}×${n}${checks}, by ${clock}, ${seconds.toFixed(1)} s in all: milliseconds (median, least to most), Gflop/s`;
  const sorted = [...times].sort((a, b) => a.median - b.median);
  const rows = sorted.map(({ leaf, median, seconds, teraflops, differing }) => {
    const range = `${milliseconds(Math.min(...seconds))} to ${milliseconds(Math.max(...seconds))}`;
    const bits = differing === 0 ? '' : `  ${differing} entries differ from those of ${times[0].leaf}`;
    const rate = (1e3 * teraflops).toPrecision(4).padStart(10);
    return `${leaf.padEnd(36)}${milliseconds(median).padStart(10)}${range.padStart(22)}${rate}${bits}`;
  });
  return [head, ...rows, ...refusals.map(({ leaf, why }) => `${leaf.padEnd(36)}${why}`), ''].join('\n');
}
