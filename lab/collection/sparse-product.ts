import type { Algorithm, CoefficientRows } from '../../src/algorithms/algorithm.ts';
import type { Matrix } from '../../src/matrix/dense.ts';
import { compile } from '../../src/plan/compile.ts';
import type { Computation } from '../../src/precision/precision.ts';
import { runModel } from '../../src/readers/model.ts';
import { gridsOf, type SparseTable } from './sparse-basis.ts';

/**
 * Computes A·B by a table in other bases. Blocks of A and B become coordinates, level by level. The sparse table multiplies these
 * by the steps of its plan, and coordinates become blocks of C. Entries are binary32, and every addition and product is rounded
 * as on devices.
 * @param levels the number of times that each dimension is divided by its blocks
 */
export function sparseProduct(
  sparse: SparseTable,
  { a, b }: { readonly a: Matrix; readonly b: Matrix },
  levels: number,
  computation: Computation,
): Matrix {
  const { base, u, v, w } = sparse.core;
  const grids = gridsOf(base);
  const about = { name: 'core', title: 'Core', what: 'the recursion of a table in other bases', source: '' };
  const algorithm: Algorithm = { ...about, base, u, v, w };
  const shape = { m: a.rows, k: a.cols, n: b.cols };
  const plan = compile({ algorithm, shape, depth: { levels } });
  const coordinates = {
    a: changed(a, sparse.a, grids.a, levels),
    b: changed(b, sparse.b, grids.b, levels),
  };
  const product = runModel(plan, coordinates.a, coordinates.b, computation);
  return changed(product, sparse.c, grids.c, levels);
}

interface Blocks {
  readonly rows: number;
  readonly cols: number;
}

/** Changes the basis on all levels: first for the largest blocks, then inside each. Only rounding depends on the order. */
function changed(whole: Matrix, basis: CoefficientRows, grid: Blocks, levels: number): Matrix {
  if (levels === 0) return whole;
  const [rows, cols] = [whole.rows / grid.rows, whole.cols / grid.cols];
  const blocks = basis.map((_, at) => blockOf(whole, at, grid, { rows, cols }));
  const data = new Float32Array(whole.data.length);
  for (const [at, row] of basis.entries()) {
    const sum = { rows, cols, data: summed(row, blocks) };
    const inner = changed(sum, basis, grid, levels - 1);
    const [top, left] = [Math.floor(at / grid.cols) * rows, (at % grid.cols) * cols];
    for (let i = 0; i < rows; i++)
      data.set(inner.data.subarray(i * cols, (i + 1) * cols), (top + i) * whole.cols + left);
  }
  return { rows: whole.rows, cols: whole.cols, data };
}

function blockOf(whole: Matrix, at: number, grid: Blocks, { rows, cols }: Blocks): Float32Array {
  const [top, left] = [Math.floor(at / grid.cols) * rows, (at % grid.cols) * cols];
  return Float32Array.from(
    { length: rows * cols },
    (_, e) => whole.data[(top + Math.floor(e / cols)) * whole.cols + left + (e % cols)],
  );
}

/** Adds terms sequentially, rounding each sum once. */
function summed(factors: readonly number[], blocks: readonly Float32Array[]): Float32Array {
  let sum: Float32Array | undefined;
  for (const [at, factor] of factors.entries()) {
    if (factor === 0) continue;
    const term = blocks[at].map((x) => factor * x);
    sum = sum === undefined ? term : sum.map((x, e) => x + term[e]);
  }
  return sum ?? new Float32Array(blocks[0].length);
}
