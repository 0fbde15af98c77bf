import { deviation, mean } from 'd3-array';
import jStat from 'jstat';
import { describe, expect, it, test } from 'vitest';
import { itWhole } from '../../base/in-short.testing.ts';
import { createRandom } from '../../base/random.ts';
import { bootstrapInterval, twoSidedTail, twoSidedTailOfLargest, upperTail } from './statistics.ts';
import { gamesHowell, welchAnova } from './tests-of-means.ts';

it('has the tails of the normal distribution', () => {
  // Abramowitz and Stegun, Handbook of Mathematical Functions, table 26.1: Q(2), Q(4); Q(6) = 9.8659e-10.
  expect(twoSidedTail(2)).toBeCloseTo(2 * 0.0227501319, 9);
  expect(twoSidedTail(4)).toBeCloseTo(2 * 3.16712418e-5, 12);
  expect(twoSidedTail(6) / (2 * 9.865876450377e-10)).toBeCloseTo(1, 12);
  // Table 26.2: −log Q(20) = 89.561, Q(38) underflows a normal double.
  expect(-Math.log10(upperTail(20))).toBeCloseTo(88.56, 2);
  expect([upperTail(0), upperTail(Number.POSITIVE_INFINITY), upperTail(Number.NEGATIVE_INFINITY)]).toEqual([
    0.5, 0, 1,
  ]);
});

it('tells what the largest of many does', () => {
  expect(twoSidedTailOfLargest(2, 1)).toBeCloseTo(twoSidedTail(2), 12);
  expect(twoSidedTailOfLargest(6, 2 ** 16)).toBeLessThan(1.3e-4);
  expect(twoSidedTailOfLargest(2, 1e6)).toBe(1);
});

it('is the integral of the density, from the middle into the tail', () => {
  for (const t of [-3, -0.4, 0.1, 1, 2.49, 2.51, 5, 12, 30]) {
    // Simpson's rule for ∫φ(t + x)dx/φ(t), in double.
    const panels = 40_000;
    const end = 30 / Math.max(1, t);
    const h = end / panels;
    let sum = 0;
    for (let at = 0; at <= panels; at++) {
      const weight = at === 0 || at === panels ? 1 : at % 2 === 1 ? 4 : 2;
      sum += weight * Math.exp(-t * h * at - (h * at) ** 2 / 2);
    }
    const expected = (Math.exp((-t * t) / 2) / Math.sqrt(2 * Math.PI)) * ((sum * h) / 3);
    expect(upperTail(t) / expected).toBeCloseTo(1, t < 0 ? 8 : 11);
  }
});

