import { describe, expect, it } from 'vitest';
import { sumsIn, toBits } from '../lab/honest/sums.ts';
import { createRandom, type Random } from '../src/base/random.ts';
import { judgeProduct } from '../src/evidence/judge-product.ts';
import type { Claims } from '../src/kernels/claims.ts';
import { matrix } from '../src/matrix/dense.ts';
import { type Format, f16 } from '../src/precision/format.ts';
import { precisions } from '../src/precision/precisions.ts';

/**
 * The law: a kernel may round alpha·A to the format of operands, or multiply by alpha and add beta·C in the format of results. With that
 * claim it keeps the bound and the expected errors. Without the claim it exceeds them; so it does if it rounds to a narrower format.
 *
 * Why: an epilogue in f16 rounds up to five times where sums of f32 are rounded once, and alpha·A is rounded where A is not.
 */
type Round = (x: number) => number;
interface Factors {
  readonly alpha: number;
  readonly beta: number;
}

/** Computes an entry of D from a row, a column and an entry of C. `narrow` is the format that the kernel rounds to. */
type Entry = (row: number[], column: number[], before: number, factors: Factors, by: Rounds) => number;
interface Rounds {
  readonly narrow: Round;
  readonly operand: Round;
  readonly accumulated: Format;
  readonly result: Round;
}

const dot = (row: number[], column: number[], { accumulated }: Rounds) =>
  sumsIn(accumulated).sequential(Float64Array.from(row, (x, p) => x * column[p]));

/** The places where kernels multiply by alpha and beta, and the formats. */
const kernels: Readonly<
  Record<string, { readonly claims: Claims; readonly formats: string[]; entry: Entry }>
> = {
  'alpha·A of operands': {
    claims: { alpha: 'operand' },
    formats: ['f16-f32', 'tf32-f32', 'bf16-f32', 'f16-f32-f16', 'bf16-f32-bf16'],
    entry(row, column, before, { alpha, beta }, by) {
      const { accumulated, narrow, operand, result } = by;
      const scaled = row.map((x) => narrow(accumulated.round(alpha * x)));
      const sum = dot(scaled, column.map(operand), by);
      return result(accumulated.round(sum + accumulated.round(beta * before)));
    },
  },
  'alpha and beta of results': {
    claims: { alpha: 'result', beta: 'result' },
    formats: ['f16-f32-f16', 'bf16-f32-bf16'],
    entry(row, column, before, { alpha, beta }, by) {
      const { narrow } = by;
      const scaled = narrow(narrow(alpha) * narrow(dot(row, column, by)));
      return narrow(scaled + narrow(narrow(beta) * before));
    },
  },
  'beta of results, alpha of sums': {
    claims: { alpha: 'last', beta: 'result' },
    formats: ['f16-f32-f16', 'bf16-f32-bf16'],
    entry(row, column, before, { alpha, beta }, by) {
      const { narrow, accumulated } = by;
      const scaled = narrow(accumulated.round(alpha * dot(row, column, by)));
      return narrow(scaled + narrow(narrow(beta) * before));
    },
  },
};

const families: Readonly<Record<string, (random: Random) => number>> = {
  uniform: (random) => random.uniform(-1, 1),
  'uniform on [0, 1)': (random) => random.uniform(0, 1),
  'uniform on [2, 5)': (random) => random.uniform(2, 5),
  /** Draws entries that the format of operands holds. */
  held: (random) => random.uniform(-1, 1),
  small: (random) => random.uniform(-1, 1) * 2 ** -9,
};
const factors: readonly Factors[] = [
  { alpha: 1.5, beta: 0 },
  { alpha: 0.3, beta: 1 },
  { alpha: -0.7, beta: 0.1 },
  { alpha: 1, beta: 3 },
];

const SIDE = 8;

