import { describe, expect, it } from 'vitest';
import { sharedGrowth } from '../../algorithms/growth.ts';
import { inShort } from '../../base/in-short.testing.ts';
import { exactProduct } from '../../exact/exact.ts';
import type { Product } from '../../gpu/runner/product.ts';
import { findInput, inputs } from '../../inputs/inputs.ts';
import { modelKernel } from '../../kernels/model-kernel.ts';
import { corruptKernel } from '../../kernels/tampered.testing.ts';
import { matrix } from '../../matrix/dense.ts';
import { type Arithmetic, emulated } from '../../precision/arithmetic.ts';
import { singleComputation, singlePrecision } from '../../precision/single.ts';
import { parseCase } from '../../problem/case.ts';
import * as diagnosing from '../diagnose.ts';
import { Evaluator } from '../evaluate.ts';
import type { AnalysisInput, Evidence } from '../evidence.ts';
import { verdictOfChecks } from '../result-of.ts';
import { type CheckAnswer, defaultThresholds as limits } from './check.ts';
import { checks } from './checks.ts';
import { complete } from './complete.ts';
import { drift } from './drift.ts';
import { exactness } from './exactness.ts';
import { exceptions } from './exceptions.ts';
import { boundUse, runningBound } from './running-bound.ts';
import { allowedSigmas, sigma } from './sigma.ts';

const ieee: Arithmetic = { ...emulated, fma: 'once' };

/** Computes the evidence of a case on the CPU, with a tampered result; `kernel` is the algorithm here. */
async function evidenceOf(
  text: string,
  tamper: (honest: Product) => Partial<Product> = () => ({}),
  arithmetic: Arithmetic = ieee,
): Promise<Evidence & AnalysisInput> {
  const value = parseCase(text);
  const honest = modelKernel(value.kernel, singleComputation(arithmetic));
  const kernel = corruptKernel(honest, (product) => void Object.assign(product, tamper(product)));
  const evaluator = new Evaluator(exactProduct);
  return (await evaluator.evaluate(await evaluator.prepare(value, kernel))) as Evidence & AnalysisInput;
}

/** Changes one entry of the result. */
const entry = (at: number, change: (x: number) => number) => (honest: Product) => {
  honest.c.data[at] = change(honest.c.data[at]);
  return {};
};

/** Returns the next binary32 number further from zero. */
function outward(x: number): number {
  const words = new Uint32Array(Float32Array.of(x).buffer);
  words[0]++;
  return new Float32Array(words.buffer)[0];
}

const INTEGERS = 'kernel=classical;input=integers;m=9;k=11;n=10';
const UNIFORM = 'kernel=classical;input=uniform;m=9;k=40;n=10';
const STRASSEN = 'kernel=strassen;levels=2;input=uniform;m=24;k=20;n=28';
const SPECIAL = 'kernel=classical;input=special-values;m=24;k=9;n=24';

/** Returns an answer in the form of results. */
const explained = ({ explain, ...answer }: CheckAnswer): CheckAnswer => ({
  ...answer,
  ...explain?.(diagnosing),
});

describe('an honest product', () => {
  const honest = inputs.flatMap(({ name, accepts }) =>
    [0, 2]
      .filter((levels) => accepts({ m: 24, k: 24, n: 24, levels, growth: sharedGrowth() }).ok)
      .flatMap((levels) =>
        ['classical', 'strassen', 'winograd'].map(
          (kernel) => `kernel=${kernel};levels=${levels};input=${name};m=24;k=24;n=24`,
        ),
      ),
  );

  it.each(inShort(honest, 3))('%s fails no check, and some check has judged it', async (text) => {
    const evidence = await evidenceOf(text);
    const answers = checks.items.map((check) => ({ name: check.name, ...check.judge(evidence, limits) }));
    expect(answers.filter(({ status }) => status === 'fail')).toEqual([]);
    expect(verdictOfChecks(answers).verdict).not.toBe('fail');
    expect(answers.find(({ name }) => name === 'complete')?.status).toBe('pass');
  });
});

