import { describe, expect, it } from 'vitest';
import { findAlgorithm } from '../algorithms/algorithms.ts';
import { createRandom } from '../base/random.ts';
import { type Matrix, matrix } from '../matrix/dense.ts';
import { compile } from '../plan/compile.ts';
import { applyClaims } from '../precision/precision.ts';
import { singlePrecision } from '../precision/single.ts';
import { analyze } from './analysis.ts';
import { analyzeRecursion, orientedTable, type Recursion } from './recursion.ts';

const u = 2 ** -24;
const computation = applyClaims(singlePrecision);
const strassen = findAlgorithm('strassen');
const random = createRandom(11, 1);
const drawn = (rows: number, cols: number) =>
  matrix(
    rows,
    cols,
    Float32Array.from({ length: rows * cols }, () => random.uniform(-1, 1)),
  );

/** Returns the rows from `top` to `bottom` and the columns from `left` to `right`. */
const part = (x: Matrix, [top, bottom]: [number, number], [left, right]: [number, number]) =>
  matrix(
    bottom - top,
    right - left,
    Float32Array.from({ length: (bottom - top) * (right - left) }, (_, e) => {
      const [i, j] = [Math.floor(e / (right - left)), e % (right - left)];
      return x.data[(top + i) * x.cols + left + j];
    }),
  );

const classically = (a: Matrix, b: Matrix) =>
  analyze(
    compile({ algorithm: findAlgorithm('classical'), shape: { m: a.rows, k: a.cols, n: b.cols } }),
    a,
    b,
    computation,
  );

describe('a product of 5×7×3 by two halves', () => {
  const [a, b] = [drawn(5, 7), drawn(7, 3)];
  const shape = { m: 5, k: 7, n: 3 };
  const plan = compile({ algorithm: strassen, shape, depth: { levels: 1 } });
  const analyzed = (recursion: Recursion | undefined) => analyzeRecursion(plan, recursion, a, b, computation);

  it('that is peeled once is classical in fringes, and in its core the sum of a fast product and of the last column', () => {
    const { model, bound, sigma } = analyzed({ fringe: 'static-peel', schedule: 'scheduled' });
    const whole = classically(a, b);
    const core = { m: 4, k: 6, n: 2 };
    const fast = analyze(
      compile({ algorithm: strassen, shape: core, depth: { levels: 1 } }),
      part(a, [0, 4], [0, 6]),
      part(b, [0, 6], [0, 2]),
      computation,
    );
    const rest = classically(part(a, [0, 4], [6, 7]), part(b, [6, 7], [0, 2]));
    for (let i = 0; i < 5; i++) {
      for (let j = 0; j < 3; j++) {
        const at = 3 * i + j;
        if (i === 4 || j === 2) {
          const found = [model.data[at], bound.data[at], sigma.data[at]];
          expect(found).toEqual([whole.model.data[at], whole.bound.data[at], whole.sigma.data[at]]);
          continue;
        }
        const e = 2 * i + j;
        const value = Math.fround(fast.model.data[e] + rest.model.data[e]);
        expect(model.data[at]).toBe(value);
        const before = fast.bound.data[e] + rest.bound.data[e];
        expect(bound.data[at] / (before + u * (Math.abs(value) + 2 * before))).toBeCloseTo(1, 6);
        const squares = fast.sigma.data[e] ** 2 + rest.sigma.data[e] ** 2 + (u * value) ** 2;
        expect(sigma.data[at] / Math.sqrt(squares)).toBeCloseTo(1, 9);
      }
    }
  });

  it('that is padded is the product of what zeros were added to, without them', () => {
    const { model, bound } = analyzed({ fringe: 'static-pad', schedule: 'scheduled' });
    const own = analyze(plan, a, b, computation);
    expect(model).toEqual(own.model);
    expect(bound.data).toEqual(own.bound.data);
  });

  it('has a wider bound the less is claimed', () => {
    const claimed = analyzed({ fringe: 'static-pad', schedule: 'scheduled' });
    const ordered = analyzed({ fringe: 'static-pad' });
    const any = analyzed(undefined);
    for (let e = 0; e < 15; e++) {
      const isOfTwo = Math.floor(e / 3) < 3 !== e % 3 < 2;
      expect(ordered.bound.data[e]).toBeLessThan(any.bound.data[e] + claimed.bound.data[e]);
      for (const part of ['bound', 'sigma'] as const) {
        // C12 and C21 are sums of two products, which have only one order. C11 and C22 are sums of four.
        if (isOfTwo) expect(ordered[part].data[e] / claimed[part].data[e]).toBeCloseTo(1, 9);
        else expect(claimed[part].data[e]).toBeLessThan(ordered[part].data[e]);
      }
    }
    expect(new Set(any.bound.data).size).toBe(1);
    expect(new Set(any.sigma.data).size).toBe(1);
  });

  it('whose core has no entries is classical', () => {
    const thin = compile({ algorithm: strassen, shape: { m: 1, k: 7, n: 3 }, depth: { levels: 1 } });
    const row = part(a, [0, 1], [0, 7]);
    const found = analyzeRecursion(
      thin,
      { fringe: 'static-peel', schedule: 'scheduled' },
      row,
      b,
      computation,
    );
    expect(found).toMatchObject(classically(row, b));
  });
});

