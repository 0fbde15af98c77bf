import { describe, expect, it, test } from 'vitest';
import { isWhole } from '../src/base/in-short.testing.ts';
import { createRandom, type Random } from '../src/base/random.ts';
import {
  addRationals,
  equalRationals,
  multiplyRationals,
  type Rational,
  rational,
  toNumber,
} from '../src/base/rational.ts';
import { defaultThresholds } from '../src/evidence/checks/check.ts';
import { exactness } from '../src/evidence/checks/exactness.ts';
import { judgeProduct } from '../src/evidence/judge-product.ts';
import { findInput } from '../src/inputs/inputs.ts';
import { matrix } from '../src/matrix/dense.ts';
import { emulated } from '../src/precision/arithmetic.ts';
import { claimedNumbers } from '../src/precision/claimed-numbers.ts';
import { resultErrorOf } from '../src/precision/device-errors.ts';
import { posit16, positPrecision } from '../src/precision/posit.ts';

/**
 * The law: a sum of products of posits is their exact sum, rounded once, in any order. A kernel that rounds products, sums, ties or the
 * smallest numbers in another way is detected.
 *
 * Why: posits promise the quire. One additional rounding is half a unit, which no bound of other formats would detect.
 */
const { code, minSubnormal: least, maxFinite: most, round } = posit16;

/** Converts a double to a fraction. */
function fraction(x: number): Rational {
  const unit = 2 ** 120;
  return rational(BigInt(x * unit), BigInt(unit));
}

const isLess = (x: Rational, y: Rational): boolean => x.num * y.den < y.num * x.den;

/** Returns the posit of a fraction, by a search among all posits in order, with their ties. */
function nearest(x: Rational): number {
  if (x.num === 0n) return 0;
  if (x.num < 0n) return -nearest({ ...x, num: -x.num });
  let [low, high] = [1, 0x7fff];
  if (!isLess(fraction(least), x)) return least;
  if (!isLess(x, fraction(most))) return most;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (isLess(x, fraction(code.decode(middle)))) high = middle;
    else low = middle;
  }
  const [below, above] = [code.decode(low), code.decode(high)];
  const tie = fraction(above / below > 2 ? Math.sqrt(below * above) : (below + above) / 2);
  return isLess(x, tie) || (equalRationals(x, tie) && low % 2 === 0) ? below : above;
}

const exact = (x: readonly number[], y: readonly number[]): Rational =>
  x.reduce((sum, one, p) => addRationals(sum, multiplyRationals(fraction(one), fraction(y[p]))), rational(0));

/** Computes the entry of a row and a column with the model. */
function mirrored(x: readonly number[], y: readonly number[], order: 'any' | 'pairwise' = 'any'): number {
  const sums = { order, running: [{ rounding: 'nearest' }] } as const;
  const computation = { precision: positPrecision, arithmetic: emulated, sums };
  const out = new Float64Array(1);
  const shape = { m: 1, k: x.length, n: 1 };
  claimedNumbers(computation).multiply(Float64Array.from(x), Float64Array.from(y), shape, out);
  return resultErrorOf(computation)?.round(out[0]) ?? Number.NaN;
}

/** Sampling interval of patterns. */
const STEP = isWhole ? 1 : 23;

const anyPosit = (random: Random) => code.decode(random.int(0, 0x7fff)) * random.sign();
/** Draws numbers whose sums cancel, and leave terms that binary32 has lost. */
const farApart = (random: Random) => random.sign() * 2 ** (20 * random.int(-1, 1));
const near1 = (random: Random) => round(random.uniform(-1, 1));