describe('complete', () => {
  const judge = async (change: Partial<Product>) =>
    complete.judge(await evidenceOf(INTEGERS, () => change), limits);

  it('fails an unwritten entry, and says in which rows', async () => {
    const unwritten = (honest: Product) => {
      honest.c.data.fill(Number.NaN, 70, 80);
      return { unwritten: 10 };
    };
    const evidence = await evidenceOf(INTEGERS, unwritten);
    expect(complete.judge(evidence, limits)).toEqual({
      status: 'fail',
      message: '10 of 90 entries of C were never written, in row 7.',
    });
  });

  it('fails a touched guard and a changed operand, and names both', async () => {
    expect(await judge({ overwritten: 1 })).toMatchObject({
      status: 'fail',
      message: '1 word outside C or the workspace was overwritten.',
    });
    expect(await judge({ changed: 1 })).toMatchObject({ status: 'fail' });
    const both = await judge({ overwritten: 3, changed: 2 });
    expect(both.message).toMatch(
      /^3 words outside C.*; 2 entries of the operands were overwritten, but only the result may change\.$/,
    );
  });

  it('fails a result of another shape', async () => {
    const transposed = ({ c }: Product) => ({ c: matrix(c.cols, c.rows, c.data) });
    const answer = complete.judge(await evidenceOf(INTEGERS, transposed), limits);
    expect(answer).toEqual({ status: 'fail', message: 'C is 10×9, expected 9×10.' });
  });

  it('passes operands that were too large to be read back', async () => {
    expect(await judge({ changed: undefined })).toMatchObject({ status: 'pass' });
  });
});

describe('exact', () => {
  it('fails one entry that is one unit in the last place off, and says where', async () => {
    const answer = explained(exactness.judge(await evidenceOf(INTEGERS, entry(23, outward)), limits));
    expect(answer.status).toBe('fail');
    expect(answer.message).toMatch(
      /^1 of 90 entries differs from the exact product: only entry \(2, 3\)(, in \S+)?; found \S+, expected \S+/,
    );
  });

  it('fails NaN, infinity and a lost sign', async () => {
    for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const answer = exactness.judge(
        await evidenceOf(
          INTEGERS,
          entry(0, () => wrong),
        ),
        limits,
      );
      expect(answer).toMatchObject({ status: 'fail', found: 'Infinity' });
    }
    const negated = (honest: Product) => {
      honest.c.data.forEach((x, e) => {
        honest.c.data[e] = -x;
      });
      return {};
    };
    const answer = explained(exactness.judge(await evidenceOf(INTEGERS, negated), limits));
    expect(answer.message).toMatch(/all 9×10 entries; .*; likely mistake: the sign is wrong\.$/);
  });

  it('does not tell +0 from −0', async () => {
    const zeros = await evidenceOf('kernel=classical;input=identity;m=8;k=8;n=8', (honest) => {
      honest.c.data.forEach((x, e) => {
        if (x === 0) honest.c.data[e] = -0;
      });
      return {};
    });
    expect(exactness.judge(zeros, limits).status).toBe('pass');
  });

  it.each([
    ['classical;levels=0;input=powers-of-two', 'pass'],
    ['classical;levels=1;input=powers-of-two', 'not-applicable'],
    ['strassen;levels=1;input=powers-of-two', 'not-applicable'],
    ['strassen;levels=2;input=integers', 'pass'],
    ['classical;levels=0;input=uniform', 'not-applicable'],
  ])('%s: %s', async (start, status) => {
    const evidence = await evidenceOf(`kernel=${start};m=16;k=16;n=16`);
    expect(exactness.judge(evidence, limits).status).toBe(status);
  });
});

