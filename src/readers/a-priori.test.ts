import { describe, expect, it, test } from 'vitest';
import { type Algorithm, countLevelsWithin, rank } from '../algorithms/algorithm.ts';
import { algorithms, findAlgorithm } from '../algorithms/algorithms.ts';
import { defineAlgorithm } from '../algorithms/define-algorithm.ts';
import { growthByBlock, norm1 } from '../algorithms/growth.ts';
import { parseAlgorithmTable } from '../algorithms/notation.ts';
import { inShort } from '../base/in-short.testing.ts';
import { matrix, type Shape } from '../matrix/dense.ts';
import { compile } from '../plan/compile.ts';
import type { Plan } from '../plan/plan.ts';
import { emulated } from '../precision/arithmetic.ts';
import { singleComputation } from '../precision/single.ts';
import { type Fringe, fringes } from '../problem/method.ts';
import { type APrioriBound, aPriori, isVacuous } from './a-priori.ts';
import { runModel } from './model.ts';

const U = 2 ** -24;
const square = (n: number): Shape => ({ m: n, k: n, n });
const plan = (name: string, shape: Shape, levels: number, fringe: Fringe = 'pad'): Plan =>
  compile({ algorithm: findAlgorithm(name), shape, depth: { levels }, fringe });

const arithmetic = (fused: boolean) => singleComputation({ ...emulated, fma: fused ? 'once' : 'twice' });

let state = 1;
function random(): number {
  state = (Math.imul(state, 1664525) + 1013904223) | 0;
  return (state >>> 8) * 2 ** -23 - 1;
}

/** Inputs with entries of at most 1: of random sign, positive, nearly constant, and with large rows. */
const fillings: readonly [string, (i: number) => number][] = [
  ['uniform', () => random()],
  ['positive', () => Math.abs(random())],
  ['nearly constant', () => 1 - Math.abs(random()) * 2 ** -10],
  ['of two sizes', (i) => (i % 3 === 0 ? random() : random() * 2 ** -20)],
];

interface Measured {
  readonly error: number;
  /** max|A|·max|B|. */
  readonly scale: number;
  /** The largest error over u·(|A||B|), entry by entry. */
  readonly componentwise: number;
}

function measure(of: Plan, fill: (i: number) => number, fused: boolean): Measured {
  const { m, k, n } = of.shape;
  const make = (rows: number, cols: number) =>
    matrix(
      rows,
      cols,
      Float32Array.from({ length: rows * cols }, (_, i) => fill(i)),
    );
  const [a, b] = [make(m, k), make(k, n)];
  const c = runModel(of, a, b, arithmetic(fused));
  let [error, componentwise] = [0, 0];
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let [exact, size] = [0, 0];
      for (let p = 0; p < k; p++) {
        const term = a.data[i * k + p] * b.data[p * n + j];
        exact += term;
        size += Math.abs(term);
      }
      const wrong = Math.abs(c.data[i * n + j] - exact);
      error = Math.max(error, wrong);
      if (size > 0) componentwise = Math.max(componentwise, wrong / size);
    }
  }
  const largest = (x: Float32Array) => x.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return { error, scale: largest(a.data) * largest(b.data), componentwise };
}

const shapes: readonly Shape[] = [
  square(1),
  square(16),
  square(32),
  square(37),
  { m: 9, k: 50, n: 21 },
  { m: 33, k: 7, n: 40 },
  { m: 24, k: 1, n: 3 },
];

describe.each(algorithms.map(({ name }) => name))('%s', (name) => {
  describe.each(fringes)('%s', (fringe) => {
    // More than some hundred products reveal nothing new.
    const levels = [0, 1, 2].slice(0, countLevelsWithin(findAlgorithm(name), 100) + 1);
    it.each(inShort(levels, 3))('%d levels: no error exceeds the bound', (levels) => {
      for (const shape of shapes) {
        const measured = plan(name, shape, levels, fringe);
        const bound = aPriori(measured, U);
        for (const [what, fill] of fillings) {
          for (const fused of [true, false]) {
            const { error, scale, componentwise } = measure(measured, fill, fused);
            const where = `${what}, ${shape.m}×${shape.k}×${shape.n}`;
            expect(error, where).toBeLessThanOrEqual(bound.factor * scale);
            if (bound.kind === 'componentwise') expect(componentwise, where).toBeLessThanOrEqual(bound.gamma);
          }
        }
      }
    });
  });
});

