import { type Factor, factorOf, imaginaryPart, realPart, writtenFactor } from '../matrix/factor.ts';
import { type Kind, numberIn, numberOf, written } from './kinds.ts';
import { isWithin, type Range } from './ranges.ts';

/** Pattern of an optional real part and an imaginary one: `2i`, `-i`, `0.5-2e-3i`. */
const PARTS = /^(?<re>[+-]?\d[\d.]*(?:e[+-]?\d+)?(?=[+-]))?(?<im>[+-]?(?:\d[\d.]*(?:e[+-]?\d+)?)?)i$/i;

/** Returns the kind of a number in a range, or of a complex number with both parts in it. In patterns a complex number is literal. */
export function factorIn(range: Range): Kind<Factor> {
  const real = numberIn(range);
  const need = `${range.need}, or such as 0.5-2i for complex entries`;
  const parts = [realPart, imaginaryPart];
  const read = (text: string): Factor => complexOf(text) ?? real.read(text);
  const holds = (value: unknown) =>
    typeof value === 'number' ? isWithin(value, range) : isComplexIn(value, range);
  const asText = written<Factor>(need, holds, read, writtenFactor);
  return {
    ...asText,
    json: undefined,
    matcher(field, text, known) {
      if (text === '*') return () => true;
      if (/i/i.test(text)) {
        const wanted = complexOf(text);
        if (wanted === undefined) throw asText.refuse({ field, where: field }, text, known);
        return (value) => parts.every((part) => part(value) === part(wanted));
      }
      const matches = real.matcher(field, text, known);
      return (value) => typeof value === 'number' && matches(value);
    },
  };
}

/** Reads a text with an i as a number. Undefined for any other text. */
function complexOf(text: string): Factor | undefined {
  const found = PARTS.exec(text)?.groups;
  if (found === undefined) return undefined;
  const { re = '0', im } = found;
  return factorOf(numberOf(re) + 0, numberOf(/\d/.test(im) ? im : `${im}1`) + 0);
}

function isComplexIn(value: unknown, range: Range): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { re, im, ...rest } = value as Readonly<Record<string, unknown>>;
  const isPart = (x: unknown) => typeof x === 'number' && isWithin(x, range);
  return isPart(re) && isPart(im) && im !== 0 && Object.keys(rest).length === 0;
}
