import { describe, expect, test } from 'vitest';
import { posit16, positFormat } from './posit.ts';

// The same numbers by the nested definition: posits of one bit more lie between the existing ones, in the order of their patterns. All are
// integer multiples of 2^-64, exactly.
const UNIT = 64;
const toNumber = (units: bigint): number => Number(units) * 2 ** -UNIT;

/** Returns the posit between two neighbors: their middle, or that of their exponents if these are more than one apart. */
function between(low: bigint, high: bigint): bigint {
  if (high <= 2n * low) return (low + high) / 2n;
  const exponents = [low, high].reduce((sum, power) => sum + power.toString(2).length - 1, 0);
  return 1n << BigInt(exponents / 2);
}

/** Returns the posits of `bits` bits above zero, in order. */
function positsOf(bits: number): readonly bigint[] {
  if (bits === 2) return [1n << BigInt(UNIT)];
  const fewer = positsOf(bits - 1);
  const inner = fewer.flatMap((one, at) => (at === 0 ? [one] : [between(fewer[at - 1], one), one]));
  return [fewer[0] / 16n, ...inner, fewer[fewer.length - 1] * 16n];
}

describe.each([8, 16])('posits of %i bits', (bits) => {
  const format = bits === 16 ? posit16 : positFormat(bits);
  const { code, round, roundingError = () => Number.NaN } = format;
  const all = positsOf(bits);
  // Every other posit of one bit more is a tie.
  const ties = positsOf(bits + 1).filter((_, at) => at % 2 === 0);
  const negative = (pattern: number) => 2 ** bits - pattern;

  test('every pattern is its number, and every number its pattern', () => {
    expect(all).toHaveLength(2 ** (bits - 1) - 1);
    const wrong = all.flatMap((units, at) => {
      const [x, pattern] = [toNumber(units), at + 1];
      const decoded = [code.decode(pattern), code.decode(negative(pattern))];
      const encoded = [code.encode(x), code.encode(-x)];
      const isRight =
        decoded[0] === x &&
        decoded[1] === -x &&
        encoded[0] === pattern &&
        encoded[1] === negative(pattern) &&
        round(x) === x &&
        round(-x) === -x;
      return isRight ? [] : [{ pattern, x, decoded, encoded }];
    });
    expect(wrong.slice(0, 3)).toEqual([]);
    expect([code.decode(0), code.encode(0), code.encode(-0)]).toEqual([0, 0, 0]);
    expect(Object.is(round(-0), 0)).toBe(true);
  });

  test('every tie goes to the even pattern, and what lies beside it to its side', () => {
    const wrong = all.slice(1).flatMap((high, at) => {
      const [low, tie] = [all[at], ties[at + 1]].map(toNumber);
      const [lowest, highest] = [at + 1, at + 2];
      const cases = [
        [tie, lowest % 2 === 0 ? lowest : highest],
        ...[low * (1 + 2 ** -52), (low + tie) / 2, tie * (1 - 2 ** -53)].map((x) => [x, lowest]),
        ...[tie * (1 + 2 ** -52), (tie + toNumber(high)) / 2].map((x) => [x, highest]),
        [toNumber(high) * (1 - 2 ** -53), highest],
      ];
      return cases.filter(
        ([x, pattern]) => code.encode(x) !== pattern || code.encode(-x) !== negative(pattern),
      );
    });
    expect(wrong.slice(0, 3)).toEqual([]);
  });

  test('ties go away and others up, down and toward zero where that is asked', () => {
    const wrong = all.slice(1).flatMap((_, at) => {
      const [x, low, high] = [toNumber(ties[at + 1]), at + 1, at + 2];
      const found = (['nearest-away', 'up', 'down', 'toward-zero'] as const).flatMap((rounding) => [
        code.encode(x, { rounding }),
        code.encode(-x, { rounding }),
      ]);
      const [above, below] = [high, low].map(negative);
      const expected = [high, above, high, below, low, above, low, below];
      return found.join() === expected.join() ? [] : [{ x, found, expected }];
    });
    expect(wrong.slice(0, 3)).toEqual([]);
  });

  test('nothing but zero becomes zero, no number NaR, and what is none is NaR', () => {
    const { minSubnormal: least, maxFinite: most } = format;
    expect([least, most]).toEqual([toNumber(all[0]), toNumber(all[all.length - 1])]);
    for (const x of [least / 2, least * 2 ** -40, Number.MIN_VALUE])
      expect([round(x), round(-x)]).toEqual([least, -least]);
    for (const x of [2 * most, most * 2 ** 40, Number.MAX_VALUE])
      expect([round(x), round(-x)]).toEqual([most, -most]);
    for (const x of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(code.encode(x)).toBe(2 ** (bits - 1));
      expect(round(x)).toBeNaN();
    }
  });

  test('the error that it tells of is that of the worst number up to a size, of the gap that the size is in', () => {
    let worst = 0;
    const wrong = all.slice(1).flatMap((high, at) => {
      const tie = ties[at + 1];
      const [low, most] = [
        toNumber(all[at]),
        toNumber(tie - all[at] > high - tie ? tie - all[at] : high - tie),
      ];
      worst = Math.max(worst, most);
      const sizes = [low, toNumber(tie), toNumber(high) * (1 - 2 ** -53)];
      return sizes.filter(
        (size) => roundingError(size) !== worst || roundingError(size) < Math.abs(round(size) - size),
      );
    });
    expect(wrong).toEqual([]);
    const { minSubnormal: least, maxFinite: most } = format;
    expect([0, least / 3].map(roundingError)).toEqual([0, least]);
    expect(roundingError(4 * most)).toBe(3 * most);
    expect(roundingError(Number.NaN)).toBeNaN();
  });

  test('the record says what the patterns say', () => {
    const { precision, integerBits, unitRoundoff } = format;
    expect(round(1 + 2 ** (1 - precision))).toBe(1 + 2 ** (1 - precision));
    expect(round(1 + unitRoundoff)).toBe(1);
    for (let whole = 1; whole <= 2 ** integerBits; whole++) expect(round(whole)).toBe(whole);
    expect(round(2 ** (integerBits + 1) - 1)).not.toBe(2 ** (integerBits + 1) - 1);
  });
});
