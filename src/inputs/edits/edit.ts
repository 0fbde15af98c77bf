import type { Random } from '../../base/random.ts';
import type { Matrix } from '../../matrix/dense.ts';
import type { Format } from '../../precision/format.ts';
import type { Acceptance, InputFamily, InputShape } from '../input.ts';

/** What is known of a pair of matrices before its entries are: what an edit may change. */
export interface Traits extends Pick<InputFamily, 'statistics' | 'exactness' | 'reach'> {
  /** NaN or infinities may be among the entries. */
  readonly specials: boolean;
  /** Whether entries of A and of B are multiplied by factors that take each other back. */
  readonly opposed?: boolean | undefined;
  /** True if entries may meet more entries that are not 0 than the family has them meet. */
  readonly isSpread?: boolean | undefined;
  /** True if each place along k has a unit of its own. */
  readonly hasUnits?: boolean | undefined;
}

/** The pair that is being edited, in place. */
export interface Edited {
  readonly a: Matrix;
  readonly b: Matrix;
}

/** What an edit makes its changes from. */
export interface EditTools {
  /** A stream of random numbers of this edit alone. */
  readonly random: Random;
  /** A stream as {@link random}, the same in real and imaginary parts, and in all products that have a matrix in common. */
  readonly shared: Random;
  /** The format of the entries. */
  readonly stored: Format;
  /** The format that entries are rounded to before they are multiplied. */
  readonly multiplied: Format;
  /** The formats of sums, and of entries of D. */
  readonly accumulated: Format;
  readonly result: Format;
  /** Of recursion. */
  readonly levels: number;
}

/** A change of a generated pair. */
export interface Edit {
  /** As a case writes it: `spread:12`. */
  readonly text: string;
  /** What holds after it. */
  traits(before: Traits): Traits;
  /** By default every shape. */
  accepts?(shape: InputShape): Acceptance;
  apply(pair: Edited, tools: EditTools): void;
  /** The change of C, in place. By default none. */
  addend?(c: Matrix, tools: Pick<EditTools, 'random'>): void;
}

/** An edit before its argument is known. */
export interface EditKind {
  readonly name: string;
  /** One sentence: what is changed. */
  readonly what: string;
  /** The argument in words; undefined where it takes none. */
  readonly takes: string | undefined;
  /** The edit of an argument; undefined where that is none. */
  read(argument: string): Edit | undefined;
}

/** A whole number in a range, as text; undefined where it is none. */
export function wholeBetween(text: string, least: number, most: number): number | undefined {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : undefined;
}
