import { describe, expect, it } from 'vitest';
import { findInput } from '../../inputs/inputs.ts';
import { type Matrix, matrix } from '../../matrix/dense.ts';
import { plainGemm } from '../../matrix/gemm.ts';
import type { Evidence } from '../evidence.ts';
import { judgeProduct, type ProductOptions } from '../judge-product.ts';
import { type Check, defaultThresholds as limits, NOT_ANALYSED } from './check.ts';
import { complete } from './complete.ts';
import { empty } from './empty.ts';
import { exactness } from './exactness.ts';
import { exceptions } from './exceptions.ts';
import { unbiased } from './repeated.ts';
import { boundUse, runningBound } from './running-bound.ts';
import { errorsInSigmas, sigma } from './sigma.ts';

// Answers of checks to products of a few entries that are worked out by hand.

const { NaN: nan, POSITIVE_INFINITY: infinite } = Number;
const row = (...entries: number[]): Matrix => matrix(1, entries.length, Float32Array.from(entries));
const column = (...entries: number[]): Matrix => matrix(entries.length, 1, Float32Array.from(entries));

interface Options extends ProductOptions {
  readonly input?: string;
  /** Other facts about the operands. */
  readonly known?: object;
  /** Other facts about the device. */
  readonly on?: object;
}

/** Makes evidence of a product computed elsewhere. */
function evidenceOf(c: Matrix, a: Matrix, b: Matrix, { input, known, on, ...options }: Options = {}) {
  const { evidence } = judgeProduct(c, a, b, options);
  const family = input === undefined ? undefined : findInput(input);
  return {
    ...evidence,
    operands: { ...evidence.operands, ...known, family },
    machine: { ...evidence.machine, ...on },
  } as Evidence & Parameters<typeof boundUse>[0];
}

const answer = (check: Check, evidence: Partial<Evidence>) => {
  const { explain: _, ...said } = check.judge(evidence as Evidence, limits);
  return said;
};
const notApplicable = (message: string) => ({ status: 'not-applicable', message });

describe('exact', () => {
  const judge = (found: number, options: Options = { input: 'integers' }) =>
    answer(exactness, evidenceOf(row(found), row(2048, 1), column(1, 1), options));

  it('has whole numbers be equal', () => {
    expect(judge(2049)).toEqual({
      ...{ status: 'pass', found: 0, allowed: 0 },
      message: 'All 1 entries equal the exact product.',
    });
    expect(judge(2050)).toEqual({
      ...{ status: 'fail', found: 1, allowed: 0 },
      message: 'The only entry of C differs from the exact product.',
    });
  });

  it('has results of fewer bits be the exact product rounded once, and says no error of them', () => {
    const options = { input: 'integers', precision: 'f16-f32-f16' };
    expect(judge(2048, options)).toEqual({
      status: 'pass',
      message: 'All 1 entries equal the exact product, rounded once to f16.',
    });
    expect(judge(2050, options)).toEqual({
      status: 'fail',
      message: 'The only entry of C differs from the exact product, rounded once to f16.',
    });
  });

  it.each(['faithful', 'stochastic'] as const)('says nothing of results that are rounded %s', (rounding) => {
    const on = { result: { rounding } };
    expect(judge(2048, { input: 'integers', precision: 'f16-f32-f16', on })).toEqual(
      notApplicable('The kernel claims that results may be either neighbor of a sum.'),
    );
  });

  it('says nothing of sums from which zero points are subtracted last, where there are some', () => {
    const zeros = (...data: number[]) => ({ coded: { a: { coded: { zeros: { data } } } } });
    const on = { zeroPoints: 'last' };
    expect(judge(2049, { input: 'integers', on, known: zeros(0, 3) })).toEqual(
      notApplicable('Zero points are subtracted from sums, which may have been rounded.'),
    );
    for (const known of [zeros(0, 0), {}])
      expect(judge(2049, { input: 'integers', on, known }).status).toBe('pass');
    expect(judge(2049, { input: 'integers', known: zeros(3) }).status).toBe('pass');
  });

  it('says nothing of subnormal numbers that are flushed', () => {
    const known = { hasSubnormals: true };
    const on = { arithmetic: { subnormals: 'flushed' } };
    expect(judge(2049, { input: 'integers', known, on })).toEqual(
      notApplicable('This input has subnormals, and the device flushes them.'),
    );
    expect(judge(2049, { input: 'integers', on }).status).toBe('pass');
  });

  it('says nothing of operands of which nothing is known, or that stay exact no more', () => {
    const rounded = notApplicable('Rounding is expected on this input.');
    expect(judge(2049, {})).toEqual(rounded);
    expect(judge(2049, { input: 'integers', known: { staysExact: false } })).toEqual(rounded);
    expect(judge(2049, { input: 'uniform' })).toEqual(rounded);
  });

  it('says of how many entries it is, where only some were compared', () => {
    const evidence = evidenceOf(row(2049), row(2048, 1), column(1, 1), { input: 'integers' });
    const reference = { ...evidence.reference, at: Float64Array.of(0) };
    expect(answer(exactness, { ...evidence, reference }).message).toBe(
      'All 1 entries that were compared equal the exact product.',
    );
  });
});