describe('running-bound', () => {
  /** Moves an entry as far from its exact value as a binary32 number can be within its bound, or one further. */
  const beside = (beyond: boolean) => async (text: string, at: number) => {
    const { reference, analysis } = await evidenceOf(text);
    const value = reference.value[at];
    const limit = Math.abs(value) + analysis.bound.data[at];
    let x = Math.fround(limit);
    if (x > limit) x = Math.fround(limit - Math.abs(limit) * 2 ** -24);
    return evidenceOf(
      text,
      entry(at, () => Math.sign(value) * (beyond ? outward(x) : x)),
    );
  };

  it.each([UNIFORM, STRASSEN])(
    '%s: passes an error within the bound, fails one unit beyond',
    async (text) => {
      const within = runningBound.judge(await beside(false)(text, 17), limits);
      expect(within.status).toBe('pass');
      expect(Number(within.found)).toBeGreaterThan(0.9);
      const beyond = runningBound.judge(await beside(true)(text, 17), limits);
      expect(beyond.status).toBe('fail');
      expect(Number(beyond.found)).toBeGreaterThan(1);
      expect(beyond.message).toMatch(
        /^1 of \d+ entries exceeds its error bound; its error is 1[.\d]* times the bound\.$/,
      );
    },
  );

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('fails %s where a finite value belongs', async (wrong) => {
    const answer = runningBound.judge(
      await evidenceOf(
        UNIFORM,
        entry(5, () => wrong),
      ),
      limits,
    );
    expect(answer).toMatchObject({ status: 'fail', found: 'Infinity' });
    expect(answer.message).toMatch(/^1 of \d+ entries exceeds its error bound/);
    expect(answer.message).not.toContain('times');
  });

  it('calls a bound that a result of zeros would satisfy vacuous', async () => {
    const evidence = await evidenceOf('kernel=classical;input=ill-conditioned;m=20;k=20;n=20');
    expect(boundUse(evidence).vacuous).toBe(true);
    expect(runningBound.judge(evidence, limits)).toMatchObject({
      status: 'vacuous',
      message: expect.stringMatching(/exceeds C itself and proves nothing/),
    });
  });

  it('fails an error beyond a vacuous bound all the same', async () => {
    const ill = 'kernel=classical;input=ill-conditioned;m=20;k=20;n=20';
    expect(
      runningBound.judge(
        await evidenceOf(
          ill,
          entry(0, () => 1e30),
        ),
        limits,
      ).status,
    ).toBe('fail');
  });

  it('says nothing where no bound is finite, is inconclusive where sums overflow, and not applicable where nothing finite is left', async () => {
    const uniform = await evidenceOf(UNIFORM);
    const bound = { ...uniform.analysis.bound, data: uniform.analysis.bound.data.map(() => Number.NaN) };
    const unbounded = { ...uniform, analysis: { ...uniform.analysis, bound } };
    expect(runningBound.judge(unbounded, limits).status).toBe('vacuous');
    const { model } = uniform.analysis;
    const infinite = { ...model, data: model.data.map(() => Number.POSITIVE_INFINITY) };
    const overflowing = { ...uniform, analysis: { ...uniform.analysis, bound, model: infinite } };
    expect(runningBound.judge(overflowing, limits).status).toBe('inconclusive');
    const one = await evidenceOf('kernel=classical;input=special-values;m=1;k=1;n=1');
    expect(runningBound.judge(one, limits).status).toBe('not-applicable');
  });

  it('says how many entries it leaves out', async () => {
    const special = runningBound.judge(await evidenceOf(SPECIAL), limits);
    expect(special).toMatchObject({
      status: 'pass',
      message: expect.stringMatching(/; \d+ entries have no bound, since they overflow/),
    });
  });
});

describe('exceptions', () => {
  const status = async (text: string, tamper?: (honest: Product) => Partial<Product>) =>
    exceptions.judge(await evidenceOf(text, tamper), limits).status;
  const { POSITIVE_INFINITY, NaN: nan } = Number;

  it.each(['classical', 'strassen', 'winograd'])(
    'fails %s where one is lost, invented or changed',
    async (kernel) => {
      const text = `${SPECIAL.replace('classical', kernel)};levels=1`;
      const { data } = (await evidenceOf(text)).outcomes[0].c;
      const places = {
        finite: data.findIndex(Number.isFinite),
        nan: data.findIndex(Number.isNaN),
        infinite: data.findIndex((x) => Math.abs(x) === POSITIVE_INFINITY),
      };
      expect(await status(text)).toBe('pass');
      expect(
        await status(
          text,
          entry(places.nan, () => 0),
        ),
      ).toBe('fail');
      if (places.finite >= 0) {
        expect(
          await status(
            text,
            entry(places.finite, () => nan),
          ),
        ).toBe('fail');
        expect(
          await status(
            text,
            entry(places.finite, () => POSITIVE_INFINITY),
          ),
        ).toBe('fail');
        expect(
          await status(
            text,
            entry(places.finite, (x) => x + 1),
          ),
        ).toBe('pass');
      }
      if (places.infinite >= 0) {
        expect(
          await status(
            text,
            entry(places.infinite, (x) => -x),
          ),
        ).toBe('fail');
        expect(
          await status(
            text,
            entry(places.infinite, () => nan),
          ),
        ).toBe('fail');
      }
    },
  );

  it('names the entry, what it is and what it should be', async () => {
    const { data } = (await evidenceOf(SPECIAL)).outcomes[0].c;
    const at = data.findIndex(Number.isNaN);
    const { message } = exceptions.judge(
      await evidenceOf(
        SPECIAL,
        entry(at, () => 7),
      ),
      limits,
    );
    const place = `(${Math.floor(at / 24)}, ${at % 24})`;
    expect(message).toBe(`Entry ${place} is 7, expected NaN as in the exact product.`);
  });

  it('is inconclusive on a device that is not held to them, and not applicable without any', async () => {
    const own = await evidenceOf(SPECIAL, () => ({}), { ...ieee, exceptions: false });
    expect(exceptions.judge(own, limits).status).toBe('inconclusive');
    expect(await status(UNIFORM)).toBe('not-applicable');
  });
});