describe('what a table is read as', () => {
  const table = findAlgorithm('hopcroft-kerr-234');
  const { m, k, n } = table.base;
  const sizes = (rows: readonly (readonly number[])[]) =>
    rows.map((row) => row.filter((x) => x !== 0).length);
  const grid = (rows: number, cols: number) =>
    Array.from({ length: rows }, () => Array.from({ length: cols }, () => random.int(-9, 9)));
  const [a, b] = [grid(m, k), grid(k, n)];
  const flipped = (x: number[][]) => x[0].map((_, j) => x.map((line) => line[j]));
  const dot = (row: readonly number[], of: number[][]) =>
    row.reduce((sum, factor, at) => sum + factor * of.flat()[at], 0);
  /** Returns the values of a table's two factors for each product, in its order. */
  const products = ({ u, v }: Pick<typeof table, 'u' | 'v'>, x: number[][], y: number[][]) =>
    u.map((row, r) => [dot(row, x), dot(v[r], y)]);
  const read = (recursion: Partial<Recursion>) =>
    orientedTable(table, { fringe: 'static-pad', ...recursion });

  it('is itself where nothing is claimed of it', () => {
    for (const recursion of [{}, { turned: 0, reversed: [], transposed: false }])
      expect(read(recursion)).toBe(table);
  });

  it('transposed has the factors of Cᵀ = BᵀAᵀ, each in the place of the other', () => {
    const found = read({ transposed: true });
    expect(found.base).toEqual({ m: n, k, n: m });
    const swapped = products(table, a, b).map(([x, y]) => [y, x]);
    expect(products(found, flipped(b), flipped(a))).toEqual(swapped);
    expect(found.name).toBe(table.name);
  });

  it.each([
    [['rows'], (x: number[][]) => [...x].reverse(), (y: number[][]) => y],
    [['inner'], (x: number[][]) => x.map((line) => [...line].reverse()), (y: number[][]) => [...y].reverse()],
    [['columns'], (x: number[][]) => x, (y: number[][]) => y.map((line) => [...line].reverse())],
  ] as const)('with %o counted from the last has the factors of blocks in that order', (which, ofA, ofB) => {
    expect(products(read({ reversed: which }), ofA(a), ofB(b))).toEqual(products(table, a, b));
  });

  it('turned once and twice begins with the next two tables of its form', () => {
    const [once, twice] = [read({ turned: 1 }), read({ turned: 2 })];
    expect([once.base, twice.base]).toEqual([
      { m: k, k: n, n: m },
      { m: n, k: m, n: k },
    ]);
    expect([once.u, sizes(once.v), sizes(once.w)]).toEqual([table.v, sizes(table.w), sizes(table.u)]);
    expect([sizes(twice.u), sizes(twice.v), sizes(twice.w)]).toEqual([table.w, table.u, table.v].map(sizes));
    const both = read({ turned: 1, transposed: true });
    expect([sizes(both.u), sizes(both.v)]).toEqual([sizes(once.v), sizes(once.u)]);
  });

  it.each(['static-pad', 'power-pad', 'dynamic-pad', 'static-peel', 'dynamic-peel'] as const)(
    '%s, its model of whole numbers is the product',
    (fringe) => {
      const whole = (rows: number, cols: number) =>
        matrix(
          rows,
          cols,
          Float32Array.from({ length: rows * cols }, () => random.int(-9, 9)),
        );
      for (const shape of [
        { m: 5, k: 7, n: 3 },
        { m: 4, k: 6, n: 5 },
        { m: 7, k: 4, n: 4 },
      ]) {
        const [x, y] = [whole(shape.m, shape.k), whole(shape.k, shape.n)];
        const plan = compile({ algorithm: strassen, shape, depth: { levels: 1 } });
        for (const recursion of [
          { fringe, transposed: true },
          { fringe, turned: 1 },
          { fringe, reversed: ['rows'] as const, schedule: 'wide' as const },
        ]) {
          const { model, bound, sigma } = analyzeRecursion(plan, recursion, x, y, computation);
          expect([...model.data]).toEqual([...classically(x, y).model.data]);
          expect(bound.data.every((e, at) => e > sigma.data[at] && sigma.data[at] > 0)).toBe(true);
          expect([model, bound, sigma].map(({ rows, cols }) => [rows, cols])).toEqual(
            new Array(3).fill([shape.m, shape.n]),
          );
        }
      }
    },
  );
});