/**
 * Returns the bound from the table alone, to first order. Each product's error passes as many additions as its operands and its output have
 * terms, less one each.
 */
function fromTable(algorithm: Algorithm, levels: number, n0: number): number {
  const terms = (row: readonly number[]) => row.filter((c) => c !== 0).length;
  const [f, k] = levels === 0 ? [0, 0] : [fromTable(algorithm, levels - 1, n0), n0 * 2 ** (levels - 1)];
  if (levels === 0) return n0 * n0 * U;
  const outputs = algorithm.w[0].map((_, i) => {
    const products = Array.from({ length: rank(algorithm) }, (_, r) => r).filter(
      (r) => algorithm.w[r][i] !== 0,
    );
    return products.reduce((sum, r) => {
      const [u, v] = [algorithm.u[r], algorithm.v[r]];
      const additions = terms(u) - 1 + terms(v) - 1 + products.length - 1;
      return sum + Math.abs(algorithm.w[r][i]) * norm1(u) * norm1(v) * (f + k * U * additions);
    }, 0);
  });
  return Math.max(...outputs);
}

describe.each(['strassen', 'winograd'])('%s against the literature', (name) => {
  const cases = [1, 2, 3, 4].flatMap((levels) => [16, 64, 512].map((n0) => [levels, n0] as const));

  it.each(cases)('%d levels above %d: within 1.5 of the closed form', (levels, n0) => {
    const bound = aPriori(plan(name, square(n0 * 2 ** levels), levels), U) as APrioriBound & {
      closedForm: number;
    };
    expect(bound.kind).toBe('normwise');
    expect(bound.closedForm).toBeGreaterThan(0);
    expect(bound.factor / bound.closedForm).toBeGreaterThan(1 / 1.5);
    expect(bound.factor / bound.closedForm).toBeLessThan(1.5);
  });

  it.each(cases)('%d levels above %d: the schedule adds in no longer chains than the table', (levels, n0) => {
    const { factor } = aPriori(plan(name, square(n0 * 2 ** levels), levels), U);
    // 1 + 2^-8 leaves room for the terms of second order: n0·u is at most 2^-15, and there are few levels.
    expect(factor).toBeLessThanOrEqual(fromTable(findAlgorithm(name), levels, n0) * (1 + 2 ** -8));
  });

  it('grows from block to block as the growth constants do, where products dominate', () => {
    const { byQuadrant, factor } = aPriori(plan(name, square(16384), 1), U);
    const growth = growthByBlock(findAlgorithm(name));
    const leaf = 8192 ** 2 * U;
    Object.values(byQuadrant).forEach((value, index) => {
      expect(value / leaf).toBeCloseTo(growth[index], 1);
    });
    expect(factor).toBe(Math.max(...Object.values(byQuadrant)));
  });
});

test('the closed forms are those of the book', () => {
  const closed = (name: string, n: number, levels: number) => {
    const bound = aPriori(plan(name, square(n), levels), U) as APrioriBound & { closedForm?: number };
    return bound.closedForm === undefined ? undefined : bound.closedForm / U;
  };
  expect(closed('strassen', 256, 3)).toBe(12 ** 3 * (32 ** 2 + 5 * 32) - 5 * 256);
  expect(closed('winograd', 256, 2)).toBe(18 ** 2 * (64 ** 2 + 6 * 64) - 6 * 256);
  expect(closed('strassen', 255, 3)).toBeUndefined();
  const rectangular = plan('strassen', { m: 64, k: 64, n: 128 }, 1);
  expect(aPriori(rectangular, U)).not.toHaveProperty('closedForm');
});

test("Strassen's C12 and C21 are bounded more sharply than C11 and C22", () => {
  for (const levels of [1, 2, 3]) {
    const { C11, C12, C21, C22 } = aPriori(plan('strassen', square(256), levels), U).byQuadrant;
    expect(Math.max(C12, C21)).toBeLessThan(Math.min(C11, C22) / 2);
  }
});

