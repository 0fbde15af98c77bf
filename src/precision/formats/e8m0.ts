import { exponentOf } from '../../base/binary64.ts';
import type { Code } from '../coding/code.ts';
import type { CodedFormat } from '../format.ts';
import { roundsUp, staysFinite } from './float-code.ts';

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