describe('sigma', () => {
  /** Makes honest evidence whose worst error is `ratio` sigmas. */
  async function worst(ratio: number): Promise<Evidence & AnalysisInput> {
    const evidence = await evidenceOf(UNIFORM);
    const { reference, outcomes, analysis } = evidence;
    const { value, low } = reference;
    const errors = outcomes[0].c.data.map((x, e) => Math.abs(x - value[e] - low[e]));
    const largest = Math.max(...errors);
    const data = analysis.sigma.data.map(() => largest / ratio);
    return { ...evidence, analysis: { ...analysis, sigma: { ...analysis.sigma, data } } };
  }

  it('passes 5.99 sigmas and fails 6.01', async () => {
    expect(sigma.judge(await worst(5.99), limits)).toMatchObject({ status: 'pass', allowed: 6 });
    const answer = explained(sigma.judge(await worst(6.01), limits));
    expect(answer).toMatchObject({ status: 'fail', allowed: 6 });
    expect(answer.found).toBeCloseTo(6.01, 5);
    expect(answer.message).toMatch(/^The worst error is 6\.01 sigmas, allowed 6: .*found \S+, expected \S+/);
  });

  it('says nothing of sums longer than those whose errors are random', async () => {
    const evidence = await worst(9);
    const random = findInput('uniform');
    const family = { ...random, randomUpTo: () => evidence.plan.shape.k - 1 };
    const operands = { ...evidence.operands, family };
    expect(sigma.judge({ ...evidence, operands }, limits).status).toBe('not-applicable');
    expect(findInput('inverse-pair').randomUpTo(singlePrecision)).toBe(1024);
  });

  it('holds results to the threshold it is given', async () => {
    const thresholds = { ...limits, sigmas: 7 };
    expect(sigma.judge(await worst(6.01), thresholds).status).toBe('pass');
    expect(sigma.judge(await worst(7.01), thresholds).status).toBe('fail');
  });

  it('fails NaN, and an error where none is expected', async () => {
    const nan = await evidenceOf(
      UNIFORM,
      entry(3, () => Number.NaN),
    );
    expect(sigma.judge(nan, limits)).toMatchObject({ status: 'fail', found: 'Infinity' });
    expect(sigma.judge(await worst(Number.POSITIVE_INFINITY), limits).status).toBe('fail');
  });

  it('does not pass where no error can be expected', async () => {
    expect(sigma.judge(await worst(0), limits).status).toBe('inconclusive');
    expect(sigma.judge(await worst(Number.NaN), limits).status).toBe('inconclusive');
  });

  it('does not judge errors that are not random', async () => {
    expect(sigma.judge(await evidenceOf(INTEGERS), limits).status).toBe('not-applicable');
  });
});

describe('drift', () => {
  const judge = async (factor: number, tamper?: (honest: Product) => Partial<Product>) => {
    const { errors } = await evidenceOf(UNIFORM);
    const { mean, max } = errors.exact;
    const baseline = { maxError: max, meanError: mean / factor };
    return drift.judge(await evidenceOf(UNIFORM, tamper), { ...limits, baseline });
  };

  it('passes twice the baseline and fails more', async () => {
    expect(await judge(0.5)).toMatchObject({ status: 'pass' });
    expect(await judge(2)).toMatchObject({ status: 'pass' });
    const answer = await judge(2.01);
    expect(answer.status).toBe('fail');
    expect(answer.message).toMatch(
      /^The mean error is \S+, 2\.01 times its baseline of \S+; allowed: 2 times\.$/,
    );
  });

  it('fails a mean error that is no number', async () => {
    expect(
      await judge(
        1,
        entry(0, () => Number.NaN),
      ),
    ).toMatchObject({ status: 'fail' });
  });

  it('fails any error where there was none, and passes none where there was none', async () => {
    const exact = { ...limits, baseline: { maxError: 0, meanError: 0 } };
    expect(drift.judge(await evidenceOf(UNIFORM), exact).status).toBe('fail');
    expect(drift.judge(await evidenceOf(INTEGERS), exact).status).toBe('pass');
  });

  it('has nothing to say without a baseline', async () => {
    expect(drift.judge(await evidenceOf(UNIFORM), limits).status).toBe('not-applicable');
  });
});

describe('the sigmas allowed', () => {
  it('are the threshold up to 2^16 entries, then as many as keep false alarms as rare', () => {
    expect(allowedSigmas(6, 1)).toBe(6);
    expect(allowedSigmas(6, 2 ** 16)).toBe(6);
    expect(allowedSigmas(6, 2 ** 28)).toBeCloseTo(Math.sqrt(36 + 2 * 12 * Math.LN2), 12);
  });
});