test('one level of Strassen, by hand', () => {
  // C11 = ((M1 + M7) + M4) - M5 in the schedule: the sums of M1 and M7 (two operand and three output roundings),
  // of M4 (one and two) and of M5 (one and one) are 4·5 + 4·5 + 2·3 + 2·2 = 50 times k·u.
  const [k, u] = [64, 2 ** -40];
  const { C11, C12 } = aPriori(plan('strassen', square(2 * k), 1), u).byQuadrant;
  expect(C11 / u).toBeCloseTo(12 * k * k + 50 * k, 2);
  // C12 = M3 + M5, each with a sum in one operand: (2·2 + 2·2)·k·u.
  expect(C12 / u).toBeCloseTo(4 * k * k + 8 * k, 2);
});

describe('classical', () => {
  it.each([0, 1, 3])('%d levels: γ_k entry by entry', (levels) => {
    const shape = { m: 40, k: 100, n: 60 };
    for (const fringe of fringes) {
      const bound = aPriori(plan('classical', shape, levels, fringe), U);
      expect(bound.kind).toBe('componentwise');
      if (bound.kind !== 'componentwise') continue;
      expect(bound.gamma).toBeCloseTo((100 * U) / (1 - 100 * U), 12);
      expect(bound.factor).toBeCloseTo(100 * bound.gamma, 9);
      expect(new Set(Object.values(bound.byQuadrant))).toEqual(new Set([bound.factor]));
    }
  });

  it('is what any algorithm is without recursion', () => {
    const bound = aPriori(plan('winograd', square(32), 0), U);
    expect(bound).toEqual(aPriori(plan('classical', square(32), 0), U));
    expect(Object.keys(bound.byQuadrant)).toEqual(['C']);
  });
});

describe('peeling', () => {
  it('bounds fringes as the plain products they are', () => {
    const { byQuadrant } = aPriori(plan('strassen', square(65), 1, 'peel'), U);
    expect(Object.keys(byQuadrant)).toEqual(['C11', 'C12', 'C21', 'C22', 'right fringe', 'bottom fringe']);
    expect(byQuadrant['right fringe']).toBeCloseTo(65 * 65 * U, 6);
    expect(byQuadrant['bottom fringe']).toBe(byQuadrant['right fringe']);
  });

  it('has a fringe only where something is left over', () => {
    const fringes = (shape: Shape) =>
      Object.keys(aPriori(plan('winograd', shape, 1, 'peel'), U).byQuadrant).slice(4);
    expect(fringes({ m: 65, k: 64, n: 64 })).toEqual(['bottom fringe']);
    expect(fringes({ m: 64, k: 64, n: 65 })).toEqual(['right fringe']);
    expect(fringes({ m: 64, k: 65, n: 64 })).toEqual([]);
  });

  it('charges the core for the columns left over: their product and one sum', () => {
    const odd = { m: 64, k: 65, n: 64 };
    const u = 2 ** -40;
    const peeled = aPriori(plan('strassen', odd, 1, 'peel'), u).byQuadrant;
    const even = aPriori(plan('strassen', square(64), 1), u).byQuadrant;
    expect(Object.keys(peeled)).toEqual(Object.keys(even));
    for (const name of Object.keys(even)) {
      expect((peeled[name] - even[name]) / u).toBeCloseTo(1 + 65, 3);
    }
  });
});

test('a bound says nothing from the size of C on, or when it is no number', () => {
  expect(isVacuous(0.5, 1)).toBe(false);
  expect(isVacuous(1, 1)).toBe(true);
  expect(isVacuous(Number.POSITIVE_INFINITY, 1)).toBe(true);
  expect(isVacuous(Number.NaN, 1)).toBe(true);
  expect(aPriori(plan('classical', square(64), 0), 2 ** -6).factor).toBe(Number.POSITIVE_INFINITY);
});

