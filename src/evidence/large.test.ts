import { expect, it } from 'vitest';
import { createRandom } from '../base/random.ts';
import { exactProduct } from '../exact/exact.ts';
import { builtinCaseItems } from '../kernels/case-items.ts';
import type { Claims } from '../kernels/claims.ts';
import { matrix } from '../matrix/dense.ts';
import { givenJob } from './given-product.ts';
import { weighLarge } from './large.ts';
import { furthestLines } from './projection.ts';
import { answersOf } from './result-of.ts';
import { joinScans, joinSizes, scanRows } from './scanned.ts';

const [m, k, n] = [500, 32, 400];
const random = createRandom(9, 1);
const drawn = (rows: number, cols: number) =>
  matrix(
    rows,
    cols,
    Float32Array.from({ length: rows * cols }, () => random.uniform01() - 0.5),
  );

/** Judges products of a batch, each with one entry that is off. */
async function judged(batch: number, off: (p: number) => readonly [row: number, col: number, by: number]) {
  const [a, b] = [drawn(batch * m, k), drawn(batch * k, n)];
  const d = matrix(batch * m, n, new Float32Array(batch * m * n));
  for (let p = 0; p < batch; p++) {
    const take = (x: typeof a, rows: number) =>
      matrix(rows, x.cols, x.data.slice(p * rows * x.cols, (p + 1) * rows * x.cols));
    d.data.set(exactProduct(take(a, m), take(b, k)).product.data, p * m * n);
    const [row, col, by] = off(p);
    d.data[(p * m + row) * n + col] += by;
  }
  const job = givenJob({ a, b, d, batch }, builtinCaseItems);
  const evidence = weighLarge(job, [{ c: d, unwritten: 0, overwritten: 0 }]);
  const answers = await answersOf(evidence, { sigmas: 6, drift: Number.POSITIVE_INFINITY });
  return { evidence, failed: answers.filter(({ status }) => status === 'fail').map(({ name }) => name) };
}

it('compares a wrong entry that is far below what sums of a row may be off by', async () => {
  for (const [row, col] of [
    [0, 0],
    [77, 311],
    [m - 1, n - 1],
    [250, 13],
  ] as const) {
    const { evidence, failed } = await judged(1, () => [row, col, 2 ** -15]);
    expect(evidence.projection?.rows.blocks).toBeLessThan(n);
    expect(evidence.projection?.crossed).toBeLessThan(2 ** -15);
    expect(failed).toContain('running-bound');
  }
});

it('compares one of each product of a batch', async () => {
  const { failed, evidence } = await judged(2, (p) => [100 + p, 200 + p, p * 2 ** -15]);
  const wrong = (m + 101) * n + 201;
  expect([...(evidence.reference.at ?? [])]).toContain(wrong);
  expect(failed).toContain('running-bound');
});

it('passes a right product, and says which entry is compared', async () => {
  const { failed, evidence } = await judged(1, () => [0, 0, 0]);
  expect(failed).toEqual([]);
  expect(evidence.projection?.crossed).toBeGreaterThan(0);
});

/** Weighs D = alpha·A·B + beta·C, as computed in binary64 and rounded, with changes of D. */
async function weighed({
  shape: [rows, depth, cols],
  a,
  b,
  c,
  alpha = 1,
  beta = 0,
  batch = 1,
  changed = (d) => d,
  ...claims
}: {
  readonly shape: readonly [rows: number, depth: number, cols: number];
  readonly a: (i: number, q: number) => number;
  readonly b: (q: number, j: number) => number;
  readonly c?: (i: number, j: number) => number;
  readonly alpha?: number;
  readonly beta?: number;
  readonly batch?: number;
  readonly changed?: (d: number, i: number, j: number) => number;
  readonly claims?: Claims;
}) {
  const fill = (height: number, width: number, of: (i: number, j: number) => number) =>
    matrix(
      height,
      width,
      Float32Array.from({ length: height * width }, (_, e) => of(Math.floor(e / width), e % width)),
    );
  const [x, y] = [fill(batch * rows, depth, a), fill(batch * depth, cols, b)];
  const z = c && fill(batch * rows, cols, c);
  const d = fill(batch * rows, cols, (i, j) => {
    const above = Math.floor(i / rows) * depth;
    let sum = 0;
    for (let q = 0; q < depth; q++) sum += x.data[i * depth + q] * y.data[(above + q) * cols + j];
    return changed(alpha * sum + (z === undefined ? 0 : beta * z.data[i * cols + j]), i, j);
  });
  const job = givenJob({ ...claims, a: x, b: y, c: z, d, alpha, beta, batch }, builtinCaseItems);
  const { hasSpecials: _, ...operands } = job.operands;
  const evidence = weighLarge({ ...job, operands }, [{ c: d, unwritten: 0, overwritten: 0 }]);
  const answers = await answersOf(evidence, { sigmas: 6, drift: Number.POSITIVE_INFINITY });
  return { evidence, failed: answers.filter(({ status }) => status === 'fail').map(({ name }) => name) };
}

const entry = () => random.uniform01() - 0.5;
const except =
  (row: number, col: number, value: number) =>
  (i: number, j: number): number =>
    i === row && j === col ? value : entry();

