import { exponentOf } from '../../base/binary64.ts';
import type { Code } from '../coding/code.ts';
import type { CodedFormat } from '../format.ts';
import { goesUp } from './goes-up.ts';

/** Exponent bits of every posit. */
const EXPONENT_BITS = 2;
const POWERS = 2 ** EXPONENT_BITS;

/** The number of a pattern above zero that is no NaR, of so many bits, 33 at most. */
function magnitudeOf(pattern: number, bits: number): number {
  const regime = (pattern << (33 - bits)) >>> 0;
  const isLarge = regime >= 2 ** 31;
  const run = Math.clz32(isLarge ? ~regime : regime);
  // A shift by 32 would be none.
  const rest = ((regime << run) << 1) >>> 0;
  const power = POWERS * (isLarge ? run - 1 : -run) + Math.floor(rest / 2 ** (32 - EXPONENT_BITS));
  return (1 + ((rest << EXPONENT_BITS) >>> 0) / 2 ** 32) * 2 ** power;
}

/** The pattern of the largest posit up to a number between the smallest and the largest, and what the bits after it are of a unit. */
function placeOf(size: number, bits: number): { readonly whole: number; readonly rest: number } {
  const exponent = exponentOf(size);
  const power = Math.floor(exponent / POWERS);
  const [regime, length] = power < 0 ? [1, 1 - power] : [2 ** (power + 2) - 2, power + 2];
  const head = regime * POWERS + exponent - POWERS * power;
  const fraction = size / 2 ** exponent - 1;
  const room = bits - 1 - length - EXPONENT_BITS;
  if (room >= 0) {
    const units = fraction * 2 ** room;
    return { whole: head * 2 ** room + Math.floor(units), rest: units % 1 };
  }
  const unit = 2 ** -room;
  // All that a fraction decides is on which side of a tie a number lies.
  return { whole: Math.floor(head / unit), rest: ((head % unit) + (fraction > 0 ? 0.5 : 0)) / unit };
}

/**
 * A posit of so many bits, 32 at most, 2 of them of the exponent. A tie lies at the posit of one bit more between two, and goes to the even
 * pattern. Nothing but zero becomes zero, and no number NaR: they end at the smallest and the largest posit. NaN and infinities are NaR.
 */
export function positFormat(bits: number): CodedFormat {
  const name = `posit${bits}`;
  const source = 'Standard for Posit Arithmetic (2022)';
  const notReal = 2 ** (bits - 1);
  const most = notReal - 1;
  const [minPositive, maxFinite] = [magnitudeOf(1, bits), magnitudeOf(most, bits)];
  // Near 1 a sign, two bits of regime and the exponent leave the rest.
  const precision = bits - 2 - EXPONENT_BITS;
  const code: Code = {
    bits,
    decode(pattern) {
      if (pattern === 0) return 0;
      if (pattern === notReal) return Number.NaN;
      return pattern > notReal ? -magnitudeOf(2 ** bits - pattern, bits) : magnitudeOf(pattern, bits);
    },
    encode(x, how = {}) {
      if (!Number.isFinite(x)) return notReal;
      if (x === 0) return 0;
      const size = Math.min(Math.max(Math.abs(x), minPositive), maxFinite);
      const { whole, rest } = placeOf(size, bits);
      const pattern = whole + (goesUp(whole, rest, x < 0, how) ? 1 : 0);
      return x < 0 ? 2 ** bits - pattern : pattern;
    },
  };
  /** The larger distance of the tie between a posit and the next from either. */
  const lostAfter = (pattern: number) => {
    const tie = magnitudeOf(2 * pattern + 1, bits + 1);
    return Math.max(tie - magnitudeOf(pattern, bits), magnitudeOf(pattern + 1, bits) - tie);
  };
  return {
    ...{ name, source, code, precision, maxFinite },
    what: `posits of ${bits} bits, ${EXPONENT_BITS} of them of the exponent`,
    holds: { negative: true, infinity: false, nan: true },
    integerBits: wholeBits(bits),
    unitRoundoff: 2 ** -precision,
    minNormal: minPositive,
    minSubnormal: minPositive,
    bytes: Math.ceil(bits / 8),
    exceptions: false,
    underflow: { kept: 0, flushed: 0 },
    round: (x) => code.decode(code.encode(x)),
    roundingError(size) {
      if (!(size < maxFinite)) return Math.max(size - maxFinite, lostAfter(most - 1));
      if (size < minPositive) return size === 0 ? 0 : minPositive;
      return lostAfter(placeOf(size, bits).whole);
    },
  };
}

/** The exponent up to which posits have all whole numbers: a fraction has as many bits there. */
function wholeBits(bits: number): number {
  const fraction = (exponent: number) => bits - 3 - EXPONENT_BITS - Math.floor(exponent / POWERS);
  let most = 0;
  while (fraction(most) >= most) most++;
  return most;
}

/** The posit of 16 bits. */
export const posit16: CodedFormat = positFormat(16);
