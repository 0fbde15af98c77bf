import type { BlockLayout } from '../../plan/layout.ts';
import type { BufferName } from '../../plan/plan.ts';

/** The ranges of a product on the device: the buffers of a plan, D if it is apart from C, factors of coded A and B, an epilogue's numbers. */
export type RangeName = BufferName | 'D' | 'SA' | 'SB' | 'E';

/** A part of a range as a dispatch binds it, `offset` entries from the start of the range. */
export interface BoundRange {
  readonly buffer: RangeName;
  readonly offset: number;
  readonly layout: Pick<BlockLayout, 'size'>;
  /** The words of the units that offset and size count, if these are not entries of the program's precision. */
  readonly words?: 1 | undefined;
}

/** One dispatch of a plan, ready to be encoded. */
export interface Dispatch {
  /** The step in words: "step 9 of 17, product 3: mulIncInc(C12, C21, C11, C22)". */
  readonly label: string;
  readonly shader: string;
  /** The words of the uniform at binding 0. */
  readonly params: readonly number[];
  /** True if the plan's layout words are bound at binding 1. */
  readonly layouts: boolean;
  /** A range that is copied to a texture and bound after the layouts. */
  readonly texture?: BoundRange;
  /** The ranges bound after that, in order. */
  readonly blocks: readonly BoundRange[];
  /** The workgroups in x and y, and in z if a batch of products is dispatched at once. */
  readonly workgroups: readonly [x: number, y: number, z?: number];
  /** Arithmetic operations, by which long work is split. */
  readonly operations: number;
}
