import { describe, expect, it } from 'vitest';
import { findInput } from '../../inputs/inputs.ts';
import { plainGemm } from '../../matrix/gemm.ts';
import { emulated } from '../../precision/arithmetic.ts';
import { singleComputation } from '../../precision/single.ts';
import type { Evidence } from '../evidence.ts';
import { defaultThresholds } from './check.ts';
import { projections } from './projections.ts';

interface Sums {
  readonly errors?: readonly number[];
  readonly bound?: number;
  readonly sigma?: number;
  readonly slack?: number;
  readonly squares?: number;
  readonly judged?: readonly number[];
}

/** Makes sums of two blocks a line, with bound 1; sigma and slack decide only if given. */
function sideOf({ errors = [0, 0, 0, 0], judged, ...all }: Sums) {
  const { bound = 1, sigma = 1000, slack = 0, squares = 100 } = all;
  const each = (value: number) => new Float64Array(errors.length).fill(value);
  return {
    ...{ width: 32, blocks: 2, errors: Float64Array.from(errors), judged: judged ?? each(1) },
    ...{ bound: each(bound), sigma: each(sigma), slack: each(slack), squares: each(squares) },
  };
}

interface Known {
  readonly rows?: Sums;
  readonly cols?: Sums;
  readonly input?: string;
  readonly k?: number;
  readonly batch?: number;
  readonly hasSpecials?: boolean;
  readonly sigmas?: number;
  readonly randomUpTo?: number;
}

/** Judges sums of a product of 64 by 48 entries. */
function judge({ rows = {}, cols = {}, input = 'uniform', k = 40, batch = 1, ...more }: Known) {
  const shape = { m: 64, k, n: 48 };
  const { randomUpTo = Number.POSITIVE_INFINITY } = more;
  const evidence = {
    ...{ plan: { shape }, gemm: { ...plainGemm(shape), batch }, machine: singleComputation(emulated) },
    operands: {
      family: { ...findInput(input), randomUpTo: () => randomUpTo },
      hasSpecials: more.hasSpecials,
    },
    claims: { algorithm: 'classical' },
    projection: { vectors: 8, rows: sideOf(rows), cols: sideOf({ ...cols }) },
  };
  const limits = { ...defaultThresholds, sigmas: more.sigmas ?? 6 };
  return projections.judge(evidence as unknown as Evidence, limits);
}

/** Finds the largest error of a sum that passes, by bisection. */
function most(known: Omit<Known, 'rows'>, rows: Omit<Sums, 'errors'>): number {
  let [passes, fails] = [0, 1e6];
  while (fails - passes > 1e-9 * fails) {
    const middle = (passes + fails) / 2;
    const { status } = judge({ ...known, rows: { ...rows, errors: [middle, 0, 0, 0] } });
    [passes, fails] = status === 'fail' ? [passes, middle] : [middle, fails];
  }
  return passes;
}

describe('a signed sum may be off', () => {
  it('by its bound, and what the sum itself is off by', () => {
    expect(most({}, { bound: 3 })).toBeCloseTo(3, 6);
    expect(most({}, { bound: 3, slack: 0.5 })).toBeCloseTo(3.5, 6);
    expect(judge({ rows: { errors: [0, 0, 0, 1] } }).status).toBe('pass');
    expect(judge({ rows: { errors: [0, 0, 0, 1 + 2 ** -50] } }).status).toBe('fail');
    expect(judge({ cols: { errors: [0, 1 + 2 ** -50] } }).status).toBe('fail');
  });

  it('on random data by six sigmas where these are less, of long sums by its bound alone', () => {
    expect(most({}, { bound: 3, sigma: 0.25 })).toBeCloseTo(1.5, 6);
    expect(most({}, { bound: 3, sigma: 0.25, slack: 1 })).toBeCloseTo(2.5, 6);
    expect(most({ sigmas: 8 }, { bound: 3, sigma: 0.25 })).toBeCloseTo(2, 6);
    expect(most({}, { bound: 3, sigma: Number.NaN })).toBeCloseTo(3, 6);
    expect(most({ input: 'rotations' }, { bound: 3, sigma: 0.25 })).toBeCloseTo(3, 6);
    expect(most({ k: 10, randomUpTo: 10 }, { bound: 3, sigma: 0.25 })).toBeCloseTo(1.5, 6);
    expect(most({ k: 11, randomUpTo: 10 }, { bound: 3, sigma: 0.25 })).toBeCloseTo(3, 6);
  });

  it('by a little more where there are more than 2^16 sums, all vectors counted', () => {
    const passes = (error: number, count: number) =>
      judge({ rows: { bound: 100, sigma: 1, errors: [error, ...new Array(count - 1).fill(0)] } }).status;
    expect([passes(5.999, 2 ** 13), passes(6.001, 2 ** 13)]).toEqual(['pass', 'fail']);
    const allowed = Math.sqrt(36 + 2 * Math.log(2));
    expect([passes(allowed - 1e-3, 2 ** 14), passes(allowed + 1e-3, 2 ** 14)]).toEqual(['pass', 'fail']);
  });

  it('where nothing rounds, by what the sum itself is off by', () => {
    expect(most({ input: 'integers' }, { bound: 3, slack: 0.25 })).toBeCloseTo(0.25, 6);
  });
});

