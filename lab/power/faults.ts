import { findAlgorithm } from '../../src/algorithms/algorithms.ts';
import { createRandom } from '../../src/base/random.ts';
import type { Claims } from '../../src/kernels/claims.ts';
import type { Shape } from '../../src/matrix/dense.ts';
import { f16, f32 } from '../../src/precision/format.ts';
import { multiplyByTable } from '../honest/recursion.ts';
import { cutIn, type SumFunction, sumsIn } from '../honest/sums.ts';
import type { PowerProduct } from './product.ts';

/** A kind of fault, with increasing sizes or several places. */
export interface PowerFault {
  readonly name: string;
  /** The description of its cells. */
  readonly what: string;
  /** The quantity to find: the smallest size that is detected, or the fraction of places. */
  readonly asks: 'smallest' | 'share';
  /** Sizes, the smallest first; or places. */
  readonly sizes: readonly number[];
  spoil(product: PowerProduct, size: number): Float32Array;
  /** Formats a size for the table; fractions are in per cent. */
  readonly say?: (size: number) => string;
}

/** Faults of the same products. */
export interface PowerGroup {
  readonly precision: string;
  readonly claims: Claims;
  readonly shapes: readonly Shape[];
  readonly faults: readonly PowerFault[];
}

const sums = sumsIn(f32);

/** The entry of median size. */
function middleOf(entries: Float32Array): number {
  const order = [...entries.keys()].sort((x, y) => Math.abs(entries[x]) - Math.abs(entries[y]));
  return order[order.length >> 1];
}

/** A unit in the last place (ulp) of a binary32 number. */
const ulpOf = (x: number) => 2 ** (Math.floor(Math.log2(Math.max(Math.abs(x), 2 ** -126))) - 23);

/** Rounds to nearest, ties away from zero. */
const tiesAway = (x: number): number => {
  const near = Math.fround(x);
  const other = near + 2 * (x - near);
  return other !== near && Math.fround(other) === other && Math.abs(other) > Math.abs(near) ? other : near;
};

const running =
  (round: (x: number) => number): SumFunction =>
  (products) => {
    let sum = 0;
    for (const x of products) sum = round(sum + round(x));
    return sum;
  };

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);
const ONCE = [0];

/** The index of a term among the k of an entry, chosen at random for a place. */
const termOf = (place: number, k: number) => createRandom(place, 9).int(0, k - 1);

const plain: readonly PowerFault[] = [
  {
    name: 'bits of the accumulator',
    what: 'the most bits below 24 of sums that are detected',
    asks: 'smallest',
    sizes: upTo(16).map((less) => less + 1),
    spoil: (product, less) => product.by(sums.inBits(24 - less)),
    say: (less) => `${24 - less}`,
  },
  {
    name: 'one entry, in ulps',
    what: 'the smallest detected error of the median entry, in units of its last place',
    asks: 'smallest',
    sizes: upTo(24).map((power) => 2 ** power),
    spoil(product, ulps) {
      const e = middleOf(product.honest);
      return product.but(e, product.honest[e] + ulps * ulpOf(product.honest[e]));
    },
    say: (ulps) => `${ulps}`,
  },
  {
    name: 'one entry, in √k·u',
    what: 'the same, in units of √k·u times the root mean square of C',
    asks: 'smallest',
    sizes: upTo(24).map((power) => 2 ** (power / 2 - 2)),
    spoil(product, size) {
      const { honest, shape } = product;
      const typical = Math.sqrt(honest.reduce((sum, x) => sum + x * x, 0) / honest.length);
      const e = middleOf(honest);
      return product.but(e, honest[e] + size * Math.sqrt(shape.k) * f32.unitRoundoff * typical);
    },
    say: (size) => size.toPrecision(2),
  },
  {
    name: 'one term lost of every entry',
    what: 'detected share of 16 terms, each lost in every entry',
    asks: 'share',
    sizes: upTo(16),
    spoil(product, place) {
      const p = termOf(place, product.shape.k);
      const { a, b, shape } = product;
      return product.honest.map(
        (x, e) => x - a.data[Math.floor(e / shape.n) * shape.k + p] * b.data[p * shape.n + (e % shape.n)],
      );
    },
  },
  {
    name: 'one term lost of one entry',
    what: 'detected share of 32 terms, each lost in one entry',
    asks: 'share',
    sizes: upTo(32),
    spoil(product, place) {
      const e = createRandom(place, 10).int(0, product.honest.length - 1);
      const term = product.terms(e)[termOf(place, product.shape.k)];
      return product.but(e, product.honest[e] - term);
    },
  },
  {
    name: 'sums toward zero',
    what: 'sums and products truncated instead of rounded',
    asks: 'share',
    sizes: ONCE,
    spoil: (product) => product.by(sums.towardZero),
  },
  {
    name: 'ties away from zero',
    what: 'sums and products with ties rounded away from zero',
    asks: 'share',
    sizes: ONCE,
    spoil: (product) => product.by(running(tiesAway)),
  },
];

const cutOperands: PowerFault = {
  name: 'operands cut off',
  what: 'operands of f16-f32 truncated instead of rounded',
  asks: 'share',
  sizes: ONCE,
  spoil: (product) => product.by(sums.sequential, cutIn(f16)),
};

/** Claims of one level of recursion. */
const recursions: Readonly<Record<string, Claims>> = {
  'nothing claimed': {},
  'fringe claimed': { recursion: { fringe: 'static-pad' } },
  'fringe and schedule claimed': { recursion: { fringe: 'static-pad', schedule: 'scheduled' } },
};

const fastFaults = (algorithm: string, claimed: string): PowerFault[] => [
  {
    name: `${algorithm}, ${claimed}: one entry`,
    what: 'the smallest detected relative error of the median entry',
    asks: 'smallest',
    sizes: upTo(25).map((power) => 2 ** (power - 24)),
    spoil(product, size) {
      const e = middleOf(product.honest);
      return product.but(e, product.honest[e] * (1 + size));
    },
    say: (size) => `2^${Math.log2(size)}`,
  },
  {
    name: `${algorithm}, ${claimed}: a product of blocks lost`,
    what: 'detected share of the seven',
    asks: 'share',
    sizes: upTo(7),
    spoil: ({ a, b }, lost) =>
      Float32Array.from(
        multiplyByTable(a, b, {
          table: findAlgorithm(algorithm),
          ...{ levels: 1, fringe: 'static-pad', leaf: sums.sequential, blocks: sums.sequential },
          operand: (x) => x,
          product: (block, at) => (at === lost ? { ...block, data: block.data.map(() => 0) } : block),
        }).data,
      ),
  },
];

const squares = (sides: readonly number[], lengths: readonly number[]): Shape[] =>
  sides.flatMap((side) => lengths.map((k) => ({ m: side, k, n: side })));

const shapes = squares([4, 16, 64], [8, 64, 512, 4096, 32_768]);

/** Faults of classical products, and of one level of recursion. */
export const powerGroups: readonly PowerGroup[] = [
  { precision: 'f32', claims: {}, shapes, faults: plain },
  { precision: 'f16-f32', claims: {}, shapes, faults: [cutOperands] },
  ...['strassen', 'winograd'].flatMap((algorithm) =>
    Object.entries(recursions).map(([claimed, claim]) => ({
      precision: 'f32',
      claims: { algorithm, levels: 1, ...claim },
      shapes: squares([16], [8, 64, 512, 4096]),
      faults: fastFaults(algorithm, claimed),
    })),
  ),
];