describe('exceptions', () => {
  const known = { hasSpecials: true };
  const strassen = { algorithm: 'strassen', levels: 1 };
  const square = (...entries: number[]) => matrix(2, 2, Float32Array.from(entries));
  const ones = square(1, 1, 1, 1);

  it('holds a fast algorithm whose steps are not known to what is not finite, wherever else it spreads', () => {
    const a = square(infinite, 1, 1, 1);
    const judge = (...c: number[]) =>
      answer(exceptions, evidenceOf(square(...c), a, ones, { known, claims: strassen }));
    const by = 'the exact product (a fast algorithm may have more of them)';
    const passes = { status: 'pass', message: `NaN and infinities match ${by}.` };
    expect(judge(infinite, infinite, 2, 2)).toEqual(passes);
    expect(judge(nan, infinite, 2, 2)).toEqual(passes);
    expect(judge(nan, -infinite, nan, infinite)).toEqual(passes);
    expect(judge(infinite, 7, 2, 2)).toEqual({
      status: 'fail',
      message: `Entry (0, 1) is 7, expected Infinity as in ${by}.`,
    });
  });

  it('lets infinities of a claimed schedule become NaN where that is claimed, and no numbers', () => {
    const claims = { ...strassen, recursion: { fringe: 'static-pad', schedule: 'scheduled' } } as const;
    const judge = (c: Matrix, infinities: true | 'nan') =>
      exceptions.judge(
        evidenceOf(c, square(1, infinite, 1, 1), ones, {
          known,
          claims: { ...claims, arithmetic: { exceptions: infinities } },
        }),
        limits,
      ).status;
    const { model } = evidenceOf(ones, square(1, infinite, 1, 1), ones, { known, claims }).analysis;
    expect([...model.data]).toEqual([nan, infinite, 2, 2]);
    const changed = (to: number) => square(...model.data.map((x) => (Math.abs(x) === infinite ? to : x)));
    expect(judge(changed(nan), 'nan')).toBe('pass');
    expect(judge(changed(nan), true)).toBe('fail');
    expect(judge(changed(7), 'nan')).toBe('fail');
  });

  it('says nothing of a plan whose model is not computed', () => {
    const evidence = evidenceOf(ones, ones, ones, { known, claims: strassen });
    expect(answer(exceptions, { ...evidence, leaf: 'naive', analysis: undefined })).toEqual(
      notApplicable(NOT_ANALYSED),
    );
  });

  it('refuses a number that the format of results does not have', () => {
    const evidence = evidenceOf(row(2), row(1, 1), column(1, 1), { known, precision: 'f16-f32-f16' });
    const [outcome] = evidence.outcomes;
    const judge = (found: number) =>
      answer(exceptions, { ...evidence, outcomes: [{ ...outcome, c: row(found) }] });
    expect(judge(65504).status).toBe('pass');
    expect(judge(70000)).toEqual({
      status: 'fail',
      message: 'Entry (0, 0) is 70000, expected 2 as in the exact product.',
    });
  });

  it('says of which product of a batch an entry is', () => {
    const evidence = evidenceOf(column(1, 1), column(1, 1), row(1), { known });
    const reference = { ...evidence.reference, value: Float64Array.of(1, nan) };
    const plan = { ...evidence.plan, shape: { m: 1, k: 1, n: 1 } };
    const gemm = { ...plainGemm(plan.shape), batch: 2 };
    const operands = { ...evidence.operands, a: column(1, nan), b: column(1, 1) };
    expect(answer(exceptions, { ...evidence, reference, plan, gemm, operands }).message).toBe(
      'Entry (0, 0) of product 1 is 1, expected NaN as in the exact product.',
    );
  });

  it('says of which part of a complex product an entry is, and takes results at their places', () => {
    const evidence = evidenceOf(column(1, 1, 1, 7), column(1, 1, 1, nan), row(1), { known });
    const gemm = { ...evidence.gemm, complex: {} } as Evidence['gemm'];
    const reference = { ...evidence.reference, at: Float64Array.of(3, 2), value: Float64Array.of(nan, 1) };
    expect(answer(exceptions, { ...evidence, gemm, reference }).message).toBe(
      'The imaginary part of (1, 0) is 7, expected NaN as in the exact product.',
    );
    const other = { ...reference, at: Float64Array.of(2, 3), value: Float64Array.of(1, nan) };
    expect(answer(exceptions, { ...evidence, gemm, reference: other }).message).toBe(
      'The imaginary part of (1, 0) is 7, expected NaN as in the exact product.',
    );
  });

  it('holds a fast algorithm whose schedule is claimed to its model, where all is compared', () => {
    const claims = { ...strassen, recursion: { fringe: 'static-pad', schedule: 'scheduled' } } as const;
    const a = square(infinite, 1, 1, 1);
    const evidence = evidenceOf(ones, a, ones, { known, claims });
    const model = [...evidence.analysis.model.data];
    expect(model.some(Number.isNaN)).toBe(true);
    const judge = (data: readonly number[], more: object = {}) =>
      answer(exceptions, {
        ...evidence,
        outcomes: [{ ...evidence.outcomes[0], c: square(...data) }],
        ...more,
      });
    expect(judge(model)).toEqual({
      status: 'pass',
      message: 'NaN and infinities match the bit-exact model (a fast algorithm spreads NaN and infinities).',
    });
    expect(judge([infinite, infinite, 2, 2]).status).toBe('fail');
    const at = Float64Array.of(0, 1, 2, 3);
    expect(judge([infinite, infinite, 2, 2], { reference: { ...evidence.reference, at } }).status).toBe(
      'pass',
    );
  });

  it('says what a wrong classical product looks like, and nothing of others', () => {
    const evidence = evidenceOf(row(1), row(nan), row(1), { known });
    const says = 'it looks like another';
    const recognize = () => ({ says });
    const explained = (more: object) =>
      exceptions.judge({ ...evidence, ...more } as Evidence, limits).explain?.({ recognize } as never);
    const message = 'Entry (0, 0) is 1, expected NaN as in the exact product';
    expect(explained({})).toEqual({ message: `${message}; likely mistake: ${says}.`, looksLike: { says } });
    const other = explained({ claims: { algorithm: 'strassen' } });
    expect(other?.looksLike).toBeUndefined();
    expect(other?.message).toMatch(/expected NaN as in .*\.$/);
  });

  it.each([
    [
      { arithmetic: { exceptions: false } },
      'The kernel claims nothing about NaN and infinities (exceptions: false), so none can be wrong.',
    ],
    [undefined, 'This device does not follow IEEE 754 for NaN and infinities, and WGSL allows that.'],
  ])('holds a kernel that claims %o to nothing where they are computed in another way', (claims, message) => {
    const evidence = evidenceOf(ones, ones, ones, { known, on: { arithmetic: { exceptions: false } } });
    expect(
      answer(exceptions, {
        ...evidence,
        claims: { algorithm: 'classical', ...claims } as Evidence['claims'],
      }),
    ).toEqual({ status: 'inconclusive', message });
  });
});

