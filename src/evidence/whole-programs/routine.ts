import type { Random } from '../../base/random.ts';
import type { Item } from '../../base/registry.ts';
import type { DraftMatrix } from '../../inputs/wild/table.ts';
import { wild } from '../../inputs/wild/wild.ts';
import type { Precision } from '../../precision/precision.ts';

/** A product that a program requests: D = alpha·A·B + beta·C; the matrices of a batch lie one below the other. */
export interface RequestedProduct {
  readonly a: DraftMatrix;
  readonly b: DraftMatrix;
  readonly c?: DraftMatrix | undefined;
  /** @defaultValue 1 */
  readonly alpha?: number | undefined;
  /** @defaultValue 0, or 1 where there is a C */
  readonly beta?: number | undefined;
  /** @defaultValue 1 */
  readonly batch?: number | undefined;
  /** Operands that are stored as their transposes, where the kernel accepts that. @defaultValue none */
  readonly turned?: 'a' | 'b' | 'both' | undefined;
  /** True if operands are blocks of wider matrices, where the kernel accepts that. @defaultValue false */
  readonly isBlock?: boolean | undefined;
}

/** The products of a program, one after the other: the answer of each decides the next. */
type ProgramSteps = Generator<RequestedProduct, void, DraftMatrix>;

export interface RoutineSources {
  readonly random: Random;
  /** Makes a matrix of initial data; now and then from the last result, scaled to the usual size. */
  readonly data: (rows: number, cols: number) => DraftMatrix;
}

/** A part of programs, whose products depend on earlier answers. It continues as long as products are taken. */
export interface Routine extends Pick<Item, 'name' | 'what'> {
  readonly steps: (desk: RoutineSources) => ProgramSteps;
}

/**
 * Returns the reason for which a precision has no programs, as a clause; undefined where it has. The numbers of programs are no larger
 * than those of `wild` inputs.
 */
export function whyNoPrograms(precision: Precision): string | undefined {
  const found = wild.accepts({ m: 1, k: 1, n: 1, precision });
  return found.ok ? undefined : found.reason;
}

/**
 * Number of consecutive seeds, from a multiple of it on, whose programs together have all routines: each continues where the last may end.
 */
export const TOGETHER = 8;
