import { describe, expect, test } from 'vitest';
import { exponentOf } from '../../base/binary64.ts';
import { inShort } from '../../base/in-short.testing.ts';
import { createRandom } from '../../base/random.ts';
import type { CodeRounding, Encoding } from '../coding/code.ts';
import type { CodedFormat } from '../format.ts';
import { formats } from './formats.ts';
import { holdsExactly, neighborOf } from './neighbours.testing.ts';
import { iq4nl } from './whole-formats.ts';

const random = createRandom(31);

/**
 * Returns the finite numbers of a format with their patterns, in order. For formats of many bits it returns some, each with its
 * neighbors.
 */
function numbersOf({ code }: CodedFormat): readonly (readonly [number, number])[] {
  const patterns =
    code.bits <= 16
      ? Array.from({ length: 2 ** code.bits }, (_, pattern) => pattern)
      : Array.from({ length: 2000 }, (_, at) => at).flatMap((at) => [at, 2 ** 31 - 1 - at, 2 ** 32 - 1 - at]);
  return patterns
    .map((pattern) => [code.decode(pattern), pattern] as const)
    .filter(([x]) => Number.isFinite(x))
    .sort(([x], [y]) => x - y || Number(Object.is(y, -0)) - Number(Object.is(x, -0)));
}

/** The neighbor to which a number between two rounds. These rules use comparisons only, no arithmetic of the product's own. */
const choices: Readonly<Record<Exclude<CodeRounding, 'stochastic'>, (gap: Gap) => 'low' | 'high'>> = {
  nearest: ({ fraction, evenIsLow }) => (fraction < 0.5 || (fraction === 0.5 && evenIsLow) ? 'low' : 'high'),
  'nearest-away': ({ fraction, low }) => (fraction < 0.5 || (fraction === 0.5 && low < 0) ? 'low' : 'high'),
  'toward-zero': ({ low }) => (low < 0 ? 'high' : 'low'),
  up: () => 'high',
  down: () => 'low',
};

interface Gap {
  readonly low: number;
  readonly fraction: number;
  readonly evenIsLow: boolean;
}

/** Yields points in the gap between two finite neighbors: quarters, the middle, and points next to it and to the ends. */
function* pointsIn(low: number, high: number): Generator<readonly [x: number, fraction: number]> {
  for (const fraction of [2 ** -20, 0.25, 0.5 - 2 ** -20, 0.5, 0.5 + 2 ** -20, 0.75, 1 - 2 ** -20]) {
    yield [low + (high - low) * fraction, fraction];
  }
}

/** The formats, and one given by a table, which holds elements alone. */
const all = [...formats.items, iq4nl].map((format) => [format.name, format] as const);

describe.each(all)('%s', (name, format) => {
  const { code, round } = format;
  const finite = numbersOf(format);
  const { length } = finite;
  const gaps = Array.from({ length: length - 1 }, (_, at) => at).filter(
    (at) => finite[at][0] !== finite[at + 1][0] && (length < 2 ** 12 || random.int(0, 63) === 0 || at < 64),
  );

  test('every number has its pattern back, and every NaN is NaN', () => {
    const wrong = finite.filter(([x, pattern]) => code.encode(x) !== pattern);
    expect(wrong).toEqual([]);
    if (code.bits <= 16) {
      const others = 2 ** code.bits - length;
      expect(others > 0).toBe(format.holds.nan);
    }
  });

  test('the record says what the patterns say', () => {
    const all = finite.map(([x]) => x);
    const positive = all.filter((x) => x > 0);
    expect(all[length - 1]).toBe(format.maxFinite);
    expect(positive[0]).toBe(format.minSubnormal);
    expect(all[0] < 0).toBe(format.holds.negative);
    expect(round(2 ** -format.precision + 1)).not.toBe(1 + 2 ** -format.precision);
    for (let whole = 1; whole <= Math.min(2 ** format.integerBits, 4096); whole++)
      expect(round(whole)).toBe(whole);
    expect(positive.every((x) => x < format.minNormal || exponentOf(x) >= exponentOf(format.minNormal))).toBe(
      true,
    );
  });

  test.each(inShort(Object.entries(choices), 3))(
    'between neighbours %s goes where comparing says',
    (rounding, choose) => {
      const how: Encoding = { rounding: rounding as CodeRounding };
      const wrong: unknown[] = [];
      for (const at of gaps) {
        const [[low, lowCode], [high, highCode]] = [finite[at], finite[at + 1]];
        if (high - low > 2 ** 1000) continue;
        for (const [x, fraction] of pointsIn(low, high)) {
          // For powers of two, whose significands are all 1, the upper end of a gap counts as even.
          const evenIsLow = name !== 'e8m0' && (lowCode % 2 === 0 || code.decode(lowCode) === 0);
          const want = choose({ low, fraction, evenIsLow }) === 'low' ? low : high;
          const got = code.decode(code.encode(x, how));
          if (got !== want || (rounding === 'nearest' && round(x) !== want))
            wrong.push({ x, low, high, got, highCode });
        }
      }
      expect(wrong.slice(0, 3)).toEqual([]);
    },
  );

  test('stochastic rounding goes away from zero by the chance of what is left', () => {
    const wrong = gaps.slice(0, 100).flatMap((at) => {
      const [[low], [high]] = [finite[at], finite[at + 1]];
      const [near, far] = low < 0 ? [high, low] : [low, high];
      return [...pointsIn(low, high)].filter(([x, fraction]) => {
        const chance = low < 0 ? 1 - fraction : fraction;
        const drawn = (u: number) => code.decode(code.encode(x, { rounding: 'stochastic', random: () => u }));
        return drawn(chance) !== near || drawn(chance - 2 ** -30) !== far;
      });
    });
    expect(wrong).toEqual([]);
  });

  test('stochastic rounding without random numbers is refused, whether a number is held or not', () => {
    const [[low], [high]] = [finite[gaps[0]], finite[gaps[0] + 1]];
    for (const x of [high, low + (high - low) / 4])
      expect(() => code.encode(x, { rounding: 'stochastic' })).toThrow('a seeded random source');
  });

  test('neighbours are those of the list of all', () => {
    const wrong = gaps.filter((at) => {
      const [[low], [high]] = [finite[at], finite[at + 1]];
      const between = low + (high - low) / 4;
      const isBeside =
        [low, between].every((x) => neighborOf(format, x, 'up') === high) &&
        [high, between].every((x) => neighborOf(format, x, 'down') === low);
      return (
        !isBeside ||
        !holdsExactly(format, low) ||
        !holdsExactly(format, high) ||
        holdsExactly(format, between)
      );
    });
    expect(wrong).toEqual([]);
    const top = format.holds.infinity ? Number.POSITIVE_INFINITY : undefined;
    expect(neighborOf(format, format.maxFinite, 'up')).toBe(top);
    expect(neighborOf(format, Number.POSITIVE_INFINITY, 'up')).toBeUndefined();
    expect(holdsExactly(format, Number.NaN)).toBe(format.holds.nan);
    expect(holdsExactly(format, Number.POSITIVE_INFINITY)).toBe(format.holds.infinity);
    expect(holdsExactly(format, Number.NEGATIVE_INFINITY)).toBe(
      format.holds.infinity && format.holds.negative,
    );
  });
});
