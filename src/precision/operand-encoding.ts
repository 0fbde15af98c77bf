import { type Coding, hasOffsets, type Operand } from './coding/coding.ts';
import type { CodedFormat, Format } from './format.ts';

/** The codings of operands, and the format to which they are rounded. */
export interface OperandEncoding {
  readonly coded?: { readonly [of in Operand]?: Coding | undefined } | undefined;
  readonly multiplied: Format;
}

/**
 * Returns the format of the multiplied numbers: the coarser of the operands' elements and the format to which operands, or their parts,
 * are rounded.
 */
export function multipliedFormatOf({ coded = {}, multiplied }: OperandEncoding): Format {
  const elements = [coded.a, coded.b].flatMap((coding) => (coding === undefined ? [] : elementOf(coding)));
  return elements.reduce(
    (least, one) => (one.precision < least.precision ? one : least),
    multiplied.split?.of ?? multiplied,
  );
}

/**
 * Returns the format of a coding's elements. Whole numbers are multiples of a factor, even in a format of fractions. With a zero point,
 * numbers of either sign share the range of the elements.
 */
function elementOf({ element, ...offsets }: Coding): Format {
  const integerBits = Math.max(element.integerBits, element.precision - 1);
  return { ...element, integerBits: hasOffsets(offsets) ? integerBits - 1 : integerBits };
}

type Stored = { readonly a: Format; readonly b: Format };

/** True if A and B may hold NaN that computes as in IEEE 754. */
export const takeSpecials = ({ a, b }: Stored): boolean => [a, b].every(holdsNaN);

/** True if a format has NaN, which formats without infinities may have too. */
const holdsNaN = (format: Format | CodedFormat): boolean =>
  format.exceptions || ('holds' in format && format.holds.nan);

/** Returns the value that represents NaN or an infinity in A and B: without infinities, NaN represents these too. */
export const specialIn = ({ a, b }: Stored, x: number): number =>
  Number.isFinite(x) || (a.exceptions && b.exceptions) ? x : Number.NaN;

/** True if factors of blocks have 8 bits; only the newest units read them. */
export const isMicroscaled = ({ coded = {} }: Pick<OperandEncoding, 'coded'>): boolean =>
  [coded.a, coded.b].some((coding) => coding?.scales[0].format.bytes === 1);