it.each([
  ['a column of B', { b: except(3, 5, Number.NaN) }],
  ['a row of A', { a: except(8, 2, Number.POSITIVE_INFINITY) }],
  ['a row of A, and later an entry of C', { a: except(2, 0, Number.NaN), c: except(657, 9, Number.NaN) }],
  ['an entry of C alone', { c: except(20, 30, Number.NaN) }],
])('passes a right product with C and what is not finite in %s', async (_, special) => {
  const given = { shape: [700, 16, 400] as const, a: entry, b: entry, c: entry, beta: 1, ...special };
  const { evidence, failed } = await weighed(given);
  expect(failed).toEqual([]);
  expect(evidence.operands.hasSpecials).toBe(true);
});

it.each([
  [303, 5],
  [377, 91],
  [512, 210],
])('finds what is not finite in the second product of a batch alone: entry (%i, %i)', async (row, col) => {
  const shape = [300, 16, 250] as const;
  const given = { shape, batch: 2, a: entry, b: entry };
  const withoutNaN = (d: number) => (Number.isNaN(d) ? 1 : d);
  const missing = { ...given, c: except(row, col, Number.NaN), beta: 1, changed: withoutNaN };
  expect((await weighed(missing)).failed).toContain('exceptions');
  const added = (d: number, i: number, j: number) => (i === row && j === col ? Number.NaN : d);
  expect((await weighed({ ...given, changed: added })).failed).not.toEqual([]);
});

it('limits the squares of each block by its own columns, and by the sizes of both terms', async () => {
  const b = (_: number, j: number) => (j < 200 ? 0 : 1);
  const { evidence } = await weighed({ shape: [500, 32, 400], a: () => 1, b });
  const { squares = [], blocks = 0, width = 0 } = evidence.projection?.rows ?? {};
  expect(blocks).toBeGreaterThan(1);
  const zeros = Math.floor(200 / width);
  for (let at = 0; at < blocks; at++)
    expect(squares[at]).toBe(
      32 ** 2 * Math.max(0, Math.min(400, (at + 1) * width) - Math.max(200, at * width)),
    );
  expect(zeros).toBeGreaterThan(0);
  const opposite = { a: () => 0.5, b: () => 0.5, c: () => -8, alpha: -1, beta: 1 };
  const both = await weighed({ shape: [500, 32, 400], ...opposite });
  expect(both.evidence.projection?.rows.squares[0]).toBeCloseTo(16 ** 2 * width, 6);
});

it('compares whole rows to their last entry', async () => {
  const { evidence } = await weighed({ shape: [40, 4096, 300], a: entry, b: entry });
  const { at = [] } = evidence.reference;
  const whole = [...Array(40).keys()].filter(
    (i) => at.filter((e) => Math.floor(e / 300) === i).length === 300,
  );
  expect(whole.length).toBeGreaterThanOrEqual(evidence.judgedBy?.rows ?? Number.NaN);
});

it('expects of each product of a batch the errors of its own size', async () => {
  const [first, second] = [drawn(300, 16), drawn(16, 250)];
  const { evidence } = await weighed({
    ...{ shape: [300, 16, 250], batch: 2, claims: { algorithm: 'strassen', levels: 1 } },
    a: (i, q) => first.data[(i % 300) * 16 + q] * (i < 300 ? 1 : 1024),
    b: (q, j) => second.data[(q % 16) * 250 + j],
  });
  const { at = [] } = evidence.reference;
  const most = (member: number) =>
    Math.max(
      ...[...at.keys()]
        .filter((e) => Math.floor(at[e] / 75_000) === member)
        .map((e) => evidence.analysis?.sigma.data[e] ?? 0),
    );
  expect(most(1) / most(0)).toBeCloseTo(1024, 6);
});

it('leaves blocks to exact entries whose sums may leave the range of results', async () => {
  const a = (_: number, q: number) => (q % 2 === 0 ? 1e19 : -1e19);
  const judgedOf = async (b: number) => {
    const { evidence } = await weighed({ shape: [500, 32, 400], a, b: () => b });
    return evidence.projection?.rows.judged[0];
  };
  expect([await judgedOf(1e19), await judgedOf(1)]).toEqual([0, 1]);
});

it('finds the lines that are furthest off, and what the next one is off by', () => {
  const side = (errors: readonly number[]) => ({
    ...{ width: 1, blocks: 1, errors: Float64Array.from(errors), bound: new Float64Array(10).fill(1) },
    ...{ slack: new Float64Array(10), sigma: new Float64Array(10), squares: new Float64Array(10) },
    judged: new Uint8Array(10).fill(1),
  });
  const rows = side([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  const { others, rows: lines } = furthestLines({ rows, cols: side(new Array(10).fill(0)) });
  expect([others, lines]).toEqual([4, [0, 1, 2, 3, 4, 5, 6, 7]]);
});

it('joins scans of parts: lines keep their places, sizes are those of the whole', () => {
  const [fine, special] = [
    matrix(2, 3, Float64Array.of(3, 0, 0, 0, 0, 0)),
    matrix(1, 3, Float64Array.of(0, Number.NaN, 4)),
  ];
  const parts = [fine, fine, special].map((x) => ({ rows: x.rows, cols: 3, found: scanRows(x) }));
  const joined = joinScans(parts).special;
  expect([[...(joined?.rows ?? [])], [...(joined?.cols ?? [])]]).toEqual([
    [0, 0, 0, 0, 1],
    [0, 1, 0],
  ]);
  expect(
    joinSizes([
      { maxAbs: 3, frobenius: 3 },
      { maxAbs: 4, frobenius: 4 },
    ]),
  ).toEqual({ maxAbs: 4, frobenius: 5 });
});
