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

/** A rectangle of a block's entries; only peeling's fix-up products need one. */
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

/** A block that updates read or write, held in a register per entry while the step runs. */
export interface Slot extends Operand {
  /** Read from memory before the first update. */
  readonly load: boolean;
  /** Written to memory after the last update. */
  readonly store: boolean;
}

/** In a {@link Term}: the product of the step rather than a slot. */
export const PRODUCT = -1;

export interface Term {
  readonly sign: 1 | -1;
  /** An index into the step's slots, or {@link PRODUCT}. */
  readonly slot: number;
}

/** `slot[target] = ±a` (exact) or `±a ± b` (one rounding), entry by entry. */
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

/** The product of two leaf blocks (or windows), then the updates as its epilogue. */
export interface MultiplyStep extends StepBase {
  readonly kind: 'multiply';
  readonly x: Operand;
  readonly y: Operand;
  /** x is m×k, y is k×n; with padded leaves the stored sizes. */
  readonly shape: Shape;
}

export type Step = CombineStep | MultiplyStep;

/** How sizes that the levels do not divide are served: zeros around the operands, or dynamic peeling. */
export type Border = 'pad' | 'peel';
export const borders: readonly Border[] = ['pad', 'peel'];

/** How a leaf kernel serves blocks its tile does not divide: bounds checks, or blocks stored padded to the tile. */
export type Edge = 'guard' | 'pad';
export const edges: readonly Edge[] = ['guard', 'pad'];

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
  readonly steps: readonly Step[];
}
