import type { Random } from '../../base/random.ts';
import type { Coding } from './coding.ts';
import { type Ends, endsOf } from './ends.ts';
import { extentOf } from './recipes.ts';

/** The zero points with which elements hold all numbers of a block exactly, divided by a factor that allows some. */
export function exactZeros(values: Float64Array, factor: number, { element }: Coding): Ends {
  const [ends, { least, most }] = [endsOf(element), extentOf(values)];
  return { least: ends.least - least / factor, most: ends.most - most / factor };
}

/** One of some zero points: drawn, or the least. */
export const drawZero = ({ least, most }: Ends, random: Random | undefined): number =>
  random === undefined ? least : random.int(least, most);
