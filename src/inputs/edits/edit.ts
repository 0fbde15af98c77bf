import type { Random } from '../../base/random.ts';
import type { Matrix } from '../../matrix/dense.ts';
import type { Format } from '../../precision/format.ts';
import type { Precision } from '../../precision/precision.ts';
import { singlePrecision } from '../../precision/single.ts';
import { type Acceptance, acceptIf, type InputFamily, type InputShape } from '../input.ts';

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

/** The parts of an edit besides its text. */
type EditChange = Omit<Edit, 'text' | 'traits'> & Partial<Pick<Edit, 'traits'>>;

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

/** Returns a kind of edits without an argument. Its pairs keep the traits that it does not name. */
export function plainEdit({ name, what, ...own }: Pick<EditKind, 'name' | 'what'> & EditChange): EditKind {
  const edit: Edit = { text: name, traits: (before) => before, ...own };
  return { name, what, takes: undefined, read: () => edit };
}

/** Returns a kind of edits whose argument is a whole number from 1 to `most`. */
export const numberedEdit = (
  { name, what, most }: Pick<EditKind, 'name' | 'what'> & { readonly most: number },
  changeBy: (argument: number) => EditChange,
): EditKind => ({
  name,
  what,
  takes: `a whole number from 1 to ${most}`,
  read(text) {
    const argument = wholeUpTo(most, text);
    if (argument === undefined) return undefined;
    return { text: `${name}:${argument}`, traits: (before) => before, ...changeBy(argument) };
  },
});

/** Reads a whole number from 1 to `most`. Undefined if the text is not one. */
export function wholeUpTo(most: number, text: string): number | undefined {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  return value >= 1 && value <= most ? value : undefined;
}

/** Returns the traits of pairs of which only whole numbers that stay exact in any algorithm stay so, and whose entries may meet more others. */
export const structured = (before: PairTraits): PairTraits => ({
  ...before,
  statistics: 'structured',
  exactness: before.exactness === 'integers' ? 'integers' : 'none',
  isSpread: true,
});

/** Number of binades below 1 in which entries of families may lie. */
export const GRAIN = 24;

/** Accepts formats in which entries of families stay normal when they are divided by 2^binades. */
export const acceptNormal = (
  binades: number,
  { name, multiplied }: Precision = singlePrecision,
): Acceptance =>
  acceptIf(
    2 ** (-binades - GRAIN) >= multiplied.minNormal,
    `entries of 2^-${binades + GRAIN} are not normal in ${name}`,
  );

/** The refusal of recursion, which adds lines of unlike magnitudes. */
export const UNLIKE_LINES: Acceptance = {
  ok: false,
  reason: 'recursion adds rows or columns of different magnitudes',
};
