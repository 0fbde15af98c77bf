import {
  blocksOf,
  fromLast,
  grouped,
  lanesOf,
  partsOf,
  reversed,
  type SumFunction,
  sumsIn,
  wide,
} from '../lab/honest/sums.ts';
import { createRandom } from '../src/base/random.ts';
import { f32 } from '../src/precision/format.ts';

/** Ways to add the terms of an entry, whose every rounding is known; in binary32 by default. */

const { sequential, pairwise, kahan, neumaier, inDoubles, blocked } = sumsIn(f32);

/** Returns a permutation that is drawn once. */
const drawn = (count: number) => createRandom(7, count).permutation(count);
const permuted =
  (sum: SumFunction): SumFunction =>
  (terms) =>
    sum(Float64Array.from(drawn(terms.length), (at) => terms[at]));

export const structures = {
  sequential,
  backwards: reversed(sequential),
  pairwise: pairwise(1),
  'blocks of 4': blocked(4),
  'blocks of 8': blocked(8),
  'blocks of 32': blocked(32),
  'blocks of 8, each from its end': blocked(8, reversed(sequential)),
  'blocks of 8, from the last': grouped(fromLast(blocksOf(8)), sequential, sequential),
  '4 lanes': grouped(lanesOf(4), sequential, pairwise(1)),
  '8 lanes': grouped(lanesOf(8), sequential, sequential),
  '8 lanes, each from its end': grouped(lanesOf(8), reversed(sequential), sequential),
  '4 parts': grouped(partsOf(4), sequential, pairwise(1)),
  kahan,
  neumaier,
  'in binary64': inDoubles,
  'binary64 in chunks of 8': blocked(8, inDoubles),
  'binary64, rounded after every 8': (terms) =>
    blocksOf(8)(terms).reduce((sum, x) => inDoubles(Float64Array.of(sum, ...x)), 0),
  'blocks of 8 in binary64': (terms) => Math.fround(grouped(blocksOf(8), sequential, wide)(terms)),
  'Kahan over blocks of 8': grouped(blocksOf(8), sequential, kahan),
  'Kahan in blocks of 8': blocked(8, kahan),
  permuted: permuted(sequential),
  'pairwise, permuted': permuted(pairwise(1)),
  'pairwise from 256': (terms) => (terms.length < 256 ? sequential(terms) : pairwise(1)(terms)),
} as const satisfies Record<string, SumFunction>;