/** Data of Beall 1942, as R distributes it: insects counted after six sprays. */
const sprays = [
  [10, 7, 20, 14, 14, 12, 10, 23, 17, 20, 14, 13],
  [11, 17, 21, 11, 16, 14, 17, 17, 19, 21, 7, 13],
  [0, 1, 7, 2, 3, 1, 2, 1, 3, 0, 1, 4],
  [3, 5, 12, 6, 4, 3, 5, 5, 5, 5, 2, 4],
  [3, 5, 3, 5, 3, 6, 1, 1, 3, 2, 6, 4],
  [11, 9, 15, 22, 15, 16, 13, 10, 26, 26, 24, 13],
];
/** Data of Cushny and Peebles 1905, R's `sleep`: additional hours of sleep with two drugs. */
const sleep = [
  [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2],
  [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
];
/** Data of the examples of Tukey's test in SAS and SciPy: minutes to relief. */
const relief = [
  [24.5, 23.5, 26.4, 27.1, 29.9],
  [28.4, 34.2, 29.5, 32.2, 30.1],
  [26.1, 28.3, 24.3, 26.2, 27.8],
];

describe('bootstrap', () => {
  const random = createRandom(5);
  const values = Array.from({ length: 400 }, () => 10 + random.normal());

  test('of a mean is about that of the normal theory', () => {
    const [low, high] = bootstrapInterval(values, { of: mean });
    const [center, spread] = [mean(values) ?? Number.NaN, deviation(values) ?? Number.NaN];
    const half = (1.96 * spread) / Math.sqrt(values.length);
    expect(low).toBeCloseTo(center - half, 1.6);
    expect(high).toBeCloseTo(center + half, 1.6);
    expect((high - low) / (2 * half)).toBeGreaterThan(0.9);
    expect((high - low) / (2 * half)).toBeLessThan(1.1);
  });

  test('is wider for more confidence, the same for the same seed, a point where nothing varies', () => {
    const few = values.slice(0, 30);
    const [low, high] = bootstrapInterval(few);
    const [lower, higher] = bootstrapInterval(few, { confidence: 0.99 });
    expect(lower).toBeLessThan(low);
    expect(higher).toBeGreaterThan(high);
    expect(bootstrapInterval(few)).toEqual([low, high]);
    expect(bootstrapInterval(few, { seed: 2 })).not.toEqual([low, high]);
    expect(bootstrapInterval([4, 4, 4])).toEqual([4, 4]);
  });

  test('of too few or of no numbers is refused in words', () => {
    expect(() => bootstrapInterval([1, 2])).toThrow(/Too few samples for a bootstrap interval: 2, .* 3/);
    expect(() => bootstrapInterval([1, 2, Number.NaN])).toThrow(/finite number, but is NaN/);
    expect(() =>
      welchAnova([
        [1, 2],
        [1, Number.POSITIVE_INFINITY],
      ]),
    ).toThrow(/finite number, but is Infinity/);
  });
});

describe("Welch's analysis of variance", () => {
  test("gives what R's oneway.test prints for InsectSprays", () => {
    const found = welchAnova(sprays);
    if (!found.tested) throw new Error(found.reason);
    expect(found.f).toBeCloseTo(36.0654, 4);
    expect(found.between).toBe(5);
    expect(found.within).toBeCloseTo(30.043, 3);
    expect(found.p / 7.999e-12).toBeCloseTo(1, 3);
  });

  test("of two samples is the square of Welch's t: R's t.test of sleep", () => {
    const found = welchAnova(sleep);
    if (!found.tested) throw new Error(found.reason);
    expect(Math.sqrt(found.f)).toBeCloseTo(1.8608, 4);
    expect(found.within).toBeCloseTo(17.776, 3);
    expect(found.p).toBeCloseTo(0.07939, 5);
  });

  test('is not made of one sample, of samples of one value, of constant ones', () => {
    expect(welchAnova([[1, 2]])).toMatchObject({
      tested: false,
      reason: expect.stringMatching(/two samples/),
    });
    expect(welchAnova([[1], [1, 2]])).toMatchObject({ reason: expect.stringMatching(/sample 1 has fewer/) });
    const constant = [
      [1, 2],
      [0.1, 0.1, 0.1],
    ];
    expect(welchAnova(constant)).toMatchObject({ reason: expect.stringMatching(/sample 2 is constant/) });
    expect(gamesHowell(constant)).toMatchObject({ reason: expect.stringMatching(/sample 2 is constant/) });
  });
});

test("jStat's tails have the digits that its declaration promises", () => {
  // With two degrees of freedom of the numerator, F's tail is (1 + 2f/within)^(−within/2). With one, it is the tail of Student's t, which
  // with one degree of freedom is an arc.
  for (const [f, within] of [
    [1, 3],
    [36, 30],
    [20, 1e7],
    [1e9, 2.5],
  ]) {
    const expected = Math.exp((-within / 2) * Math.log1p((2 * f) / within));
    expect(jStat.ibeta(within / (within + 2 * f), within / 2, 1) / expected).toBeCloseTo(1, 8);
  }
  expect(jStat.ibeta(1 / (1 + 1e12), 1 / 2, 1 / 2) / ((2 / Math.PI) * Math.atan(1e-6))).toBeCloseTo(1, 8);
  // Student's t with a tail of 2.5 %: Abramowitz and Stegun, table 26.10, and closed forms for 1 and 2.
  expect(jStat.studentt.inv(0.975, 1) / Math.tan(0.475 * Math.PI)).toBeCloseTo(1, 7);
  expect(jStat.studentt.inv(0.975, 2) / (0.95 * Math.sqrt(2 / (1 - 0.95 ** 2)))).toBeCloseTo(1, 7);
  expect(jStat.studentt.inv(0.975, 30)).toBeCloseTo(2.042, 3);
});

describe('Games and Howell', () => {
  const pOf = (samples: readonly (readonly number[])[]) => {
    const found = gamesHowell(samples);
    if (!found.tested) throw new Error(found.reason);
    return found.pairs.map(({ p }) => p);
  };

  itWhole("gives what SciPy 1.17's tukey_hsd(equal_var=False) gives", () => {
    for (const [samples, expected] of [
      [relief, [0.03905805, 0.97881639, 0.02470245]],
      [
        sprays,
        [
          ...[9.97248234e-1, 6.59218764e-6, 1.25590094e-4, 3.20873111e-5, 9.24747596e-1],
          ...[6.65444075e-7, 1.26300668e-5, 3.67562864e-6, 9.88786813e-1],
          ...[5.56677695e-2, 4.46612088e-1, 3.42095506e-5],
          ...[6.00595253e-1, 2.91414602e-4, 1.1043279e-4],
        ],
      ],
    ] as const) {
      const found = pOf(samples);
      expect(found).toHaveLength(expected.length);
      found.forEach((p, at) => {
        expect(p / expected[at]).toBeCloseTo(1, 3);
      });
    }
  });

  test("of two samples is Welch's t test", () => {
    expect(pOf(sleep)[0]).toBeCloseTo(0.07939, 5);
  });

  test('far apart, of three groups of two, is as likely as its tail says', () => {
    const apart = (values: number) => [
      [0, 1],
      [values, values + 1],
      [0.1, 1.2],
    ];
    const found = gamesHowell(apart(1e4));
    if (!found.tested) throw new Error(found.reason);
    const [{ q, dof, p }] = found.pairs;
    expect([q, dof]).toEqual([expect.closeTo(20_000, 6), 2]);
    // The leading term of the tail: with two degrees of freedom, the tail times q² is constant.
    const [farther] = pOf(apart(1e6));
    expect(farther / p).toBeCloseTo(1e-4, 9);
    expect(p).toBeGreaterThan(0);
  });

  test('neither overflows nor underflows, and names a sample that hardly varies', () => {
    const scaled = (by: number) => pOf(relief.map((values) => values.map((value) => value * by)));
    for (const by of [2 ** 1018, 2 ** -1000]) expect(scaled(by)).toEqual(pOf(relief));
    const same = [
      [1e-200, 2e-200],
      [1, 2],
    ];
    expect(gamesHowell(same)).toMatchObject({ reason: expect.stringMatching(/sample 1 is constant/) });
    expect(pOf([relief[0], relief[0]])).toEqual([1]);
  });
});