describe('running-bound', () => {
  it('says nothing of no entries, of sums that are not analysed, and of those beyond the largest result', () => {
    const none = evidenceOf(matrix(0, 1, new Float32Array(0)), matrix(0, 1, new Float32Array(0)), row(1));
    expect(answer(runningBound, none)).toEqual(notApplicable('D has no entries.'));
    const one = evidenceOf(row(1), row(1), row(1));
    expect(answer(runningBound, { ...one, analysis: undefined })).toEqual(notApplicable(NOT_ANALYSED));
    const half = { precision: 'f16-f32-f16' };
    expect(answer(runningBound, evidenceOf(row(infinite), row(6e4, 6e4), column(1, 1), half))).toEqual(
      notApplicable('Every entry exceeds the largest number of the format, so no error can be bounded.'),
    );
  });

  it('says of what it was kept', () => {
    const special = evidenceOf(row(nan), row(nan), row(1), { known: { hasSpecials: true } });
    expect(answer(runningBound, special)).toEqual(
      notApplicable('Every entry is NaN or infinite, so no error can be bounded.'),
    );
    const sums = evidenceOf(row(infinite), row(3e38, 3e38, -3e38), column(1, 1, 1));
    expect(answer(runningBound, sums)).toEqual({
      status: 'inconclusive',
      message: 'No bound is known: in every entry an intermediate value overflows or is NaN.',
    });
  });

  it('counts whole numbers that wrap as is claimed among those it judges', () => {
    const claims = { arithmetic: { result: { overflow: 'wraps' } } } as const;
    const options = { precision: 'int8-i32', claims, alpha: 140_000 };
    const wide = (x: number, y: number) => Float64Array.of(x, y);
    const c = matrix(2, 1, wide(127 * 127 * 140_000 - 2 ** 32, 127 * 140_000));
    const use = boundUse(
      evidenceOf(c, matrix(2, 1, wide(127, 1)), matrix(1, 1, Float64Array.of(127)), options),
    );
    expect(use).toMatchObject({ judged: 2, beyond: 0, skipped: 0, used: 0, vacuous: false });
  });
});

