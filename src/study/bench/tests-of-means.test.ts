import { describe, expect, test } from 'vitest';
import { itWhole } from '../../base/in-short.testing.ts';
import { tailOfRange, tailOfStudentizedRange } from './tests-of-means.ts';

/** Computes ∫f by Simpson's rule. */
function simpson(f: (x: number) => number, from: number, to: number, panels: number): number {
  const h = (to - from) / panels;
  let sum = f(from) + f(to);
  for (let at = 1; at < panels; at++) sum += (at % 2 === 1 ? 4 : 2) * f(from + at * h);
  return (sum * h) / 3;
}

/**
 * Returns the tail for three means, as an integral over one angle. Three normal numbers minus their mean are a point of a plane. Its radius
 * is Rayleigh distributed and its angle θ uniform, and their range is √2·radius·cos θ with |θ| ≤ π/6. Integrating over the radius and s
 * leaves the angle.
 */
const ofThree = (q: number, dof: number) => {
  const given = (angle: number) => {
    const square = (q / Math.cos(angle)) ** 2;
    return dof === Number.POSITIVE_INFINITY
      ? Math.exp(-square / 4)
      : Math.exp((-dof / 2) * Math.log1p(square / (2 * dof)));
  };
  return (6 / Math.PI) * simpson(given, 0, Math.PI / 6, 2000);
};

/** Returns the tail for two means: |t| beyond q/√2, where Student's tail has a closed form. */
const ofTwo = (q: number, dof: 1 | 2) => {
  const t = q / Math.SQRT2;
  if (dof === 1) return (2 / Math.PI) * Math.atan(1 / t);
  const root = Math.sqrt(t * t + 2);
  return 2 / (root * (root + t));
};

/**
 * Returns the tail for any number of means, by integration over the range w: its density, times the probability that s is below w/q. The
 * latter is a series of positive terms, the lower incomplete gamma function (Abramowitz and Stegun 6.5.29).
 */
function ofAny(q: number, means: number, dof: number): number {
  const phi = (z: number) => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  const between = (z: number, w: number) => simpson(phi, z, z + w, 160);
  const density = (w: number) =>
    means *
    (means - 1) *
    simpson((z) => phi(z) * phi(z + w) * between(z, w) ** (means - 2), -w / 2 - 7, -w / 2 + 7, 60);
  const half = dof / 2;
  const gamma = (x: number): number =>
    x === 1 ? 1 : x === 0.5 ? Math.sqrt(Math.PI) : (x - 1) * gamma(x - 1);
  const below = (s: number) => {
    const y = half * s * s;
    let [term, sum] = [1 / half, 1 / half];
    for (let at = 1; term > 1e-17 * sum; at++) {
      term *= y / (half + at);
      sum += term;
    }
    return (Math.exp(half * Math.log(y) - y) * sum) / gamma(half);
  };
  return simpson((w) => (w === 0 ? 0 : density(w) * below(w / q)), 0, 22, 220);
}

const relative = (found: number, expected: number) => Math.abs(found / expected - 1);
const DOFS = [1, 2, 2.5, 3, 5, 10, 30, 100, 1e4, 1e9, 1e14, Number.POSITIVE_INFINITY];
const QS = [1e-6, 0.1, 1, 3, 5, 8, 12, 20, 50, 60, 80, 1e3, 1e6, 1e12];

describe('the tail of the studentized range', () => {
  itWhole('of three means is that of another integral, to 1e-8 and far beyond 1e-12', () => {
    let smallest = 1;
    for (const dof of DOFS) {
      for (const q of QS) {
        const expected = ofThree(q, dof);
        if (expected < 1e-200) continue;
        smallest = Math.min(smallest, expected);
        expect(relative(tailOfStudentizedRange(q, 3, dof), expected), `q ${q}, ${dof}`).toBeLessThan(1e-8);
      }
    }
    expect(smallest).toBeLessThan(1e-100);
  });

  test('of three means with three degrees of freedom: 1.03e-4, 5.9e-5, 2.5e-5 at 50, 60, 80', () => {
    const found = [50, 60, 80].map((q) => tailOfStudentizedRange(q, 3, 3).toPrecision(2));
    expect(found).toEqual(['0.00010', '0.000059', '0.000025']);
    expect(tailOfStudentizedRange(50, 3, 3)).toBeCloseTo(1.03e-4, 6);
  });

  test('of two means is Student’s, in closed form', () => {
    for (const dof of [1, 2] as const) {
      for (const q of [0.5, 4, 18, 1e3, 1e6]) {
        expect(relative(tailOfStudentizedRange(q, 2, dof), ofTwo(q, dof))).toBeLessThan(1e-9);
      }
    }
  });

  itWhole('of more means is the integral over the range, from 1/2 to below 1e-12', () => {
    const found = [
      [4, 4, 5],
      [5, 9, 7],
      [6, 8, 40],
      [10, 14, 12],
      [10, 40, 20],
      [20, 60, 18],
    ].map(([means, q, dof]) => {
      const [p, expected] = [tailOfStudentizedRange(q, means, dof), ofAny(q, means, dof)];
      expect(relative(p, expected), `${means}, ${q}, ${dof}`).toBeLessThan(1e-6);
      return p;
    });
    expect(Math.min(...found)).toBeLessThan(1e-12);
  });

  itWhole('meets the tables of H. L. Harter (Annals of Mathematical Statistics 31, 1960)', () => {
    for (const [tail, means, dof, q] of [
      [0.05, 2, 1, 17.97],
      [0.05, 3, 1, 26.98],
      [0.05, 3, 2, 8.331],
      [0.05, 3, 5, 4.602],
      [0.05, 3, 10, 3.877],
      [0.05, 5, 20, 4.232],
      [0.05, 10, 60, 4.646],
      [0.05, 3, Number.POSITIVE_INFINITY, 3.314],
      [0.05, 20, Number.POSITIVE_INFINITY, 5.012],
      [0.01, 3, 1, 135],
      [0.01, 3, 2, 19.02],
      [0.01, 3, 5, 6.976],
      [0.01, 3, 10, 5.27],
      [0.01, 10, Number.POSITIVE_INFINITY, 5.157],
    ]) {
      // The last printed digit of q is rounded.
      const half = q >= 100 ? 0.5 : q >= 10 ? 0.005 : 0.0005;
      expect(tailOfStudentizedRange(q - half, means, dof)).toBeGreaterThanOrEqual(tail);
      expect(tailOfStudentizedRange(q + half, means, dof)).toBeLessThanOrEqual(tail);
    }
  });

  test('ends at 1 and at 0', () => {
    expect([0, 1e-300].map((q) => tailOfStudentizedRange(q, 3, 4))).toEqual([1, expect.closeTo(1, 12)]);
    for (const dof of [100, 1e6, Number.POSITIVE_INFINITY]) {
      expect(tailOfStudentizedRange(1e9, 3, dof)).toBe(0);
    }
    expect(tailOfStudentizedRange(Number.POSITIVE_INFINITY, 3, 4)).toBe(0);
    expect(tailOfRange(1e-3, 1000)).toBeCloseTo(1, 12);
  });
});
