import { bf16, type Format, f16, f32, f64, tf32 } from './format.ts';

/** The formats in which a kernel may keep and add the sums of parts of k. */
const known = { bf16, f16, tf32, f32, f64 };
export type PartialFormat = keyof typeof known;
export const partialFormats = Object.keys(known) as readonly PartialFormat[];

/** The claims about the sums of parts: the format in which they are kept, and the one in which they are added. */
export interface PartialSums {
  readonly format: PartialFormat;
  /** @defaultValue as other sums are added */
  readonly added?: PartialFormat | undefined;
}

/** The formats to which the sum of each part, and each sum of parts, are rounded to nearest. */
export interface PartialRounding {
  readonly kept: Format;
  /** Undefined where sums of parts are rounded like all other sums. */
  readonly added?: Format | undefined;
}

/** Returns the formats of claimed partial sums; undefined where none is claimed. */
export const partialRoundingOf = (claimed: PartialSums | undefined): PartialRounding | undefined =>
  claimed && { kept: known[claimed.format], added: claimed.added && known[claimed.added] };

/** Returns the formats to which partial sums are rounded. */
export const formatsOfParts = (partial: PartialRounding | undefined): readonly Format[] =>
  [partial?.kept, partial?.added].filter((format) => format !== undefined);
