import type { Random } from '../../base/random.ts';
import type { Item } from '../../base/registry.ts';
import type { Table } from '../../inputs/wild/table.ts';

/** A product that a program asks for: D = alpha·A·B + beta·C, of a batch with its matrices one below the other. */
export interface Wanted {
  readonly a: Table;
  readonly b: Table;
  readonly c?: Table | undefined;
  /** @defaultValue 1 */
  readonly alpha?: number | undefined;
  /** @defaultValue 0, or 1 where there is a C */
  readonly beta?: number | undefined;
  /** @defaultValue 1 */
  readonly batch?: number | undefined;
  /** What lies in memory as the transpose of what is multiplied, where a kernel takes that. @defaultValue nothing */
  readonly turned?: 'a' | 'b' | 'both' | undefined;
  /** Whether operands are blocks of wider matrices, where a kernel takes that. @defaultValue false */
  readonly isBlock?: boolean | undefined;
}

/** The products of a program, one after the other: the answer of each decides the next. */
export type Steps = Generator<Wanted, void, Table>;

/** What a routine draws from. */
export interface Desk {
  readonly random: Random;
  /** A matrix as such programs begin with; now and then what was computed last, as large as numbers usually are. */
  readonly data: (rows: number, cols: number) => Table;
}

/** A part of programs: what it multiplies depends on what it was answered. It goes on as long as it is asked. */
export interface Routine extends Pick<Item, 'name' | 'what'> {
  readonly steps: (desk: Desk) => Steps;
}
