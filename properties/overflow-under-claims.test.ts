import { describe, expect, test } from 'vitest';
import { algorithmRegistry, findAlgorithm } from '../src/algorithms/algorithms.ts';
import { inShort } from '../src/base/in-short.testing.ts';
import { createRandom, type Random } from '../src/base/random.ts';
import { exceptions } from '../src/evidence/checks/exceptions.ts';
import { judgeProduct } from '../src/evidence/judge-product.ts';
import type { Claims } from '../src/kernels/claims.ts';
import { findWrongClaims } from '../src/kernels/wrong-claims.ts';
import { type Matrix, matrix } from '../src/matrix/dense.ts';
import { compile } from '../src/plan/compile.ts';
import { applyClaims, type Precision } from '../src/precision/precision.ts';
import { precisions } from '../src/precision/precisions.ts';
import { runModel } from '../src/readers/model.ts';
import type { Recursion } from '../src/readers/recursion.ts';
import { type Doing, product, type Rows, shuffled } from './any-order-kernels.ts';

/**
 * The law: a kernel that keeps its claims passes on operands whose products nearly overflow. This holds for any order that its claims leave
 * open, any place where it multiplies by alpha and adds beta·C, and any result of overflow. A kernel that turns ordinary numbers into an
 * infinity or a NaN fails.
 *
 * Why: values on the way to a finite product may be infinite in one order and finite in another.
 */
const ALPHAS: readonly Claims['alpha'][] = [undefined, 'first', 'last'];
const RECURSIONS: readonly (Recursion | undefined)[] = [
  undefined,
  { fringe: 'static-pad' },
  { fringe: 'dynamic-pad' },
  { fringe: 'power-pad' },
  { fringe: 'static-peel' },
  { fringe: 'dynamic-peel' },
  { fringe: 'static-pad', schedule: 'scheduled' },
  { fringe: 'dynamic-peel', schedule: 'wide' },
  { fringe: 'static-pad', schedule: 'fused' },
  { fringe: 'static-pad', schedule: 'atomic' },
];
const fast = ['strassen', 'winograd'].flatMap((algorithm) =>
  [1, 2].flatMap((levels) =>
    RECURSIONS.map((recursion): Claims => ({ algorithm, levels, ...(recursion && { recursion }) })),
  ),
);
const SATURATED: Claims = { arithmetic: { result: { overflow: 'saturate' } } };
const bases: readonly Claims[] = [
  {},
  SATURATED,
  { ...SATURATED, beta: 'last' },
  { ...SATURATED, order: 'pairwise' },
  { arithmetic: { exceptions: 'nan', result: { overflow: 'saturate' } } },
  ...fast.filter((_, at) => at % 7 === 0).map((claims) => ({ ...claims, ...SATURATED })),
  { beta: 'first' },
  { beta: 'last' },
  { order: 'pairwise' },
  { algorithm: 'strassen', levels: 0 },
  ...fast,
];
const CLAIMS = bases.flatMap((claims) =>
  ALPHAS.map((alpha): Claims => ({ ...claims, ...(alpha && { alpha }) })),
);

/** Precisions. Sums of the last overflow where its results do; those of f16-f32-f16 overflow only as results. */
const PRECISIONS = ['f32', 'f16', 'f64', 'bf16-f32', 'f16-f32-f16', 'bf16-f32-bf16'];

const asked = PRECISIONS.map((name) => precisions.find(name)).flatMap((precision) =>
  CLAIMS.filter((claims) => findWrongClaims(claims, precision, algorithmRegistry) === undefined).map(
    (claims) => ({
      ...{ precision, claims, words: `${JSON.stringify(claims)} in ${precision.name}` },
    }),
  ),
);

const flat = (x: Rows, wide: boolean): Matrix =>
  matrix(x.length, x[0].length, wide ? Float64Array.from(x.flat()) : Float32Array.from(x.flat()));
const rowsOf = ({ rows, cols, data }: Matrix): Rows =>
  Array.from({ length: rows }, (_, i) => [...data.subarray(i * cols, (i + 1) * cols)]);

