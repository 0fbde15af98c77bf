import type { Algorithm } from '../algorithms/algorithm.ts';
import type { Position } from '../algorithms/block-names.ts';
import type { Values } from '../algorithms/notation.ts';
import { OURS } from '../base/registry.ts';
import type { Shape } from '../matrix/dense.ts';
import type { Scaling } from '../matrix/scaling.ts';
import type { Fringe, Tail } from '../problem/method.ts';
import type { Layout } from './layout.ts';
import type { Places } from './places.ts';

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

/** A block that a step reads or writes, or a window of it. */
export interface Operand {
  readonly block: Block;
  readonly window?: Window;
  /** Which part of the block's grid the window is, in a fused product. */
  readonly part?: Position;
}

/** A block of a {@link Factor}, times a coefficient. */
export interface Addend extends Operand {
  readonly factor: number;
}

/**
 * A factor of a product: the sum of its blocks from left to right as {@link Update} has it, computed as the product reads
 * them.
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
  /** A coefficient: a dyadic number p·2^q, which every format holds, or the double of another fraction, rounded to the format of sums. */
  readonly factor: number;
  /** An index into the step's slots, or {@link PRODUCT}. */
  readonly slot: number;
}

/**
 * `slot[target]` = the sum of the terms, entry by entry, 0 where there are none. Terms are added from left to right, one
 * rounding an addition. A factor of ±1 costs nothing; another factor c is a multiply-add of the format of sums,
 * c·x + sum, or c·x + 0 for the first term.
 */
export interface Update {
  readonly target: number;
  readonly terms: readonly Term[];
}

/** What one launch computes of the values of its level: listings name blocks by it. */
export interface Launched {
  readonly level: {
    readonly values: Values;
    readonly places: Places['of'];
    /** Columns of the grid of C. */
    readonly columns: number;
    /** Whether values have the names of their places, not those that the schedule has for them. */
    readonly free: boolean;
  };
  /** A product or none, then sums. */
  readonly values: readonly number[];
  /** The value that each slot was first met as. */
  readonly held: readonly number[];
}

/** What a step has of the call it belongs to. */
export type StepOf = Pick<StepBase, 'path' | 'launch'>;

interface StepBase {
  readonly slots: readonly Slot[];
  /** In order: a later update sees what an earlier one assigned. */
  readonly updates: readonly Update[];
  /** The launch of its schedule that it is; of what computes a whole product, the launch whose product that is, if any. */
  readonly launch?: Launched | undefined;
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
  /**
   * The products of an entry are summed one after the other in runs of so many, each from zero, and the sums of the runs one
   * after the other; by default all k are one run.
   */
  readonly run?: number;
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

/** Where sums of blocks are computed: see {@link styles}. */
export type Style = 'scheduled' | 'wide' | 'fused' | 'hybrid' | 'atomic';

/** How many of the innermost levels are fused into products of sums, and whether their products have an order. */
export interface Fusing {
  readonly title: string;
  /** Where it comes from. */
  readonly source: string;
  readonly levels: number;
  readonly ordered: boolean;
}

/**
 * The styles a plan can be compiled in. Levels that are not fused follow the algorithm's schedule, with its temporaries;
 * so do all levels of a scheduled plan.
 */
export const styles: Readonly<Record<Style, Fusing>> = {
  scheduled: {
    title: 'sums of blocks by steps of their own',
    source: 'Li, Ranka, Sahni 2011',
    levels: 0,
    ordered: true,
  },
  wide: {
    title: 'sums of blocks in one pass a matrix, in more workspace',
    source: OURS,
    levels: 0,
    ordered: true,
  },
  fused: {
    title: 'sums of blocks within products, up to two levels at once',
    source: 'Huang, Yu, van de Geijn 2020',
    levels: 2,
    ordered: true,
  },
  hybrid: {
    title: 'sums of blocks within products, of the last level',
    source: 'Huang, Yu, van de Geijn 2020',
    levels: 1,
    ordered: true,
  },
  atomic: {
    title: 'fused, products added to C in any order',
    source: 'Huang, Yu, van de Geijn 2020',
    levels: 2,
    ordered: false,
  },
};

/** A straight-line program for one product shape. Every reader (GPU, mirror, bounds, cost) walks its steps. */
export interface Plan {
  readonly algorithm: Algorithm;
  readonly shape: Shape;
  /** Levels of recursion used: fewer than asked for where peeling runs out of rows or columns. */
  readonly levels: number;
  readonly fringe: Fringe;
  readonly tail: Tail;
  readonly layouts: { readonly A: Layout; readonly B: Layout; readonly C: Layout };
  /** Entries of each buffer, alignment included. */
  readonly sizes: Readonly<Record<BufferName, number>>;
  /** Rows and columns of the products at the bottom of the recursion, unpadded. */
  readonly leaf: Shape;
  readonly style: Style;
  /** The levels that are fused into one, as one algorithm with its products in the order of the steps. */
  readonly fused?: { readonly levels: number; readonly algorithm: Algorithm };
  /** {@link MultiplyStep.run} of leaf products. */
  readonly run?: number;
  readonly scaling: Scaling;
  /** The launches of a call above the innermost level that have a product, by number. */
  readonly calls: readonly Launched[];
  readonly steps: readonly Step[];
}