describe('the bound of a plan in another style', () => {
  const k = 4;
  const gamma = (terms: number) => (terms * U) / (1 - terms * U);
  /** Returns size and error of a product of sums of the given numbers of blocks of A and of B, computed by hand. */
  const product = (inA: number, inB: number) => {
    const [e, f] = [inA - 1, inB - 1].map((sums) => 2 * U * sums);
    const own = k * gamma(k) * (inA + e) * (inB + f);
    return { size: k * inA * inB, error: own + k * (inA * f + e * inB + e * f) };
  };
  const atomic = compile({
    algorithm: findAlgorithm('strassen'),
    ...{ shape: square(2 * k), depth: { levels: 1 }, style: 'atomic' },
  });

  it('whose products are added in any order has each pass all other additions', () => {
    const { byQuadrant, factor } = aPriori(atomic, U);
    const added = (...products: readonly ReturnType<typeof product>[]) => {
      const t = products.length;
      return products.reduce(
        (sum, { size, error }) => sum + error + ((t - 1) * U * (size + error)) / (1 - 2 * t * U),
        0,
      );
    };
    const [both, one] = [product(2, 2), product(1, 2)];
    expect(byQuadrant.C11 / added(both, one, one, both)).toBeCloseTo(1, 9);
    expect(byQuadrant.C12 / added(one, one)).toBeCloseTo(1, 9);
    expect(byQuadrant.C22 / added(both, one, one, both)).toBeCloseTo(1, 9);
    expect(factor).toBe(byQuadrant.C11);
  });

  it('has no closed form, nor has that of rounded operands or of sums in runs', () => {
    const scheduled = (more: object = {}) =>
      compile({ algorithm: findAlgorithm('strassen'), shape: square(8), depth: { levels: 1 }, ...more });
    expect(aPriori(scheduled(), U)).toHaveProperty('closedForm');
    expect(aPriori(scheduled(), U, 2 ** -11)).not.toHaveProperty('closedForm');
    expect(aPriori(scheduled({ run: 2 }), U)).not.toHaveProperty('closedForm');
    expect(aPriori(scheduled({ style: 'fused' }), U)).not.toHaveProperty('closedForm');
    expect(aPriori(atomic, U)).not.toHaveProperty('closedForm');
  });

  it('that sums in runs has γ of a run and of the sum of runs', () => {
    const gammaOf = (terms: number, run: number) => {
      const of = compile({ algorithm: findAlgorithm('classical'), shape: square(terms), run });
      return (aPriori(of, U) as { gamma?: number }).gamma ?? Number.NaN;
    };
    const both = (x: number, y: number) => x + y + x * y;
    expect(gammaOf(64, 16) / both(gamma(16), gamma(3))).toBeCloseTo(1, 9);
    expect(gammaOf(65, 16) / both(gamma(16), gamma(4))).toBeCloseTo(1, 9);
    expect(gammaOf(64, 64) / gamma(64)).toBeCloseTo(1, 9);
  });

  it('times alpha has one rounding more, classical or fast', () => {
    const of = (name: string, levels: number, alpha: number) =>
      compile({
        algorithm: findAlgorithm(name),
        ...{ shape: square(16), depth: { levels }, style: 'fused', scaling: { alpha, beta: 0 } },
      });
    for (const alpha of [-3, 0.25]) {
      const { gamma: found } = aPriori(of('classical', 0, alpha), U) as { gamma?: number };
      expect(found! / (Math.abs(alpha) * (gamma(16) + U * (1 + gamma(16))))).toBeCloseTo(1, 9);
      const [own, scaled] = [aPriori(of('strassen', 1, 1), U), aPriori(of('strassen', 1, alpha), U)];
      // 12 products of blocks of 8 terms are each rounded once more.
      const more = scaled.factor / Math.abs(alpha) - own.factor;
      expect(more / (12 * 8 * U)).toBeCloseTo(1, 4);
    }
  });

  it('is normwise where as many products as the definition has are of sums', () => {
    const products = ['(A11 + A12) * B11', 'A12 * (B21 - B11)'];
    const table = parseAlgorithmTable('sums', { m: 1, k: 2, n: 1 }, products, ['M1 + M2']);
    const algorithm = defineAlgorithm({
      ...{ name: 'sums', title: 'sums', what: 'sums', source: 'sums' },
      ...table,
    });
    const summed = compile({ algorithm, shape: { m: 4, k: 8, n: 4 }, depth: { levels: 1 } });
    expect(aPriori(summed, U).kind).toBe('normwise');
  });
});