/**
 * Computes A·B in the order of a claimed schedule, with the terms of leaf products in another: columns of A and rows of B change places
 * within blocks.
 */
function scheduled(a: Rows, b: Rows, claims: Claims, precision: Precision, random: Random): Rows {
  const { algorithm, recursion } = claims;
  const levels = claims.levels as number;
  const shape = { m: a.length, k: b.length, n: b[0].length };
  const { recursion: _, alpha: __, ...sums } = claims;
  const plan = compile({
    algorithm: findAlgorithm(algorithm as string),
    shape,
    depth: { levels: levels },
    fringe: 'pad',
    style: recursion?.schedule ?? 'scheduled',
  });
  const parts = 2 ** levels;
  const size = shape.k / parts;
  const turned = shuffled(
    Array.from({ length: size }, (_, q) => q),
    random,
  );
  const at = (q: number) => q - (q % size) + turned[q % size];
  const wide = precision.a.precision > 24;
  return rowsOf(
    runModel(
      plan,
      flat(
        a.map((row) => row.map((_, q) => row[at(q)])),
        wide,
      ),
      flat(
        b.map((_, q) => b[at(q)]),
        wide,
      ),
      applyClaims({ ...precision, d: precision.accumulated, c: precision.accumulated }, sums),
    ),
  );
}

/** Computes alpha·A·B + beta·C as a kernel with these claims does. */
function computed(given: Given, claims: Claims, precision: Precision, random: Random): Rows {
  const { a, b, c, alpha, beta } = given;
  const { accumulated, multiplied, d } = precision;
  const round = accumulated.round;
  const doing: Doing = { random, round, operand: multiplied === precision.a ? (x) => x : multiplied.round };
  const place = alpha === 1 ? 'last' : (claims.alpha ?? (random.int(0, 1) === 0 ? 'first' : 'last'));
  const isOfA = random.int(0, 1) === 0;
  const scaled = (x: Rows, by: boolean) =>
    by ? x.map((row) => row.map((entry) => round(alpha * entry))) : x;
  const [x, y] = [scaled(a, place === 'first' && isOfA), scaled(b, place === 'first' && !isOfA)];
  const sums =
    claims.recursion?.schedule === undefined
      ? product(x, y, claims, doing)
      : scheduled(x, y, claims, precision, random);
  return sums.map((row, i) =>
    row.map((product, j) => {
      const own = place === 'last' && alpha !== 1 ? round(alpha * product) : product;
      const sum = beta === 0 ? own : round(own + round(beta * c[i][j]));
      const saturates = claims.arithmetic?.result?.overflow === 'saturate' && Math.abs(sum) > d.maxFinite;
      return saturates ? Math.sign(sum) * d.maxFinite : d.round(sum);
    }),
  );
}

interface Given {
  readonly a: Rows;
  readonly b: Rows;
  readonly c: Rows;
  readonly alpha: number;
  readonly beta: number;
}

/** Draws small whole numbers times a power of two. Their products are some eighths of the largest number. */
function nearOverflow(precision: Precision, random: Random, isSpecial: boolean): Given {
  const { a, accumulated } = precision;
  const largest = Math.min(accumulated.maxFinite, precision.d.maxFinite);
  const n = 4;
  const both = Math.log2(largest) - random.int(2, 6);
  const most = Math.min(Math.floor(Math.log2(a.maxFinite)) - 2, Math.ceil(both / 2) + random.int(0, 8));
  const [ofA, ofB] = [2 ** most, 2 ** Math.floor(both - most)];
  const specials = [0, 2 ** -130, a.minNormal, Infinity, -Infinity, Number.NaN];
  const entry = (by: number) =>
    isSpecial && random.int(0, 15) === 0 ? specials[random.int(0, 5)] : random.int(-3, 3) * by;
  const rows = (by: number): Rows =>
    Array.from({ length: n }, () => Array.from({ length: n }, () => a.round(entry(by))));
  const alpha = [1, 1, 0.25, 4, 2 ** 10, 2 ** -10][random.int(0, 5)];
  const beta = random.int(0, 2) === 0 ? 1 : 0;
  const c = Array.from({ length: n }, () =>
    Array.from({ length: n }, () => precision.d.round((random.int(-3, 3) / 4) * largest)),
  );
  return { a: rows(ofA), b: rows(ofB), c, alpha: accumulated.round(alpha), beta };
}

