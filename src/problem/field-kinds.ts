import { ParanoiaError } from '../base/errors.ts';
import { readChain } from '../epilogue/chain-text.ts';
import { formatFactor, imaginaryPart, makeFactor, realPart, type ScaleFactor } from '../matrix/factor.ts';
import { customKind, type Kind, numberKind, parseNumber } from './kinds.ts';
import { isWithin, type NumberRange } from './ranges.ts';

const isChain = (value: unknown): boolean => typeof value === 'string' && refusalOf(value) === undefined;

/** Returns the error of a text that names no chain. */
function refusalOf(text: string): ParanoiaError | undefined {
  try {
    readChain(text);
    return undefined;
  } catch (error) {
    if (error instanceof ParanoiaError) return error;
    throw error;
  }
}

const asText = customKind<string>(
  'steps such as bias:row,gelu-tanh, or none',
  isChain,
  // Another notation of a chain has the same text.
  (text) => (isChain(text) ? readChain(text).text : text),
  (value) => value,
);

/** The kind of epilogues, as texts. A wrong step is refused by its own message. */
export const chainKind: Kind<string> = {
  ...asText,
  refuse: (told, text, known) => refusalOf(text) ?? asText.refuse(told, text, known),
};

/** Pattern of an optional real part and an imaginary one: `2i`, `-i`, `0.5-2e-3i`. */
const PARTS = /^(?<re>[+-]?\d[\d.]*(?:e[+-]?\d+)?(?=[+-]))?(?<im>[+-]?(?:\d[\d.]*(?:e[+-]?\d+)?)?)i$/i;

/** Returns the kind of a number in a range, or of a complex number with both parts in it. In patterns a complex number is literal. */
export function factorKind(range: NumberRange): Kind<ScaleFactor> {
  const real = numberKind(range);
  const need = `${range.need}, or such as 0.5-2i for complex entries`;
  const parts = [realPart, imaginaryPart];
  const read = (text: string): ScaleFactor => complexOf(text) ?? real.read(text);
  const holds = (value: unknown) =>
    typeof value === 'number' ? isWithin(value, range) : isComplexIn(value, range);
  const asText = customKind<ScaleFactor>(need, holds, read, formatFactor);
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
function complexOf(text: string): ScaleFactor | undefined {
  const found = PARTS.exec(text)?.groups;
  if (found === undefined) return undefined;
  const { re = '0', im } = found;
  return makeFactor(parseNumber(re) + 0, parseNumber(/\d/.test(im) ? im : `${im}1`) + 0);
}

function isComplexIn(value: unknown, range: NumberRange): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { re, im, ...rest } = value as Readonly<Record<string, unknown>>;
  const isPart = (x: unknown) => typeof x === 'number' && isWithin(x, range);
  return isPart(re) && isPart(im) && im !== 0 && Object.keys(rest).length === 0;
}
