import type { Algorithm, CoefficientRows } from '../../src/algorithms/algorithm.ts';
import type { Shape } from '../../src/matrix/dense.ts';
import type { ClaimedFringe } from '../../src/readers/partition.ts';
import { productsOf, type SumFunction } from './sums.ts';

/** A row-major matrix in double. */
export interface DoubleMatrix {
  readonly rows: number;
  readonly cols: number;
  readonly data: Float64Array;
}

/** A recursion by a table. */
export interface TableRecursion {
  readonly table: Pick<Algorithm, 'base' | 'u' | 'v' | 'w'>;
  readonly levels: number;
  readonly fringe: ClaimedFringe;
  /** Sums of products of entries, and sums of blocks; the latter are in the order of a table's columns. */
  readonly leaf: SumFunction;
  readonly blocks: SumFunction;
  /** Rounds an entry of a block before it is multiplied. */
  readonly operand: (x: number) => number;
  /** Converts a block product, given its index among those of the outermost level. */
  readonly product?: ((block: DoubleMatrix, at: number) => DoubleMatrix) | undefined;
}

const part = (x: DoubleMatrix, top: number, left: number, rows: number, cols: number): DoubleMatrix => {
  const data = new Float64Array(rows * cols);
  const width = Math.min(cols, x.cols - left);
  for (let i = 0; i < Math.min(rows, x.rows - top); i++) {
    const from = (top + i) * x.cols + left;
    if (width > 0) data.set(x.data.subarray(from, from + width), i * cols);
  }
  return { rows, cols, data };
};

const place = (into: DoubleMatrix, x: DoubleMatrix, top: number, left: number) => {
  const width = Math.min(x.cols, into.cols - left);
  for (let i = 0; i < Math.min(x.rows, into.rows - top); i++) {
    into.data.set(x.data.subarray(i * x.cols, i * x.cols + width), (top + i) * into.cols + left);
  }
};

const empty = (rows: number, cols: number): DoubleMatrix => ({
  rows,
  cols,
  data: new Float64Array(rows * cols),
});

/**
 * Computes every entry as the sum of its products.
 * @param start the first term of each entry
 */
export function multiplyClassically(
  a: DoubleMatrix,
  b: DoubleMatrix,
  { leaf, operand }: Pick<TableRecursion, 'leaf' | 'operand'>,
  start?: DoubleMatrix,
): DoubleMatrix {
  const c = empty(a.rows, b.cols);
  const rows = a.data.map(operand);
  const columns = new Float64Array(b.data.length);
  b.data.forEach((x, at) => {
    columns[(at % b.cols) * b.rows + Math.floor(at / b.cols)] = operand(x);
  });
  const line = (of: Float64Array, at: number) => of.subarray(at * a.cols, (at + 1) * a.cols);
  for (let i = 0, e = 0; i < a.rows; i++)
    for (let j = 0; j < b.cols; j++, e++) {
      const products = productsOf(line(rows, i), line(columns, j));
      c.data[e] = leaf(start === undefined ? products : Float64Array.of(start.data[e], ...products));
    }
  return c;
}

/** Computes A·B by a table, independently of plans: blocks are cut, and no sums are shared. */
export function multiplyByTable(a: DoubleMatrix, b: DoubleMatrix, how: TableRecursion): DoubleMatrix {
  const { levels, fringe, table } = how;
  if (levels === 0) return multiplyClassically(a, b, how);
  const { base } = table;
  const shape = { m: a.rows, k: a.cols, n: b.cols };
  if (fringe === 'dynamic-peel') return peeled(a, b, down(shape, base, 1), how);
  if (fringe === 'static-peel') return peeled(a, b, down(shape, base, levels), how);
  const size = (length: number, parts: number) => {
    const least = fringe === 'dynamic-pad' ? parts : parts ** levels;
    if (fringe !== 'power-pad') return Math.ceil(length / least) * least;
    let power = least;
    while (power < length && parts > 1) power *= parts;
    return parts > 1 ? power : length;
  };
  const [m, k, n] = [size(shape.m, base.m), size(shape.k, base.k), size(shape.n, base.n)];
  return part(inBlocks(part(a, 0, 0, m, k), part(b, 0, 0, k, n), how), 0, 0, shape.m, shape.n);
}

const down = (shape: Shape, base: Shape, levels: number): Shape => {
  const size = (of: keyof Shape) => shape[of] - (shape[of] % base[of] ** levels);
  return { m: size('m'), k: size('k'), n: size('n') };
};

/** Computes the part that the table's blocks divide by the table, and the remaining rows, columns and k classically. */
function peeled(a: DoubleMatrix, b: DoubleMatrix, core: Shape, how: TableRecursion): DoubleMatrix {
  if (core.m * core.k * core.n === 0) return multiplyClassically(a, b, how);
  const { m, k, n } = core;
  const fast = inBlocks(part(a, 0, 0, m, k), part(b, 0, 0, k, n), how);
  const c = multiplyClassically(a, b, how);
  if (k === a.cols) place(c, fast, 0, 0);
  else {
    const rest = multiplyClassically(part(a, 0, k, m, a.cols - k), part(b, k, 0, b.rows - k, n), how);
    place(c, summed([fast, rest], [1, 1], how.blocks), 0, 0);
  }
  return c;
}

/** Computes one level, for sizes that its base divides. */
function inBlocks(a: DoubleMatrix, b: DoubleMatrix, how: TableRecursion): DoubleMatrix {
  const { table, levels, blocks, product = (x) => x } = how;
  const { base, u, v, w } = table;
  const [m, k, n] = [a.rows / base.m, a.cols / base.k, b.cols / base.n];
  const split = (x: DoubleMatrix, down: number, along: number, rows: number, cols: number) =>
    Array.from({ length: down * along }, (_, at) =>
      part(x, Math.floor(at / along) * rows, (at % along) * cols, rows, cols),
    );
  const [left, right] = [split(a, base.m, base.k, m, k), split(b, base.k, base.n, k, n)];
  const sumOf = (of: DoubleMatrix[], row: CoefficientRows[number]) => summed(of, row, blocks);
  const products = u.map((row, r) =>
    product(
      multiplyByTable(sumOf(left, row), sumOf(right, v[r]), {
        ...how,
        product: undefined,
        levels: levels - 1,
      }),
      r,
    ),
  );
  const c = empty(a.rows, b.cols);
  for (let at = 0; at < base.m * base.n; at++) {
    const row = w.map((weights) => weights[at]);
    place(c, sumOf(products, row), Math.floor(at / base.n) * m, (at % base.n) * n);
  }
  return c;
}

/** The weighted sum of blocks. */
function summed(of: readonly DoubleMatrix[], factors: readonly number[], sum: SumFunction): DoubleMatrix {
  const used = of.flatMap((block, at) => (factors[at] === 0 ? [] : [{ block, factor: factors[at] }]));
  const [{ block: first }] = used;
  const terms = new Float64Array(used.length);
  const data = first.data.map((_, e) => {
    for (let t = 0; t < used.length; t++) terms[t] = used[t].factor * used[t].block.data[e];
    return sum(terms);
  });
  return { ...first, data };
}