describe('sigma', () => {
  /** Makes a product of `count` entries with given errors, in sigmas. */
  const withErrors = (count: number, error: (e: number) => number, expected = 2 ** -24) => {
    const shape = { m: 1, k: 2, n: count };
    const evidence = evidenceOf(
      matrix(
        1,
        count,
        Float64Array.from({ length: count }, (_, e) => 1 + error(e) * 2 ** -24),
      ),
      row(1, 0),
      matrix(2, count, new Float32Array(2 * count).fill(1)),
      { input: 'uniform' },
    );
    const data = new Float64Array(count).fill(expected);
    const analysis = { ...evidence.analysis, sigma: { rows: 1, cols: count, data } };
    return { ...evidence, analysis, plan: { ...evidence.plan, shape } };
  };

  it('has no error be none, where none is expected either', () => {
    expect([...errorsInSigmas(withErrors(3, () => 0, 0))]).toEqual([0, 0, 0]);
    expect([...errorsInSigmas(withErrors(3, () => 0, nan))]).toEqual([0, 0, 0]);
    expect([...errorsInSigmas(withErrors(2, (e) => e))]).toEqual([0, 1]);
    expect([...errorsInSigmas(withErrors(2, (e) => e, 0))]).toEqual([0, infinite]);
  });

  it('holds the root mean square of 256 errors to 1.24 sigmas, of fewer to nothing', () => {
    expect(
      answer(
        sigma,
        withErrors(256, () => 1.2),
      ),
    ).toEqual({
      ...{ status: 'pass', found: expect.closeTo(1.2, 6), allowed: 6 },
      message: 'The worst error is 1.20 sigmas.',
    });
    const typical = Math.sqrt(1 + 6 * Math.sqrt(2 / 256));
    expect(
      answer(
        sigma,
        withErrors(256, () => 1.3),
      ),
    ).toEqual({
      ...{ status: 'fail', found: expect.closeTo(1.3, 6), allowed: typical },
      message:
        'The root mean square error is 1.3 sigmas, allowed 1.24; the worst error is 1.30. Likely cause: sums keep fewer bits than claimed.',
    });
    expect(
      answer(
        sigma,
        withErrors(255, () => 1.3),
      ).status,
    ).toBe('pass');
  });

  it('says nothing of sums that are not analysed, or of which no error can be expected', () => {
    const evidence = withErrors(2, () => 0);
    expect(answer(sigma, { ...evidence, analysis: undefined })).toEqual(notApplicable(NOT_ANALYSED));
    expect(
      answer(
        sigma,
        withErrors(2, () => 0, nan),
      ),
    ).toEqual({
      status: 'inconclusive',
      message: 'No expected error is known: an intermediate value overflows or is NaN.',
    });
    expect(
      answer(sigma, { ...evidence, operands: { ...evidence.operands, family: undefined } as never }),
    ).toEqual(notApplicable('The rounding errors of this input are not random.'));
  });
});

