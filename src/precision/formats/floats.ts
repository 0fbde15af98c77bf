import { exponentOf } from '../../base/binary64.ts';
import { roundingTo } from '../../base/rounding.ts';
import type { Code } from '../coding/code.ts';
import type { CodedFormat } from '../format.ts';
import { type FloatBits, floatCode, magnitudeOf, patternsOf, roundsUp, staysFinite } from './float-code.ts';

interface FloatSpec extends FloatBits {
  readonly what: string;
  readonly source: string;
}

function floatFormat({ what, source, ...bits }: FloatSpec): CodedFormat {
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

const OFP8 = 'OCP 8-bit Floating Point Specification (OFP8) 1.0';
const MX = 'OCP Microscaling Formats (MX) 1.0';
const NOUNE =
  'Noune, Jones, Justus, Masters, Luschi, 8-bit numerical formats for deep neural networks, 2022; LLVM and ONNX';

/** Returns a format with a sign, by its bits of exponent and fraction and its bias; `which` tells its patterns that are not finite. */
function signed(
  name: string,
  [exponentBits, fractionBits, bias]: readonly [number, number, number],
  specials: FloatBits['specials'],
  source: string,
  which = 'neither NaN nor infinity',
): CodedFormat {
  const bits = { name, exponentBits, fractionBits, bias, specials };
  const fields = `exponent and ${fractionBits} fraction bits`;
  const words = fractionBits === 1 ? 'exponent bits and 1 fraction bit' : fields;
  const most = magnitudeOf(patternsOf(bits).largest, bits);
  return floatFormat({ ...bits, source, what: `${exponentBits} ${words}, up to ${most}, ${which}` });
}

export const e4m3 = signed('e4m3', [4, 3, 7], 'one-nan', OFP8, 'a NaN of each sign and no infinity');
export const e5m2 = signed('e5m2', [5, 2, 15], 'ieee', OFP8, 'infinities and NaN as in IEEE 754');
export const e4m3fnuz = signed('e4m3fnuz', [4, 3, 8], 'fnuz', NOUNE, 'one NaN, one zero and no infinity');
export const e5m2fnuz = signed('e5m2fnuz', [5, 2, 16], 'fnuz', NOUNE, 'one NaN, one zero and no infinity');
export const e3m2 = signed('e3m2', [3, 2, 3], 'none', MX);
export const e2m3 = signed('e2m3', [2, 3, 1], 'none', MX);
export const e2m1 = signed('e2m1', [2, 1, 1], 'none', MX);
export const ue4m3 = floatFormat({
  name: 'ue4m3',
  what: 'e4m3 without a sign, in 7 bits: the scale of NVFP4’s blocks',
  source: 'NVIDIA, PTX ISA, alternate floating-point data formats',
  signed: false,
  exponentBits: 4,
  fractionBits: 3,
  bias: 7,
  specials: 'one-nan',
});

const BIAS = 127;
const NOT_A_NUMBER = 0xff;
const LARGEST = 0xfe;

/**
 * The code of powers of two: the pattern p stands for 2^(p − 127). A tie lies half-way between powers and goes to the one with the even
 * significand, which is the larger. There is no zero and no sign: numbers below the smallest power become it, zero too; negative numbers
 * become NaN.
 */
const code: Code = {
  bits: 8,
  decode: (pattern) => (pattern === NOT_A_NUMBER ? Number.NaN : 2 ** (pattern - BIAS)),
  encode(x, how = {}) {
    if (Number.isNaN(x) || x < 0) return NOT_A_NUMBER;
    if (x <= 2 ** -BIAS) return 0;
    const beyond = how.overflow === 'saturate' ? LARGEST : NOT_A_NUMBER;
    if (x === Number.POSITIVE_INFINITY) return beyond;
    const exponent = exponentOf(x);
    const pattern = exponent + BIAS + (roundsUp(1, x / 2 ** exponent - 1, false, how) ? 1 : 0);
    if (pattern <= LARGEST) return pattern;
    return staysFinite(false, how) ? LARGEST : beyond;
  },
};

/** The format of powers of two: the scales of MX's blocks. */
export const e8m0: CodedFormat = {
  name: 'e8m0',
  what: 'powers of two from 2^-127 to 2^127 without zero or sign, and a NaN: the scale of MX’s blocks',
  source: 'OCP Microscaling Formats (MX) 1.0',
  code,
  precision: 1,
  holds: { negative: false, infinity: false, nan: true },
  integerBits: 0,
  unitRoundoff: 2 ** -1,
  minNormal: 2 ** -BIAS,
  minSubnormal: 2 ** -BIAS,
  maxFinite: 2 ** BIAS,
  bytes: 1,
  exceptions: false,
  underflow: { kept: 1, flushed: 3 },
  round: (x) => code.decode(code.encode(x)),
};