/** Returns the reason why a product is refused. */
function refused(given: Given, found: Rows, claims: Claims, precision: Precision, isSpecial: boolean) {
  const wide = precision.a.precision > 24 || precision.d.precision > 24;
  const { a, b, c, alpha, beta } = given;
  const options = {
    precision: precision.name,
    claims,
    alpha,
    beta,
    before: beta === 0 ? undefined : flat(c, wide),
  };
  const { verdict, reason, evidence } = judgeProduct(
    flat(found, wide),
    flat(a, wide),
    flat(b, wide),
    options,
  );
  if (verdict === 'fail') return reason;
  if (!isSpecial) return undefined;
  const check = exceptions.judge(
    { ...evidence, operands: { ...evidence.operands, hasSpecials: true } },
    {} as never,
  );
  return check.status === 'fail' ? check.message : undefined;
}

const RUNS = inShort(Array.from({ length: 40 }), 2).length;

describe.each(inShort(asked, 47))('$words', ({ precision, claims }) => {
  test.each(['numbers', 'special values'])('what nearly overflows is right: %s', (kind) => {
    const isSpecial = kind === 'special values';
    const random = createRandom(31, kind.length);
    const wrong: string[] = [];
    let overflowed = 0;
    for (let run = 0; run < RUNS; run++) {
      const given = nearOverflow(precision, random, isSpecial);
      const found = computed(given, claims, precision, random);
      if (!found.flat().every((x) => Number.isFinite(x) && Math.abs(x) < precision.d.maxFinite)) overflowed++;
      const why = refused(given, found, claims, precision, isSpecial);
      if (why !== undefined) wrong.push(`${why} ${JSON.stringify({ ...given, found })}`);
    }
    expect(wrong).toEqual([]);
    expect(overflowed).toBeGreaterThan(RUNS / 10);
    if (!isSpecial) expect(overflowed).toBeLessThan(RUNS);
  });

  test('an infinity or a NaN of ordinary numbers is wrong', () => {
    const random = createRandom(32, 1);
    const ones = () => Array.from({ length: 4 }, () => Array.from({ length: 4 }, () => random.int(-3, 3)));
    for (const alpha of [1, 4]) {
      const given = { a: ones(), b: ones(), c: ones(), alpha, beta: 0 };
      const found = computed(given, claims, precision, random);
      expect(refused(given, found, claims, precision, false)).toBeUndefined();
      for (const other of [Infinity, -Infinity, Number.NaN]) {
        const planted = found.map((row, i) => row.map((x, j) => (i === 1 && j === 2 ? other : x)));
        expect(refused(given, planted, claims, precision, false)).toBeDefined();
      }
    }
  });
});

test.each<[Claims['alpha'], string]>([
  [undefined, 'pass'],
  ['first', 'pass'],
  ['last', 'fail'],
])(
  'where alpha times an entry overflows, an infinity of a kernel that claims alpha %s: %s',
  (alpha, verdict) => {
    const of = (x: number) => matrix(1, 1, Float32Array.of(x));
    const found = judgeProduct(of(Infinity), of(2 ** 60), of(2 ** -100), {
      alpha: 2 ** 100,
      claims: { alpha },
    });
    expect(found.verdict).toBe(verdict);
  },
);

test.each<[Claims['alpha'], string]>([
  [undefined, 'pass'],
  ['first', 'fail'],
  ['last', 'pass'],
])(
  'where sums without alpha overflow, an infinity of a kernel that claims alpha %s: %s',
  (alpha, verdict) => {
    const row = matrix(1, 2, Float32Array.of(3e38, 3e38));
    const ones = matrix(2, 1, Float32Array.of(1, 1));
    const c = matrix(1, 1, Float32Array.of(Infinity));
    expect(judgeProduct(c, row, ones, { alpha: 0.25, claims: { alpha } }).verdict).toBe(verdict);
  },
);