describe('unbiased', () => {
  const claims = { algorithm: 'classical', arithmetic: { rounding: 'stochastic' } } as const;
  const evidence = evidenceOf(row(1), row(1), row(1), { input: 'uniform' });
  const twice = { ...evidence, claims, outcomes: [evidence.outcomes[0], evidence.outcomes[0]] as const };

  it.each<[string, Partial<Evidence>, string]>([
    [
      'that claims nothing',
      { claims: { algorithm: 'classical' } },
      'The kernel does not claim stochastic rounding.',
    ],
    ['once', { outcomes: [evidence.outcomes[0]] }, 'This case ran once.'],
    ['that is not analysed', { analysis: undefined }, NOT_ANALYSED],
    ['of one entry', {}, 'The test needs at least 256 entries, each with an expected error.'],
  ])('says nothing of a product %s', (_, more, message) => {
    expect(answer(unbiased, { ...twice, ...more })).toEqual(notApplicable(message));
  });
});

describe('complete', () => {
  const judge = (rows: number, left: object, batch = 1) => {
    const c = matrix(rows, 2, new Float32Array(2 * rows));
    for (const at of (left as { nan?: number[] }).nan ?? []) c.data[at] = nan;
    const outcomes = [{ c, unwritten: 0, overwritten: 0, ...left }];
    const gemm = { ...plainGemm({ m: 4, k: 3, n: 2 }), batch };
    return answer(complete, { outcomes, gemm } as unknown as Evidence).message;
  };

  it.each<[string, number, object, number?]>([
    ['Every entry was written, and no other memory changed.', 4, {}],
    ['Every entry was written, and no other memory changed.', 8, {}, 2],
    ['C is 4×2, expected 2 times 4×2.', 4, {}, 2],
    ['1 word outside C or the workspace was overwritten.', 4, { overwritten: 1 }],
    ['1 entry of the operands was overwritten, but only the result may change.', 4, { changed: 1 }],
    ['3 of 8 entries of C were never written, in rows 1 to 2.', 4, { unwritten: 3, nan: [2, 4, 5] }],
    ['2 of 8 entries of C were never written.', 4, { unwritten: 2, nan: [0, 6] }],
    ['2 of 8 entries of C were never written.', 4, { unwritten: 2 }],
  ])('says: %s', (message, rows, left, batch) => expect(judge(rows, left, batch)).toBe(message));
});

it('entries that nobody wrote may be made of C, where it is scaled and where D lies in it', () => {
  const c = matrix(1, 1, Float32Array.of(nan));
  const plain = plainGemm({ m: 1, k: 1, n: 1 });
  const isMade = (more: object) =>
    answer(complete, {
      outcomes: [{ c, unwritten: 1, overwritten: 0 }],
      gemm: { ...plain, ...more },
    } as unknown as Evidence).message.endsWith(
      'in row 0 (or computed from C, which must not be read where beta = 0).',
    );
  expect(isMade({ alpha: 2 })).toBe(true);
  expect(isMade({})).toBe(false);
  expect(isMade({ alpha: 2, beta: 1 })).toBe(false);
  expect(isMade({ alpha: 2, c: { ...plain.c } })).toBe(false);
});

it('what was written where D has no entries is counted', () => {
  const outcomes = [{ c: matrix(0, 2, new Float32Array(0)), unwritten: 0, overwritten: 1, changed: 2 }];
  expect(answer(empty, { outcomes, gemm: plainGemm({ m: 0, k: 1, n: 2 }) } as unknown as Evidence)).toEqual({
    status: 'fail',
    message: 'D has no entries, but the kernel wrote 3.',
  });
});
