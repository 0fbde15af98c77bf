import { roundingTo } from '../../base/rounding.ts';
import type { CodedFormat } from '../format.ts';
import { type FloatBits, floatCode, magnitudeOf, patternsOf } from './float-code.ts';

/** The parameters of a floating-point format of few bits. */
export interface FloatSpec extends FloatBits {
  readonly what: string;
  readonly source: string;
}

/** Returns a floating-point format of few bits. */
export function floatFormat({ what, source, ...bits }: FloatSpec): CodedFormat {
  const { name, signed = true, fractionBits, bias, specials } = bits;
  const { largest, infinity, nan } = patternsOf(bits);
  const maxFinite = magnitudeOf(largest, bits);
  const precision = fractionBits + 1;
  const round = roundingTo(precision, 1 - bias, Number.MAX_VALUE);
  const code = floatCode(bits);
  return {
    ...{ name, what, source, code, precision, maxFinite },
    holds: { negative: signed, infinity: infinity !== undefined, nan: nan !== undefined },
    integerBits: Math.min(precision, Math.floor(Math.log2(maxFinite))),
    unitRoundoff: 2 ** -precision,
    minNormal: 2 ** (1 - bias),
    minSubnormal: 2 ** (1 - bias - fractionBits),
    bytes: Math.ceil(code.bits / 8),
    exceptions: infinity !== undefined,
    underflow: { kept: 1, flushed: 3 },
    round(x) {
      if (!signed && x < 0) return Number.NaN;
      const rounded = round(x);
      if (Math.abs(rounded) > maxFinite)
        return infinity === undefined ? Number.NaN : Math.sign(x) * Number.POSITIVE_INFINITY;
      return specials === 'fnuz' || !signed ? rounded + 0 : rounded;
    },
  };
}
