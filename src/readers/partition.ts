import type { BlockGrid } from '../algorithms/algorithm.ts';
import { alignUp } from '../base/numbers.ts';
import { type Matrix, matrix, type Shape } from '../matrix/dense.ts';
import type { BlockLayout } from '../plan/layout.ts';
import type { Plan } from '../plan/plan.ts';

/**
 * The treatments of sizes that levels do not divide. Zeros are added once, up to a multiple of the blocks, or up to a power of them; or at
 * each level, to each block. Or rows and columns are peeled off, once or at each level, and multiplied classically.
 */
export const claimedFringes = [
  'static-pad',
  'power-pad',
  'dynamic-pad',
  'static-peel',
  'dynamic-peel',
] as const;
export type ClaimedFringe = (typeof claimedFringes)[number];

/** The positions of the lines of a padded dimension: a size that the levels divide, and a place for each line. */
interface Padded {
  readonly size: number;
  at(line: number): number;
}

type Padding = (size: number, parts: number, levels: number) => Padded;

const inPlace = (size: number): Padded => ({ size, at: (line) => line });

const paddings: Readonly<Record<'static-pad' | 'power-pad' | 'dynamic-pad', Padding>> = {
  'static-pad': (size, parts, levels) => inPlace(alignUp(size, parts ** levels)),
  'power-pad': (size, parts, levels) => {
    let power = parts ** levels;
    while (parts > 1 && power < size) power *= parts;
    return inPlace(parts > 1 ? power : size);
  },
  'dynamic-pad': (size, parts, levels) => {
    let leaf = size;
    for (let level = 0; level < levels; level++) leaf = Math.ceil(leaf / parts);
    return {
      size: leaf * parts ** levels,
      at(line) {
        let [place, rest, here] = [0, line, size];
        for (let level = levels - 1; level >= 0; level--) {
          here = Math.ceil(here / parts);
          place += Math.floor(rest / here) * leaf * parts ** level;
          rest %= here;
        }
        return place + rest;
      },
    };
  },
};

/** Returns a product with zeros added as claimed, and its inverse for results. Undefined for fringes without zeros. */
export function padAsClaimed(
  fringe: ClaimedFringe,
  base: BlockGrid,
  levels: number,
  shape: Shape,
): ZeroPadding | undefined {
  if (fringe === 'static-peel' || fringe === 'dynamic-peel') return undefined;
  return zerosBy(paddings[fringe], base, levels, shape);
}

/** Returns a product padded with zeros until no side is smaller than all blocks. Undefined where none is smaller. */
export function padToBlocks(base: BlockGrid, levels: number, shape: Shape): ZeroPadding | undefined {
  const isSmall = shape.m < base.m ** levels || shape.k < base.k ** levels || shape.n < base.n ** levels;
  const padding: Padding = (size, parts) => inPlace(Math.max(size, parts ** levels));
  return isSmall ? zerosBy(padding, base, levels, shape) : undefined;
}

/** Operations that pad operands with zeros, and take results apart again. */
export interface ZeroPadding {
  readonly shape: Shape;
  a(x: Matrix): Matrix;
  b(x: Matrix): Matrix;
  taken<M extends Matrix>(c: M): M;
}

function zerosBy(padding: Padding, base: BlockGrid, levels: number, { m, k, n }: Shape): ZeroPadding {
  const [rows, inner, cols] = [
    padding(m, base.m, levels),
    padding(k, base.k, levels),
    padding(n, base.n, levels),
  ];
  const spread = (x: Matrix, down: Padded, along: Padded): Matrix => {
    const Entries = x.data.constructor as Float64ArrayConstructor;
    const data = new Entries(down.size * along.size);
    x.data.forEach((entry, at) => {
      data[down.at(Math.floor(at / x.cols)) * along.size + along.at(at % x.cols)] = entry;
    });
    return matrix(down.size, along.size, data);
  };
  return {
    shape: { m: rows.size, k: inner.size, n: cols.size },
    a: (x: Matrix) => spread(x, rows, inner),
    b: (x: Matrix) => spread(x, inner, cols),
    taken<M extends Matrix>(c: M): M {
      const data = c.data.slice(0, m * n);
      for (let i = 0, e = 0; i < m; i++)
        for (let j = 0; j < n; j++, e++) data[e] = c.data[rows.at(i) * cols.size + cols.at(j)];
      return { ...c, rows: m, cols: n, data };
    },
  };
}

/** Returns the shape of the products at each level, from the whole one (padding of the fringe included) to those stored row by row. */
export function levelShapes({ layouts }: Pick<Plan, 'layouts'>): Shape[] {
  const shapes: Shape[] = [];
  let [a, b]: (BlockLayout | undefined)[] = [layouts.A, layouts.B];
  while (a !== undefined && b !== undefined) {
    shapes.push({ m: a.rows, k: a.cols, n: b.cols });
    [a, b] = [partOf(a), partOf(b)];
  }
  return shapes;
}

const partOf = (layout: BlockLayout): BlockLayout | undefined =>
  layout.kind === 'split' ? layout.part : undefined;
