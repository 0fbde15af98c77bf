import type { Layout } from '../../plan/layout.ts';
import type { BufferName } from '../../plan/plan.ts';

/** What a product has on the device: the buffers of a plan, D where it lies apart from C, the factors of A and B where these are coded. */
export type RangeName = BufferName | 'D' | 'SA' | 'SB';

/** So many entries of a range, `offset` entries from its start, as a dispatch binds them. */
export interface Bound {
  readonly buffer: RangeName;
  readonly offset: number;
  readonly layout: Pick<Layout, 'size'>;
  /** Words of what offset and size count, where these are no entries of the program's. */
  readonly words?: 1 | undefined;
}

/** One dispatch of a plan, ready to be encoded. */
export interface Dispatch {
  /** The step in words: "step 9 of 17, product 3: mulIncInc(C12, C21, C11, C22)". */
  readonly label: string;
  readonly shader: string;
  /** The words of the uniform at binding 0. */
  readonly params: readonly number[];
  /** Whether the plan's layout words are bound at binding 1. */
  readonly layouts: boolean;
  /** A range whose words are copied to a texture, which is bound after that. */
  readonly texture?: Bound;
  /** The ranges bound after that, in order. */
  readonly blocks: readonly Bound[];
  /** In x and y; in z too where a batch of products is dispatched at once. */
  readonly workgroups: readonly [x: number, y: number, z?: number];
  /** Arithmetic operations, for splitting long work. */
  readonly operations: number;
}
