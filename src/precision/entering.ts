import type { Coding, Operand } from './coding/coding.ts';
import type { CodedFormat, Format } from './format.ts';

/** How operands are stored, and what they are rounded to. */
export interface Entering {
  readonly coded?: { readonly [of in Operand]?: Coding | undefined } | undefined;
  readonly multiplied: Format;
}

/** The format of the numbers that products are made of: the coarser of what operands hold and what they, or their parts, are rounded to. */
export function entering({ coded = {}, multiplied }: Entering): Format {
  const elements = [coded.a, coded.b].flatMap((coding) => (coding === undefined ? [] : elementOf(coding)));
  return elements.reduce(
    (least, one) => (one.precision < least.precision ? one : least),
    multiplied.split?.of ?? multiplied,
  );
}

/**
 * Whole numbers are multiples of a factor: those of a format of fractions too. With a zero point, those of either sign share the range of
 * the elements.
 */
function elementOf({ element, zero }: Coding): Format {
  const integerBits = Math.max(element.integerBits, element.precision - 1);
  return { ...element, integerBits: zero === undefined ? integerBits : integerBits - 1 };
}

type Stored = { readonly a: Format; readonly b: Format };

/** Whether A and B may hold NaN that computes as in IEEE 754. */
export const takeSpecials = ({ a, b }: Stored): boolean => [a, b].every(holdsNaN);

/** A format without infinities may have NaN nevertheless. */
const holdsNaN = (format: Format | CodedFormat): boolean =>
  format.exceptions || ('holds' in format && format.holds.nan);

/** What stands for NaN and the infinities in A and B: where they hold no infinities, NaN for those too. */
export const specialIn = ({ a, b }: Stored, x: number): number =>
  Number.isFinite(x) || (a.exceptions && b.exceptions) ? x : Number.NaN;

/** Whether factors of blocks are of 8 bits: what reads such is of the newest units. */
export const isMicroscaled = ({ coded = {} }: Pick<Entering, 'coded'>): boolean =>
  [coded.a, coded.b].some((coding) => coding?.scales[0].format.bytes === 1);
