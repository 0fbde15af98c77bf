import type { Algorithm, BlockPosition } from '../algorithms/algorithm.ts';
import type { ScheduleValues } from '../algorithms/notation.ts';
import { OURS } from '../base/registry.ts';
import type { Shape } from '../matrix/dense.ts';
import type { Scaling } from '../matrix/factor.ts';
import type { Fringe, Tail } from '../problem/method.ts';
import type { BlockLayout } from './layout.ts';
import type { ValuePlaces } from './places.ts';

/** The buffers of a product: operands, result and workspace. */
export type BufferName = 'A' | 'B' | 'C' | 'W';

/** A block: a contiguous range of a buffer, `offset` entries from its start, laid out as `layout`. */
export interface Block {
  readonly buffer: BufferName;
  readonly offset: number;
  readonly layout: BlockLayout;
}

/**
 * A rectangle of a block's entries: of peeling's fix-up products, and of the parts that fused products read and write in a matrix stored
 * row by row. A fused product's window may extend beyond the matrix's edge. Entries beyond it read as zeros and are not written.
 */
export interface Window {
  readonly row: number;
  readonly col: number;
  readonly rows: number;
  readonly cols: number;
}

/** A block that a step reads or writes, or a window of it. */
export interface StepOperand {
  readonly block: Block;
  readonly window?: Window;
  /** The part of the block's grid that is the window, in a fused product. */
  readonly part?: BlockPosition;
}

/** A block of a {@link FactorSum}, times a coefficient. */
export interface Addend extends StepOperand {
  readonly factor: number;
}

/** A factor of a product: the sum of its blocks from left to right as in {@link Update}, computed as the product reads them. */
export type FactorSum = readonly Addend[];

/** A block that updates read or write, held in a register for each entry while the step runs. */
export interface Slot extends StepOperand {
  /** True if it is read from memory before the first update. */
  readonly load: boolean;
  /** True if it is written to memory after the last update. */
  readonly store: boolean;
  /** Factor that multiplies the read values before the first update, with one rounding. @defaultValue no factor */
  readonly times?: number;
  /** Number of products that are added to the block in any order. The plan's order is then one of many, and bounds hold for each. */
  readonly unordered?: number;
}

/** Slot of a {@link SlotTerm} that is the product of the step. */
export const PRODUCT = -1;

export interface SlotTerm {
  /**
   * A coefficient: a dyadic number p·2^q, which every format holds, or the double of another fraction, rounded to the accumulation format.
   */
  readonly factor: number;
  /** An index into the step's slots, or {@link PRODUCT}. */
  readonly slot: number;
}

/**
 * An assignment of the sum of the terms to `slot[target]`, entry by entry; 0 without terms. Terms are added from left to right, with one
 * rounding for each addition. A factor of ±1 costs nothing. Another factor c is a multiply-add of the accumulation format, c·x + sum, or
 * c·x + 0 for the first term.
 */
export interface Update {
  readonly target: number;
  readonly terms: readonly SlotTerm[];
}

/** The values that one launch computes at its level. Listings name blocks by it. */
export interface LaunchedValues {
  readonly level: {
    readonly values: ScheduleValues;
    readonly places: ValuePlaces['of'];
    /** Columns of the grid of C. */
    readonly columns: number;
    /** True if values are named after their places, not as in the schedule. */
    readonly free: boolean;
  };
  /** A product or none, then sums. */
  readonly values: readonly number[];
  /** The first value of each slot. */
  readonly held: readonly number[];
}

/** The fields of a step that come from its call. */
export type StepOrigin = Pick<StepBase, 'path' | 'launch'>;

interface StepBase {
  readonly slots: readonly Slot[];
  /** Updates in order: a later one sees the result of an earlier one. */
  readonly updates: readonly Update[];
  /** The launch of the schedule. For a step of a whole product, the launch whose product it is, if any. */
  readonly launch?: LaunchedValues | undefined;
  /** The position of the step in the recursion: [3, 1] is the first product inside the third. */
  readonly path: readonly number[];
}

/** Sums of blocks without a product: one linear pass over the slots' ranges. */
export interface CombineStep extends StepBase {
  readonly kind: 'combine';
}

/** The product of two factors, then the updates as its epilogue. */
export interface MultiplyStep extends StepBase {
  readonly kind: 'multiply';
  readonly x: FactorSum;
  readonly y: FactorSum;
  /** x is m×k, y is k×n; with padded leaves the stored sizes. */
  readonly shape: Shape;
  /**
   * Length of the runs in which the products of an entry are summed, each from zero. The sums of the runs are added one after the other.
   * @defaultValue one run of all k
   */
  readonly run?: number;
  /** Factor that multiplies the product before the updates, with one rounding. @defaultValue no factor */
  readonly times?: number;
  /** The fused primitive. Products of schedules have none. */
  readonly primitive?: Primitive;
}

/** A fused product among those of its table (Huang, Yu, van de Geijn 2020, Figure 6). */
export interface Primitive {
  /** The number of its variant. Products of one variant have equally many blocks in each factor and in the update. */
  readonly variant: number;
  /** The number of its batch. Adjacent steps of one batch update no block in common, and may run at once. */
  readonly batch: number;
}

export type Step = CombineStep | MultiplyStep;

/** The place of sums of blocks: see {@link styles}. */
export type Style = 'scheduled' | 'wide' | 'fused' | 'hybrid' | 'atomic';

/** The number of innermost levels that are fused into products of sums, and the order of their products. */
export interface FusedLevels {
  readonly title: string;
  /** Paper of the style. */
  readonly source: string;
  readonly levels: number;
  readonly ordered: boolean;
}

/**
 * The styles of a plan. Levels that are not fused follow the algorithm's schedule, with its temporaries; so do all levels of a scheduled
 * plan.
 */
export const styles: Readonly<Record<Style, FusedLevels>> = {
  scheduled: {
    title: 'sums of blocks in separate steps',
    source: 'Li, Ranka, Sahni 2011',
    levels: 0,
    ordered: true,
  },
  wide: {
    title: 'sums of blocks in one pass for each matrix, with more workspace',
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
    title: 'sums of blocks within products, at the last level',
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

/** A straight-line program for one product shape. Every reader (GPU, model, bounds, cost) walks its steps. */
export interface Plan {
  readonly algorithm: Algorithm;
  readonly shape: Shape;
  /** Levels of recursion: fewer than requested where peeling runs out of rows or columns. */
  readonly levels: number;
  readonly fringe: Fringe;
  readonly tail: Tail;
  readonly layouts: { readonly A: BlockLayout; readonly B: BlockLayout; readonly C: BlockLayout };
  /** Number of entries of each buffer, alignment included. */
  readonly sizes: Readonly<Record<BufferName, number>>;
  /** Rows and columns of the products at the bottom of the recursion, unpadded. */
  readonly leaf: Shape;
  readonly style: Style;
  /** The fused levels, as one algorithm with its products in the order of the steps. */
  readonly fused?: { readonly levels: number; readonly algorithm: Algorithm };
  /** See {@link MultiplyStep.run}, for leaf products. */
  readonly run?: number;
  readonly scaling: Scaling;
  /** The launches with a product, by number, of a call above the innermost level. */
  readonly calls: readonly LaunchedValues[];
  readonly steps: readonly Step[];
}
