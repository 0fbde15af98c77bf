import type { Coding, Operand } from './coding/coding.ts';
import type { Format } from './format.ts';

/** How operands are stored, and what they are rounded to. */
export interface Entering {
  readonly coded?: { readonly [of in Operand]?: Coding | undefined } | undefined;
  readonly multiplied: Format;
}

/** The format of the numbers that products are made of: the coarser of what operands hold and what they are rounded to. */
export function entering({ coded = {}, multiplied }: Entering): Format {
  const elements = [coded.a, coded.b].flatMap((coding) => (coding === undefined ? [] : elementOf(coding)));
  return elements.reduce((least, one) => (one.precision < least.precision ? one : least), multiplied);
}

/** With a zero point, whole numbers of either sign share the range of the elements. */
const elementOf = ({ element, zero }: Coding): Format =>
  zero === undefined ? element : { ...element, integerBits: element.integerBits - 1 };

/** Whether A and B may hold NaN and infinities that compute as in IEEE 754. */
export const takeSpecials = ({ a, b }: { readonly a: Format; readonly b: Format }): boolean =>
  a.exceptions && b.exceptions;

/** Whether factors of blocks are of 8 bits: what reads such is of the newest units. */
export const isMicroscaled = ({ coded = {} }: Pick<Entering, 'coded'>): boolean =>
  [coded.a, coded.b].some((coding) => coding?.scales[0].format.bytes === 1);