/** Judges products of random entries by a kernel with this rounding. */
function judged(family: string, k: number, precision: string, { alpha, beta }: Factors, kernel: Making) {
  const { a: stored, multiplied, accumulated, d } = precisions.find(precision);
  const enter = family === 'held' ? multiplied.round : stored.round;
  const random = createRandom(k, 11);
  const line = () => Array.from({ length: k }, () => enter(families[family](random)));
  const [rows, columns] = [Array.from({ length: SIDE }, line), Array.from({ length: SIDE }, line)];
  const before = Array.from({ length: SIDE ** 2 }, () => d.round(families[family](random)));
  const by = {
    narrow: kernel.narrow ?? (kernel.claims?.alpha === 'operand' ? multiplied.round : d.round),
    operand: multiplied.round,
    accumulated,
    result: d.round,
  };
  const asked = { alpha: accumulated.round(alpha), beta: accumulated.round(beta) };
  const c = before.map((entry, e) =>
    kernel.entry(rows[Math.floor(e / SIDE)], columns[e % SIDE], entry, asked, by),
  );
  const data = Float64Array.from({ length: k * SIDE }, (_, at) => columns[at % SIDE][Math.floor(at / SIDE)]);
  return judgeProduct(
    matrix(SIDE, SIDE, Float64Array.from(c)),
    matrix(SIDE, k, Float64Array.from(rows.flat())),
    matrix(k, SIDE, data),
    {
      precision,
      alpha,
      beta,
      before: matrix(SIDE, SIDE, Float64Array.from(before)),
      claims: kernel.held,
      sigmas: 6,
    },
  );
}

interface Making {
  readonly entry: Entry;
  readonly claims?: Claims;
  /** The claims by which it is judged. */
  readonly held: Claims;
  /** The format that it rounds to in place of its own. */
  readonly narrow?: Round;
}

const all = Object.entries(kernels).flatMap(([name, { formats, ...kernel }]) =>
  formats.map((precision) => ({ name, precision, ...kernel })),
);

describe.each(all)('$name in $precision', ({ precision, entry, claims }) => {
  it.each(Object.keys(families))('of %s keeps to it', (family) => {
    for (const k of [1, 16, 200])
      for (const asked of factors) {
        const { reason } = judged(family, k, precision, asked, { entry, claims, held: claims });
        expect([k, asked, reason]).toEqual([k, asked, expect.stringMatching(/^All/)]);
      }
  });

  it('does not where it claims less', () => {
    const verdicts = factors.map(
      (asked) => judged('held', 16, precision, asked, { entry, claims, held: {} }).verdict,
    );
    expect(verdicts).toContain('fail');
  });

  it('does not where it rounds to three bits fewer', () => {
    const { multiplied, d } = precisions.find(precision);
    const narrow = toBits((claims.alpha === 'operand' ? multiplied : d).precision - 3);
    const { verdict } = judged('held', 16, precision, factors[1], { entry, claims, held: claims, narrow });
    expect(verdict).toBe('fail');
  });
});

it('what is rounded before alpha comes to it may overflow there, and not in sums', () => {
  const half = (x: number) => matrix(1, 1, Float64Array.of(x));
  const verdict = (found: number, claims: Claims) =>
    judgeProduct(half(found), half(300), half(300), { precision: 'f16-f32-f16', alpha: 2 ** -4, claims })
      .verdict;
  expect(verdict(Number.POSITIVE_INFINITY, { alpha: 'result' })).toBe('pass');
  expect(verdict(Number.POSITIVE_INFINITY, {})).toBe('fail');
  expect(verdict(Number.POSITIVE_INFINITY, { alpha: 'operand' })).toBe('fail');
  const scaled = (claims: Claims) =>
    judgeProduct(half(Number.POSITIVE_INFINITY), half(300), half(2 ** -8), {
      ...{ precision: 'f16-f32-f16', alpha: 300, claims },
    }).verdict;
  expect(scaled({ alpha: 'operand' })).toBe('pass');
  expect(scaled({ alpha: 'first' })).toBe('fail');
  expect(f16.maxFinite).toBeLessThan(300 * 300);
});