describe('the model', () => {
  it('multiplies every posit by others as fractions do', () => {
    const random = createRandom(1);
    const wrong = Array.from({ length: Math.floor(0x7fff / STEP) }, (_, at) => [
      code.decode(at * STEP + 1),
      anyPosit(random),
    ]).filter(([x, y]) => !Object.is(mirrored([x], [y]), nearest(exact([x], [y]))));
    expect(wrong).toEqual([]);
  });

  it.each([
    ['any posits', anyPosit],
    ['numbers near 1', near1],
  ])('sums %s as fractions do, in any order', (_, draw) => {
    const random = createRandom(2);
    for (let turn = 0; turn < 400; turn++) {
      const line = () => Array.from({ length: random.int(0, 20) + 2 }, () => draw(random));
      const x = line();
      const y = x.map(() => draw(random));
      // Large terms cancel, and leave the small ones.
      const [left, right] =
        turn % 2 === 0
          ? [x, y]
          : [
              [...x, ...x.slice(1).map((one) => -one)],
              [...y, ...y.slice(1)],
            ];
      const expected = nearest(exact(left, right));
      expect(mirrored(left, right)).toBe(expected);
      expect(mirrored(left, right, 'pairwise')).toBe(expected);
    }
  });

  it('keeps what ends of the quire hold, and NaR', () => {
    expect(mirrored([most, least, -most], [most, least, most])).toBe(least);
    expect(mirrored(new Array(300).fill(most), new Array(300).fill(most))).toBe(most);
    expect(mirrored([least, least], [1, -1])).toBe(0);
    expect(mirrored([], [])).toBe(0);
    for (const none of [Number.NaN, Number.POSITIVE_INFINITY]) expect(mirrored([1, none], [1, 0])).toBeNaN();
    // A tie that much lower bits decide: 1 + 2^-12 + 2^-112.
    expect(mirrored([1, 2 ** -12, least], [1, 1, least])).toBe(1 + 2 ** -11);
    expect(mirrored([1, 2 ** -12, -least], [1, 1, least])).toBe(1);
    expect(mirrored([1, 2 ** -12], [1, 1])).toBe(1);
  });
});

test('powers of two make sums beyond both ends', () => {
  const { a, b } = findInput('powers-of-two').generate({
    m: 24,
    k: 3,
    n: 24,
    seed: 1,
    precision: positPrecision,
  });
  const sizes = Array.from({ length: 24 ** 2 }, (_, e) => {
    const [i, j] = [Math.floor(e / 24), e % 24];
    const along = [0, 1, 2];
    const row = along.map((p) => a.data[3 * i + p]);
    return Math.abs(
      mirrored(
        row,
        along.map((p) => b.data[24 * p + j]),
      ),
    );
  });
  expect(sizes).toEqual(expect.arrayContaining([least, most]));
});

type Entry = (x: readonly number[], y: readonly number[]) => number;
const products = (x: readonly number[], y: readonly number[]) => x.map((one, p) => one * y[p]);

const away = (sum: number): number => code.decode(code.encode(sum, { rounding: 'nearest-away' }));

/** Kernels, right and wrong, with the operands that show the fault; numbers from −1 to 1 by default. */
const kernels: Readonly<Record<string, { entry: Entry; isRight?: true; draw?: (random: Random) => number }>> =
  {
    'the exact sum, rounded once': { entry: (x, y) => nearest(exact(x, y)), isRight: true, draw: anyPosit },
    'every product rounded': {
      entry: (x, y) => round(products(x, y).reduce((sum, one) => sum + round(one), 0)),
    },
    'every operation rounded': {
      entry: (x, y) => products(x, y).reduce((sum, one) => round(sum + round(one)), 0),
    },
    'ties away from zero': {
      entry: (x, y) => away(toNumber(exact(x, y))),
      draw: (random) => random.int(-40, 40),
    },
    'the smallest numbers flushed': {
      entry(x, y) {
        const sum = nearest(exact(x, y));
        return Math.abs(sum) <= least ? 0 : sum;
      },
      draw: (random) => code.decode(random.int(1, 64)) * random.sign(),
    },
    'sums in binary32': {
      entry: (x, y) => round(products(x, y).reduce((sum, one) => Math.fround(sum + Math.fround(one)), 0)),
      draw: farApart,
    },
    'beyond the largest NaR': {
      entry(x, y) {
        const sum = nearest(exact(x, y));
        return Math.abs(sum) === most ? Number.NaN : sum;
      },
      draw: (random) => code.decode(random.int(0x7f00, 0x7fff)) * random.sign(),
    },
  };

const SIDE = 12;

test.each(Object.entries(kernels))('%s', (_, { entry, isRight, draw = near1 }) => {
  const random = createRandom(3);
  const lines = () => Array.from({ length: SIDE }, () => Array.from({ length: SIDE }, () => draw(random)));
  const [rows, columns] = [lines(), lines()];
  const of = (at: (i: number, j: number) => number) =>
    matrix(
      SIDE,
      SIDE,
      Float64Array.from({ length: SIDE ** 2 }, (_, e) => at(Math.floor(e / SIDE), e % SIDE)),
    );
  const c = of((i, j) => entry(rows[i], columns[j]));
  const [a, b] = [of((i, p) => rows[i][p]), of((p, j) => columns[j][p])];
  const judged = judgeProduct(c, a, b, { precision: 'posit16' });
  const check = exactness.judge(judged.evidence, defaultThresholds);
  expect(check.status).toBe(isRight ? 'pass' : 'fail');
  if (isRight) expect(judged.verdict).toBe('pass');
});
