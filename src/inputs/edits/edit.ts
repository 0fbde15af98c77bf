import type { Random } from '../../base/random.ts';
import type { Matrix } from '../../matrix/dense.ts';
import type { Format } from '../../precision/format.ts';
import type { Acceptance, InputFamily, InputShape } from '../input.ts';

/** Facts about a pair of matrices that hold for any of its entries. An edit may change them. */
export interface PairTraits extends Pick<InputFamily, 'statistics' | 'exactness' | 'reach'> {
  /** True if NaN or infinities may be among the entries. */
  readonly specials: boolean;
  /** True if entries of A and of B are multiplied by factors that cancel in the product. */
  readonly opposed?: boolean | undefined;
  /** True if entries may meet more nonzero entries than in the family. */
  readonly isSpread?: boolean | undefined;
  /** True if each index along k has a unit of its own. */
  readonly hasUnits?: boolean | undefined;
}

/** The pair that is edited in place. */
export interface EditedPair {
  readonly a: Matrix;
  readonly b: Matrix;
}

/** The inputs of an edit besides the pair. */
export interface EditTools {
  /** A random stream of this edit alone. */
  readonly random: Random;
  /** A random stream that is the same in real and imaginary parts, and in all products that share a matrix. */
  readonly shared: Random;
  /** The format of the entries. */
  readonly stored: Format;
  /** The format to which entries are rounded before the multiplication. */
  readonly multiplied: Format;
  /** The formats of sums, and of entries of D. */
  readonly accumulated: Format;
  readonly result: Format;
  /** Levels of recursion. */
  readonly levels: number;
}

/** A change of a generated pair. */
export interface Edit {
  /** Its text in a case: `spread:12`. */
  readonly text: string;
  /** Returns the traits after the edit. */
  traits(before: PairTraits): PairTraits;
  /** Decides if a shape is accepted. @defaultValue every shape is */
  accepts?(shape: InputShape): Acceptance;
  apply(pair: EditedPair, tools: EditTools): void;
  /** Changes C in place. @defaultValue C stays */
  addend?(c: Matrix, tools: Pick<EditTools, 'random'>): void;
}

/** A kind of edit, whose argument is not read yet. */
export interface EditKind {
  readonly name: string;
  /** One sentence on the change. */
  readonly what: string;
  /** The argument in words. Undefined where it takes none. */
  readonly takes: string | undefined;
  /** Reads an argument. Undefined if it is not one. */
  read(argument: string): Edit | undefined;
}

/** Reads a whole number in a range. Undefined if the text is not one. */
export function wholeBetween(text: string, least: number, most: number): number | undefined {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : undefined;
}
