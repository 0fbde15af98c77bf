import type { Algorithm } from '../algorithms/algorithm.ts';
import type { Shape } from '../matrix/dense.ts';
import type { Layout } from './layout.ts';

/** The buffers of a product: operands, result and workspace. */
export type BufferName = 'A' | 'B' | 'C' | 'W';

/** A block: a contiguous range of a buffer, `offset` entries from its start, laid out as `layout`. */
export interface Block {
  readonly buffer: BufferName;
  readonly offset: number;
  readonly layout: Layout;
}

/**
 * A rectangle of a block's entries: of peeling's fix-up products, and of the parts that fused products read and write in
 * a matrix stored row by row. Those of a fused product may be cut off at the matrix's edge: what lies beyond reads as
 * zeros and is not written.
 */
export interface Window {
  readonly row: number;
  readonly col: number;
  readonly rows: number;
  readonly cols: number;
}

/** A block as a step names it: `A11`, `T1`, … relative to the recursive call the step belongs to. */
export interface Operand {
  readonly name: string;
  readonly block: Block;
  readonly window?: Window;
}

/** A signed block of a {@link Factor}. */
export interface Addend extends Operand {
  readonly sign: 1 | -1;
}

/**
 * A factor of a product: the sum of its blocks from left to right, one rounding an addition, computed as the product
 * reads them. A single block is read as it is, its sign turned where that is negative.
 */
export type Factor = readonly Addend[];

/** A block that updates read or write, held in a register per entry while the step runs. */
export interface Slot extends Operand {
  /** Read from memory before the first update. */
  readonly load: boolean;
  /** Written to memory after the last update. */
  readonly store: boolean;
  /** What is read is multiplied by this before the first update, with one rounding; by default it is not. */
  readonly times?: number;
  /**
   * How many products are added to the block in all, where they come in any order: then the plan's order is one of many,
   * and bounds hold for each.
   */
  readonly unordered?: number;
}

/** In a {@link Term}: the product of the step rather than a slot. */
export const PRODUCT = -1;

export interface Term {
  readonly sign: 1 | -1;
  /** An index into the step's slots, or {@link PRODUCT}. */
  readonly slot: number;
}

/** `slot[target] = 0` (no terms), `±a` (exact) or `±a ± b` (one rounding), entry by entry. */
export interface Update {
  readonly target: number;
  readonly terms: readonly Term[];
}

interface StepBase {
  readonly slots: readonly Slot[];
  /** In order: a later update sees what an earlier one assigned. */
  readonly updates: readonly Update[];
  /** The computation in the paper's words, a line a figure row: `C11 = T1 + C11`. */
  readonly text: readonly string[];
  /** Which product of which level the step serves: [3, 1] is the first product inside the third. */
  readonly path: readonly number[];
}

/** Block sums without a product: one linear pass over the slots' ranges. */
export interface CombineStep extends StepBase {
  readonly kind: 'combine';
}

/** The product of two factors, then the updates as its epilogue. */
export interface MultiplyStep extends StepBase {
  readonly kind: 'multiply';
  readonly x: Factor;
  readonly y: Factor;
  /** x is m×k, y is k×n; with padded leaves the stored sizes. */
  readonly shape: Shape;
  /** The product is multiplied by this before the updates, with one rounding; by default it is not. */
  readonly times?: number;
  /** What a product is as one of the fused primitives; the products of schedules are none. */
  readonly primitive?: Primitive;
}

/** A fused product among those of its table (Huang, Yu, van de Geijn 2020, Figure 6). */
export interface Primitive {
  /** The number of its variant: products of one variant have as many blocks in each factor and update as many. */
  readonly variant: number;
  /** Neighbouring steps of one batch update no block in common, and may run at once. */
  readonly batch: number;
}

export type Step = CombineStep | MultiplyStep;

/** How sizes that the levels do not divide are served: zeros around the operands, or dynamic peeling. */
export type Border = 'pad' | 'peel';
export const borders: readonly Border[] = ['pad', 'peel'];

/** How a leaf kernel serves blocks its tile does not divide: bounds checks, or blocks stored padded to the tile. */
export type Edge = 'guard' | 'pad';
export const edges: readonly Edge[] = ['guard', 'pad'];

/** Where sums of blocks are computed: see {@link styles}. */
export type Style = 'scheduled' | 'wide' | 'fused' | 'hybrid' | 'atomic';

/** How many of the innermost levels are fused into products of sums, and whether their products have an order. */
export interface Fusing {
  readonly title: string;
  readonly levels: number;
  readonly ordered: boolean;
}

/**
 * The styles a plan can be compiled in. Levels that are not fused follow the algorithm's schedule, with its temporaries;
 * so do all levels of a scheduled plan.
 */
export const styles: Readonly<Record<Style, Fusing>> = {
  scheduled: { title: 'sums of blocks by steps of their own', levels: 0, ordered: true },
  wide: { title: 'sums of blocks in one pass a matrix, in more workspace', levels: 0, ordered: true },
  fused: { title: 'sums of blocks within products, two levels at once', levels: 2, ordered: true },
  hybrid: { title: 'sums of blocks within products, of the last level', levels: 1, ordered: true },
  atomic: { title: 'fused, products added to C in any order', levels: 2, ordered: false },
};

/** What a product is scaled by: C = alpha·A·B + beta·C. With beta = 0, C is not read. */
export interface Scaling {
  readonly alpha: number;
  readonly beta: number;
}

/** A straight-line program for one product shape. Every reader (GPU, mirror, bounds, cost) walks its steps. */
export interface Plan {
  readonly algorithm: Algorithm;
  readonly shape: Shape;
  /** Levels of recursion used: fewer than asked for where peeling runs out of rows or columns. */
  readonly levels: number;
  readonly border: Border;
  readonly edge: Edge;
  readonly layouts: { readonly A: Layout; readonly B: Layout; readonly C: Layout };
  /** Entries of each buffer, alignment included. */
  readonly sizes: Readonly<Record<BufferName, number>>;
  /** Rows and columns of the products at the bottom of the recursion, unpadded. */
  readonly leaf: Shape;
  readonly style: Style;
  /** The levels that are fused into one, as one algorithm with its products in the order of the steps. */
  readonly fused?: { readonly levels: number; readonly algorithm: Algorithm };
  readonly scaling: Scaling;
  readonly steps: readonly Step[];
}
