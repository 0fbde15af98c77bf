import { deviation, mean } from 'd3-array';
import jStat from 'jstat';
import { describe, expect, test } from 'vitest';
import { seeded } from '../../base/random.ts';
import { bootstrapInterval } from './statistics.ts';
import { gamesHowell, welchAnova } from './tests-of-means.ts';

/** Beall 1942, as R distributes it: insects counted after six sprays. */
const sprays = [
  [10, 7, 20, 14, 14, 12, 10, 23, 17, 20, 14, 13],
  [11, 17, 21, 11, 16, 14, 17, 17, 19, 21, 7, 13],
  [0, 1, 7, 2, 3, 1, 2, 1, 3, 0, 1, 4],
  [3, 5, 12, 6, 4, 3, 5, 5, 5, 5, 2, 4],
  [3, 5, 3, 5, 3, 6, 1, 1, 3, 2, 6, 4],
  [11, 9, 15, 22, 15, 16, 13, 10, 26, 26, 24, 13],
];
/** Cushny and Peebles 1905, R's `sleep`: hours won with two drugs. */
const sleep = [
  [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2],
  [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
];
/** The minutes to relief of SAS' and SciPy's examples of Tukey's test. */
const relief = [
  [24.5, 23.5, 26.4, 27.1, 29.9],
  [28.4, 34.2, 29.5, 32.2, 30.1],
  [26.1, 28.3, 24.3, 26.2, 27.8],
];

describe('bootstrap', () => {
  const random = seeded(5);
  const values = Array.from({ length: 400 }, () => 10 + random.normal());

  test('of a mean is about that of the normal theory', () => {
    const [low, high] = bootstrapInterval(values, { of: mean });
    const [centre, spread] = [mean(values) ?? Number.NaN, deviation(values) ?? Number.NaN];
    const half = (1.96 * spread) / Math.sqrt(values.length);
    expect(low).toBeCloseTo(centre - half, 1.6);
    expect(high).toBeCloseTo(centre + half, 1.6);
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
    expect(() => bootstrapInterval([1, 2])).toThrow(/too few samples for a bootstrap interval: 2, .* 3/);
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

describe('Games and Howell', () => {
  const pOf = (samples: readonly (readonly number[])[]) => {
    const found = gamesHowell(samples);
    if (!found.tested) throw new Error(found.reason);
    return found.pairs.map(({ p }) => p);
  };

  test("gives what SciPy 1.17's tukey_hsd(equal_var=False) gives", () => {
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

  test('far apart is 0 and not NaN; too few trials are no test', () => {
    const far = [sprays[0], sprays[0].map((x) => x * 1.01 + 1e6), sprays[1]];
    expect(pOf(far)).toEqual([0, expect.any(Number), 0]);
    expect(
      gamesHowell([
        [1, 2],
        [10, 10.001],
      ]),
    ).toMatchObject({ tested: false });
  });
});

test("jStat's studentized range meets the tables of Harter (1960), from five to many degrees of freedom", () => {
  for (const [means, dof, q] of [
    [3, 5, 4.602],
    [3, 10, 3.877],
    [5, 20, 4.232],
    [10, 60, 4.646],
  ]) {
    expect(jStat.tukey.cdf(q, means, dof)).toBeCloseTo(0.95, 4);
  }
});
