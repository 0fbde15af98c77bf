import type { Algorithm } from '../algorithms/algorithm.ts';
import type { Shape } from '../matrix/dense.ts';
import type { Scaling } from '../matrix/factor.ts';
import type { LeafLayout } from './layout.ts';
import {
  type Block,
  type CombineStep,
  type FactorSum,
  type MultiplyStep,
  PRODUCT,
  type Slot,
  type Step,
  type StepOrigin,
  type Update,
} from './plan.ts';

/** Number of blocks that a product reads in each factor and updates: W_A, W_B, W_C of the 2020 paper. */
export interface OperandCounts {
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/** The variants of the one-level primitive, in the order of Figure 6. */
const ONE_LEVEL = ['2,2,2', '2,2,1', '1,2,2', '2,1,2'];

/** Returns the counts of every product of a table. */
export function operandCounts({ u, v, w }: Algorithm): OperandCounts[] {
  const count = (row: readonly number[]) => row.filter((c) => c !== 0).length;
  return u.map((row, r) => ({ a: count(row), b: count(v[r]), c: count(w[r]) }));
}

/**
 * Returns the variants of an algorithm's products, in the order of their numbers. One kernel serves all products of a variant. First comes
 * the variant with most blocks everywhere, then those with fewer in A, in B, in C, in A and B, A and C, B and C, each from few to many.
 * This numbers the ten variants of two-level Strassen as Figure 6 of Huang, Yu, van de Geijn 2020 does. Its four variants of one level have
 * an order of their own.
 */
export function variantsOf(algorithm: Algorithm): OperandCounts[] {
  const distinct = new Map(operandCounts(algorithm).map((counts) => [key(counts), counts]));
  const all = [...distinct.values()];
  if (all.length === ONE_LEVEL.length && ONE_LEVEL.every((one) => distinct.has(one))) {
    return ONE_LEVEL.map((one) => distinct.get(one) as OperandCounts);
  }
  const most = [0, 1, 2].map((at) => Math.max(...all.map((counts) => list(counts)[at])));
  const fewer = (counts: OperandCounts) => [0, 1, 2].filter((at) => list(counts)[at] < most[at]);
  const rank = (counts: OperandCounts) => [fewer(counts).length, ...fewer(counts), ...list(counts)];
  return all.sort((x, y) => compare(rank(x), rank(y)));
}

/** Returns the number of the variant of each product of a table. */
export function variantNumbers(algorithm: Algorithm): number[] {
  const order = variantsOf(algorithm).map(key);
  return operandCounts(algorithm).map((counts) => order.indexOf(key(counts)));
}

const list = ({ a, b, c }: OperandCounts): number[] => [a, b, c];
const key = (counts: OperandCounts): string => list(counts).join();

function compare(x: readonly number[], y: readonly number[]): number {
  const at = x.findIndex((value, i) => value !== y[i]);
  return at < 0 ? 0 : x[at] - y[at];
}

/**
 * Groups the products of a table into batches that may run at once, one dispatch each. The products of a batch have one variant, since they
 * share a kernel, and, unless additions are atomic, no block of C in common. Each product joins the first batch that it fits, so the order
 * of batches is that of their first products. For Strassen's seven products these are the stages of Figure 7 of Huang, Yu, van de Geijn
 * 2020: M1; M2 and M5; M3 and M4; M6 and M7 (there from 0 on, and in another order).
 * @returns rows of the table.
 */
export function batchesOf(algorithm: Algorithm, ordered: boolean): number[][] {
  const variants = variantNumbers(algorithm);
  const targets = algorithm.w.map((row) => new Set(row.flatMap((c, at) => (c === 0 ? [] : [at]))));
  const batches: number[][] = [];
  for (const [r, variant] of variants.entries()) {
    const fits = (batch: readonly number[]) =>
      variants[batch[0]] === variant &&
      (!ordered || batch.every((other) => [...targets[r]].every((at) => !targets[other].has(at))));
    const found = batches.find(fits);
    if (found === undefined) batches.push([r]);
    else found.push(r);
  }
  return batches;
}

/**
 * A table of fused products. A product of an algorithm's table,
 *
 *     M_r = (Σ u[r][·] A_·)(Σ v[r][·] B_·),   C_· += w[r][·] M_r,
 *
 * needs no temporary. A kernel of the classical product brings tiles of its operands to workgroup memory anyway, and can
 * add several blocks on the way. It keeps its sums in registers until they are complete, and can then add them to
 * several blocks of C (Huang, Yu, van de Geijn 2020, equations 4 to 6). The cost is that every block is read as often as
 * it occurs in the table, where a schedule computes a sum once and shares it: Winograd's algorithm, all of whose economy
 * is in shared sums, has its sums written out here. Blocks are parts of matrices stored row by row; at the tails they
 * are cut off and read as zeros beyond, so sizes that the grid does not divide need no storage either. Two levels are
 * one with the table's Kronecker square: for Strassen 49 products in ten variants.
 */
export interface FusedTable {
  /** Its products in the order of computation. */
  readonly algorithm: Algorithm;
  /** The number of each product in the original order, from 1. */
  readonly numbers: readonly number[];
  readonly batches: readonly number[];
  readonly variants: readonly number[];
  readonly ordered: boolean;
}

/** Orders the products of a table as {@link batchesOf} does. */
export function fusedTable(table: Algorithm, ordered: boolean): FusedTable {
  const batches = batchesOf(table, ordered);
  const order = batches.flat();
  const inOrder = <T>(rows: readonly T[]) => order.map((r) => rows[r]);
  return {
    algorithm: { ...table, u: inOrder(table.u), v: inOrder(table.v), w: inOrder(table.w) },
    numbers: order.map((r) => r + 1),
    batches: batches.flatMap((batch, at) => batch.map(() => at)),
    variants: inOrder(variantNumbers(table)),
    ordered,
  };
}

/** Returns the shape of the block products: parts of the grid, rounded up. */
export function blockShape({ base }: Algorithm, { m, k, n }: Shape): Shape {
  return { m: Math.ceil(m / base.m), k: Math.ceil(k / base.k), n: Math.ceil(n / base.n) };
}

/**
 * Returns the steps of Z = alpha·X·Y + beta·Z for blocks stored row by row. Each product times alpha is rounded, and so is the old Z times
 * beta. Then they are added in the order of the table. Without an order, Z is set to zero or scaled first.
 */
export function fusedProducts(
  table: FusedTable,
  x: Block,
  y: Block,
  z: Block,
  of: StepOrigin,
  { alpha, beta }: Scaling,
): Step[] {
  const { algorithm, ordered } = table;
  const { base, u, v, w } = algorithm;
  const [a, b] = [leafOf(x), leafOf(y)];
  const shape = blockShape(algorithm, { m: a.rows, k: a.cols, n: b.cols });
  const additions = w[0].map((_, at) => w.filter((row) => row[at] !== 0).length + (beta === 0 ? 0 : 1));
  const steps: Step[] = ordered ? [] : [preparation(z, beta, Math.max(...additions), of)];
  const written = new Set<number>();
  u.forEach((row, r) => {
    const factors = {
      x: factorOf(x, row, base.k, shape.m, shape.k),
      y: factorOf(y, v[r], base.n, shape.k, shape.n),
    };
    const targets = blocksOf(z, w[r], base.n, shape.m, shape.n);
    const slots = targets.map(({ factor: _, index, ...operand }): Slot => {
      const isFirst = ordered && !written.has(index);
      written.add(index);
      return {
        ...operand,
        load: !isFirst || beta !== 0,
        store: true,
        ...(isFirst && beta !== 0 && beta !== 1 ? { times: beta } : {}),
        ...(ordered ? {} : { unordered: additions[index] }),
      };
    });
    const updates = targets.map(({ factor }, target): Update => {
      const product = { factor, slot: PRODUCT };
      return { target, terms: slots[target].load ? [{ factor: 1, slot: target }, product] : [product] };
    });
    steps.push({
      kind: 'multiply',
      ...factors,
      shape,
      ...(alpha === 1 ? {} : { times: alpha }),
      slots,
      updates,
      launch: of.launch,
      path: [...of.path, table.numbers[r]],
      primitive: { variant: table.variants[r], batch: table.batches[r] },
    } satisfies MultiplyStep);
  });
  return steps;
}

/** Returns the step before unordered products: Z = 0, or Z = beta·Z. */
function preparation(z: Block, beta: number, unordered: number, of: StepOrigin): CombineStep {
  const scaled = beta !== 0;
  return {
    kind: 'combine',
    slots: [{ block: z, load: scaled, store: true, unordered, ...(scaled ? { times: beta } : {}) }],
    updates: scaled ? [] : [{ target: 0, terms: [] }],
    ...of,
  };
}

const factorOf = (
  whole: Block,
  row: readonly number[],
  columns: number,
  rows: number,
  cols: number,
): FactorSum => blocksOf(whole, row, columns, rows, cols).map(({ index: _, ...addend }) => addend);

/** Returns the blocks with a nonzero coefficient, row by row of the grid. Each is a window of `rows`×`cols` that the edge may cut off. */
function blocksOf(
  whole: Block,
  coefficients: readonly number[],
  columns: number,
  rows: number,
  cols: number,
) {
  const layout = leafOf(whole);
  return coefficients.flatMap((c, index) => {
    if (c === 0) return [];
    const row = Math.min(Math.floor(index / columns) * rows, layout.rows);
    const col = Math.min((index % columns) * cols, layout.cols);
    const window = {
      row,
      col,
      rows: Math.min(rows, layout.rows - row),
      cols: Math.min(cols, layout.cols - col),
    };
    const part = { row: Math.floor(index / columns), col: index % columns };
    return [{ block: whole, window, ...(coefficients.length > 1 && { part }), factor: c, index }];
  });
}

function leafOf({ layout }: Block): LeafLayout {
  if (layout.kind !== 'leaf') throw new Error('Only row-major matrices can be fused.');
  return layout;
}
