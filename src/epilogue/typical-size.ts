import type { Format } from '../precision/format.ts';
import { type GivenStep, readEpilogue } from './chain.ts';
import { doubleReals } from './double-reals.ts';
import type { EntrySizes } from './entry-numbers.ts';
import { exactResults } from './evaluate.ts';

/** A product of which some entries are computed. */
export interface SampledProduct {
  readonly sizes: EntrySizes;
  /** Returns about the value of an entry; rows of a batch lie one below the other. */
  entry(i: number, j: number): number;
  /** The format in which kernels have the numbers. */
  readonly format: Pick<Format, 'maxFinite' | 'minNormal'>;
}

/** The factor by which sizes stay away from the ends of the range. */
const ROOM = 2 ** 6;

/** The most entries of which the typical size is taken. */
const SAMPLE = 15;

/** Returns the power of two nearest to the middle size of some entries after steps; 1 where all are 0 or not finite. */
export function typicalSize(steps: readonly GivenStep[], { sizes, entry, format }: SampledProduct): number {
  const { m, n, batch } = sizes;
  const epilogue = readEpilogue(steps, sizes);
  const cols = epilogue.steps.reduce((all, { record }) => (record.isGate === true ? all / 2 : all), n);
  const result = exactResults(epilogue, doubleReals, (i, j) => ({ lo: entry(i, j), hi: entry(i, j) }));
  const count = Math.min(SAMPLE, m * batch * cols);
  const found = Array.from({ length: count }, (_, at) => {
    const place = Math.floor((at * m * batch * cols) / count);
    return Math.abs(result(Math.floor(place / cols), place % cols).lo);
  });
  const [least, most] = [format.minNormal * ROOM, format.maxFinite / ROOM];
  const finite = found.filter((x) => x > 0 && x < Number.POSITIVE_INFINITY);
  // An activation makes about half of the entries vanish, which say nothing about the others.
  const kept = finite.filter((x) => x >= least).sort((x, y) => x - y);
  const middle = kept[Math.floor(kept.length / 2)] ?? (finite.length > 0 ? least : 1);
  return 2 ** Math.round(Math.log2(Math.min(most, middle)));
}