describe('what it says', () => {
  it('of a product whose entries are all compared', () => {
    const evidence = { operands: {}, gemm: plainGemm({ m: 1, k: 1, n: 1 }) } as unknown as Evidence;
    expect(projections.judge(evidence, defaultThresholds)).toEqual({
      status: 'not-applicable',
      message: 'Every entry is compared.',
    });
  });

  it('of sums within what is allowed: the share they use, and what is missed', () => {
    const known = { rows: { errors: [0.125, 0, 0.25, 0], bound: 2 }, cols: { bound: 0.5 } };
    expect(judge(known)).toEqual({
      ...{ status: 'pass', found: expect.closeTo(0.125, 12), allowed: 1 },
      message:
        'Random signed sums of 32 entries of a row and 32 of a column use at most 12.5 % of the allowed error; one entry off by more than 0.5 is missed with a chance of at most 2^-8, one off by more than 2 with 2^-16. Smaller errors are found only where entries are compared exactly.',
    });
    expect(judge({ ...known, rows: { ...known.rows, judged: [1, 0, 1, 0] } }).message).toContain(
      'of the allowed error (2 sums skipped: they hold NaN or infinities, or may overflow); one entry',
    );
    const unbounded = { bound: Number.POSITIVE_INFINITY, squares: Number.POSITIVE_INFINITY };
    expect(judge({ input: 'rotations', rows: unbounded }).message).toContain(
      'by more than infinitely many with 2^-16',
    );
  });

  it('of sums that are wrong: how many, how far, and in which rows and columns', () => {
    const wrong = { errors: [0, 0, 4, 2, 0, 9, 0, 0] };
    expect(judge({ rows: wrong })).toEqual({
      ...{ status: 'fail', found: expect.closeTo(9, 12), allowed: 1 },
      message:
        '3 of 8 signed sums of 32 entries of a row differ from those of the exact product, in rows 1…2; the worst error is 9 times what is allowed.',
    });
    expect(judge({ rows: wrong, cols: { errors: [0, 0, 0, 20] } }).message).toBe(
      '3 of 8 signed sums of 32 entries of a row differ from those of the exact product, in rows 1…2; 1 of 4 signed sums of 32 entries of a column differ from those of the exact product, in column 1; the worst error is 20 times what is allowed.',
    );
    expect(judge({ cols: { errors: [7, Number.NaN, 0, 0] } })).toMatchObject({
      ...{ status: 'fail', found: 'Infinity' },
      message: expect.stringMatching(
        /the first column \(0\); the worst error is infinitely many times what is allowed\.$/,
      ),
    });
  });

  it('of wrong rows of a batch: the row of each product, and how many products', () => {
    // Rows 63 and 2 of the second product, and row 63 of the third, of 64 each.
    const errors = new Array(2 * 64 * 3).fill(0);
    for (const row of [64 + 63, 64 + 2, 128 + 63]) errors[2 * row] = 5;
    expect(judge({ rows: { errors }, batch: 3 }).message).toBe(
      '3 of 384 signed sums of 32 entries of a row differ from those of the exact product, in rows 2 and 63 of 2 of 3 products; the worst error is 5 times what is allowed.',
    );
    const ofColumns = new Array(2 * 48 * 3).fill(0);
    ofColumns[2 * (48 + 47) + 1] = 5;
    expect(judge({ cols: { errors: ofColumns }, batch: 3 }).message).toContain(
      'in the last column (47) of 1 of 3 products',
    );
  });

  it('of sums that none can be added up', () => {
    const none = { judged: [0, 0, 0, 0], errors: [9, 9, 9, 9] };
    expect(judge({ rows: none, cols: none, hasSpecials: true })).toEqual({
      status: 'not-applicable',
      message: 'Every row and column has NaN or infinities, so none can be summed.',
    });
    expect(judge({ rows: none, cols: none })).toEqual({
      status: 'inconclusive',
      message: 'No row or column can be summed, since entries of each may overflow.',
    });
    expect(judge({ rows: none, hasSpecials: true }).status).toBe('pass');
    expect(judge({ cols: none }).status).toBe('pass');
  });

  it('of bounds that zeros would satisfy, where those of rows and of columns are such', () => {
    const loose = { bound: 10.1, squares: 100 };
    expect(judge({ rows: loose, cols: loose })).toEqual({
      ...{ status: 'vacuous', found: 0, allowed: 1 },
      message: 'The bounds of the sums exceed the sums, so projections prove nothing.',
    });
    expect(judge({ rows: loose }).status).toBe('pass');
    expect(judge({ cols: loose }).status).toBe('pass');
    const tight = { bound: 10, squares: 100 };
    expect(judge({ rows: tight, cols: tight }).status).toBe('pass');
    const zeros = { bound: 1, squares: 0 };
    expect(judge({ rows: zeros, cols: zeros }).status).toBe('pass');
  });
});
