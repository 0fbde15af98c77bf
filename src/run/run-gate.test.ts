import { afterAll, describe, expect, it } from 'vitest';
import type { ParanoiaError } from '../base/errors.ts';
import { itWhole } from '../base/in-short.testing.ts';
import { type CaseResult, caseResult } from '../evidence/case-result.ts';
import { defaultThresholds } from '../evidence/checks/check.ts';
import { Evaluator } from '../evidence/evaluate.ts';
import { resultOf } from '../evidence/result-of.ts';
import { exactProduct } from '../exact/exact.ts';
import { ReferenceFault } from '../exact/rounded.ts';
import type { OpenDevice } from '../gpu/device.ts';
import { noAdapter, outOfGpuMemory, tooLarge } from '../gpu/messages.ts';
import { openNodeDevice } from '../gpu/node/open.ts';
import { builtinKernel } from '../kernels/builtin.ts';
import type { Kernel } from '../kernels/kernel.ts';
import { modelKernel } from '../kernels/model-kernel.ts';
import { tamperKernel } from '../kernels/tampered.testing.ts';
import { matrix } from '../matrix/dense.ts';
import { singleComputation } from '../precision/single.ts';
import { type Case, formatCase, parseCase } from '../problem/case.ts';
import { noBaselines } from './baselines.ts';
import { FailureLimiter } from './enough-failures.ts';
import type { FailureGroup } from './groups/group.ts';
import type { PlannedCase } from './planned-case.ts';
import { type GateOptions, runGate } from './run-gate.ts';
import { Spending } from './spending.ts';

const opened: OpenDevice[] = [];
async function openDevice(): Promise<OpenDevice> {
  const open = await openNodeDevice({ adapter: 'software' });
  opened.push(open);
  return open;
}
const open = await openDevice();
afterAll(() => {
  for (const { close } of opened) close();
});

const evaluator = new Evaluator(exactProduct);
const planned = (...texts: string[]): PlannedCase[] =>
  texts.map((text) => ({ ...parseCase(text), series: false }));
const three = planned(
  ...['uniform', 'integers', 'scaled-rows'].map(
    (input) => `kernel=strassen:register;levels=1;input=${input};m=20;k=21;n=22`,
  ),
);

const run = (cases: readonly PlannedCase[], options: Partial<GateOptions> = {}) =>
  runGate(cases, {
    open,
    reopen: openDevice,
    evaluator,
    thresholds: defaultThresholds,
    baselines: noBaselines(open.fingerprint.id),
    ...options,
  });

const verdicts = (cases: readonly CaseResult[]) => cases.map(({ verdict }) => verdict);

describe('a run', () => {
  it('ends a case between two of its products where the budget is over, and leaves it out', async () => {
    let products = 0;
    class Counted extends Spending {
      override isOver = () => products > 5;
      override affords = () => products <= 5;
    }
    const spending = new Counted(60);
    const model = modelKernel('strassen', singleComputation(open.arithmetic));
    const counting: Kernel = {
      ...model,
      session: {
        async run(jobs) {
          products += jobs.length;
          return model.session.run(jobs);
        },
      },
    };
    const cases = planned(
      'kernel=strassen:model;levels=1;input=integers;m=2;k=2;n=2',
      'kernel=strassen:model;levels=1;input=integers;m=2;k=2;n=2;repeats=50',
    );
    const { cases: judged, summary } = await run(cases, {
      evaluator: new Evaluator(exactProduct, { ends: () => spending.isOver() }),
      spending,
      kernelOf: async () => counting,
    });
    expect(verdicts(judged)).toEqual(['pass']);
    expect(summary).toMatchObject({ planned: 2, run: 1, interrupted: false });
    expect(products).toBe(6);
  });

  it('keeps what is finished where judging throws', async () => {
    const broken = (error: unknown, finished = 2) =>
      run(three, {
        judgeCases: async (cases, tell) => {
          const kernel = await builtinKernel('strassen:register', open);
          for (let at = 0; at < finished; at++)
            tell(
              at,
              await resultOf(
                cases[at],
                kernel,
                tooLarge({ kernel: 'k', buffer: 'A', bytes: 2, largest: 1, size: 1, unit: 1 }),
                defaultThresholds,
              ),
            );
          throw error;
        },
      });
    const outcome = await broken(new TypeError('x is undefined'));
    expect(outcome).toMatchObject({
      verdict: 'inconclusive',
      summary: { run: 2, planned: 3, interrupted: true },
      broken: { exitCode: 70 },
      reason: expect.stringMatching(
        /^The run ended early, after 2 of 3 cases; their results are kept. Reason: gemm-paranoia itself failed: x is undefined\.$/,
      ),
    });
    const lost = noAdapter({ found: [], notes: [] });
    expect((await broken(lost)).broken).toMatchObject({ cause: lost });
    await expect(broken(lost, 0)).rejects.toBe(lost);
  });

  it('passes honest cases, in order, and tells of each', async () => {
    const told: [string, number, number][] = [];
    const outcome = await run(three, {
      onCase: (result, done, all) => told.push([result.case, done, all]),
    });
    expect(outcome).toMatchObject({
      verdict: 'pass',
      reason: 'All 3 cases passed.',
      summary: { planned: 3, run: 3, pass: 3, comparedWithModel: 3, equalToModel: 3, interrupted: false },
    });
    expect(told).toEqual(three.map((value, at) => [formatCase(value), at + 1, 3]));
    for (const result of outcome.cases) expect(caseResult.parse(result)).toEqual(result);
  });

  it('asks a kernel that fails for a few more cases alone where it is to, and others for all', async () => {
    const faulty = planned(
      ...Array.from(
        { length: 20 },
        (_, at) => `kernel=classical:naive;input=integers;m=9;k=8;n=${at + 7};fault=dropped-last-k`,
      ),
    );
    const shrunk: number[] = [];
    const ending = {
      enough: new FailureLimiter(),
      shrink: async (groups: FailureGroup[]) => {
        shrunk.push(groups.length);
        return groups;
      },
    };
    const outcome = await run([...faulty, ...three], ending);
    expect(outcome.summary).toMatchObject({ planned: 23, run: 15, fail: 12, pass: 3, interrupted: false });
    expect([outcome.skipped?.length, shrunk]).toEqual([8, [1]]);
    expect(outcome.reason).toBe(
      '12 of 15 cases failed. This is enough for a verdict, so 8 other cases did not run; --all runs them.',
    );
    expect((await run(faulty)).summary.run).toBe(20);
  });

  it('of nothing is inconclusive', async () => {
    expect(await run([])).toMatchObject({ verdict: 'inconclusive', reason: 'Nothing was run.' });
  });

  it('fails if one case does, whatever the others', async () => {
    const faulty = planned('kernel=classical:naive;input=integers;m=9;k=8;n=7;fault=dropped-last-k');
    const outcome = await run([...three, ...faulty]);
    expect(outcome).toMatchObject({ verdict: 'fail', reason: '1 of 4 cases failed.' });
    expect(outcome.cases[3].replay).toBe(`npx gemm-paranoia gate --case '${formatCase(faulty[0])}'`);
    expect(outcome.cases[3].reason).toContain('the last term of k is missing');
    expect(outcome.cases.map(({ maps }) => maps?.error?.of)).toEqual([
      undefined,
      undefined,
      undefined,
      [9, 7],
    ]);
  });

  it('is inconclusive if one case is and none fails', async () => {
    const free = { ...open, arithmetic: { ...open.arithmetic, exceptions: false } };
    const special = planned('kernel=classical:naive;input=special-values;m=20;k=9;n=20');
    expect(await run([...three, ...special], { open: free })).toMatchObject({
      verdict: 'inconclusive',
      reason: '1 of 4 cases could not be judged.',
    });
  });

  it('ends where an exact product is not exact: no case is told to be inconclusive', async () => {
    const wrong = new ReferenceFault({ m: 20, k: 21, n: 22 }, 'entry (0, 0) is 1 on a GPU and 2 on the CPU');
    const outcome = run(three, { evaluator: new Evaluator(() => Promise.reject(wrong)) });
    await expect(outcome).rejects.toBe(wrong);
  });

  it('stops when asked, keeps what is finished, and does not pass', async () => {
    let done = 0;
    const outcome = await run(three, { onCase: () => done++, stop: () => done === 2 });
    expect(verdicts(outcome.cases)).toEqual(['pass', 'pass']);
    expect(outcome).toMatchObject({
      verdict: 'inconclusive',
      reason: 'Interrupted after 2 of 3 cases.',
      summary: { planned: 3, run: 2, interrupted: true },
    });
  });

  it('that is stopped still fails for a failure before', async () => {
    const faulty = planned('kernel=classical:naive;input=integers;m=9;k=8;n=7;fault=dropped-last-k');
    let done = 0;
    const outcome = await run([...faulty, ...three], { onCase: () => done++, stop: () => done === 1 });
    expect(outcome).toMatchObject({ verdict: 'fail', summary: { run: 1, interrupted: true } });
  });

  it('holds errors to the sigmas it is given', async () => {
    const outcome = await run(three.slice(0, 1), { thresholds: { sigmas: 0.1, drift: 2 } });
    expect(outcome.cases[0].reason).toMatch(/sigmas, allowed 0\.1/);
  });

  it('fits the cases of its growth series', async () => {
    const series = [8, 16, 32].map((n) => ({
      ...parseCase(`kernel=classical:naive;input=uniform;m=${n};k=${n};n=${n}`),
      series: true,
    }));
    const { growth } = await run([...series, ...three]);
    const fit = growth.find(({ over, measure }) => over === 'size' && measure === 'meanError');
    expect(fit).toMatchObject({ kernel: 'classical:naive', fixed: 0, slope: expect.any(Number) });
    expect(fit?.points.map(({ x }) => x)).toEqual([8, 16, 32]);
  });
});

describe('a device that is lost half-way', () => {
  const loseAfter = (cases: number, device: OpenDevice) => {
    let done = 0;
    return () => {
      if (++done === cases) device.device.destroy();
    };
  };

  itWhole('costs the case it is lost in; the rest are judged on another', async () => {
    const doomed = await openDevice();
    const outcome = await run(three, { open: doomed, onCase: loseAfter(1, doomed) });
    expect(verdicts(outcome.cases)).toEqual(['pass', 'inconclusive', 'pass']);
    expect(outcome).toMatchObject({ verdict: 'inconclusive', summary: { run: 3, interrupted: false } });
    expect(outcome.cases[1].reason).toMatch(/^The device was lost in strassen:register, /);
    expect(caseResult.parse(outcome.cases[1])).toEqual(outcome.cases[1]);
    expect(outcome.open).not.toBe(doomed);
    expect((outcome.open as OpenDevice).lostReason()).toBeUndefined();
  });

  itWhole('and finds no successor ends the run; what is finished is kept', async () => {
    const doomed = await openDevice();
    const outcome = await run(three, {
      open: doomed,
      onCase: loseAfter(1, doomed),
      reopen: () => Promise.reject(noAdapter({ found: [], notes: [] })),
    });
    expect(verdicts(outcome.cases)).toEqual(['pass', 'inconclusive']);
    expect(outcome).toMatchObject({
      verdict: 'inconclusive',
      reason: 'Interrupted after 2 of 3 cases.',
      summary: { planned: 3, run: 2, interrupted: true },
    });
  });
});

describe('a kernel that does not return', () => {
  const value = parseCase('kernel=classical:naive;input=uniform;m=9;k=8;n=7');
  const honest = modelKernel('classical', singleComputation(open.arithmetic));
  const judged = async (kernel: Kernel, value: Case) => {
    const found = await evaluator.attempt({ case: value, kernel }, open);
    return resultOf(value, kernel, found, defaultThresholds);
  };
  const judge = (kernel: Kernel) => judged(kernel, value);
  const throwing = (error: unknown) => judge(tamperKernel(honest, () => Promise.reject(error)));
  const where = { kernel: 'x', step: 'y', why: 'z' };

  it('a product, since memory is out, is inconclusive', async () => {
    const outcome = await throwing(outOfGpuMemory(where));
    expect(outcome).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('out of memory in x, y: z'),
    });
    const large = { kernel: 'x', buffer: 'A', bytes: 2, largest: 1 };
    expect((await throwing(tooLarge(large))).verdict).toBe('inconclusive');
  });

  it('a product, since its shader does not compile, fails', async () => {
    const kernel = builtinKernel('classical:naive', open, {
      dispatches: (all) => all.map((dispatch) => ({ ...dispatch, shader: `${dispatch.shader}\nbroken` })),
    });
    const outcome = await judge(kernel);
    expect(outcome.verdict).toBe('fail');
    expect(outcome.reason).toMatch(/^The shader does not compile: classical:naive, .*line \d+, column \d+/);
    expect(caseResult.parse(outcome)).toEqual(outcome);
  });

  it('a product, since it uses the device wrongly, fails', async () => {
    const kernel = builtinKernel('classical:naive', open, {
      dispatches: (all) => all.map((dispatch) => ({ ...dispatch, blocks: dispatch.blocks.slice(1) })),
    });
    expect(await judge(kernel)).toMatchObject({
      verdict: 'fail',
      reason: expect.stringMatching(/^The device reports an error in classical:naive/),
    });
  });

  it('the size asked for fails', async () => {
    const kernel = tamperKernel(honest, async (job, right) => ({
      ...(await right(job)),
      c: matrix(9, 6, new Float32Array(54)),
    }));
    expect(await judge(kernel)).toMatchObject({
      verdict: 'fail',
      reason: expect.stringMatching(/^The shapes do not match: the result is 9×6/),
    });
  });

  it('fails a kernel that throws whatever it likes', async () => {
    const { verdict, reason } = await throwing(new TypeError('x is not a function'));
    expect(verdict).toBe('fail');
    expect(reason).toMatch(/ threw an error: x is not a function\.$/);
  });

  it('leaves problems of the case as they are', async () => {
    const pair = parseCase('kernel=classical:naive;input=inverse-pair;m=9;k=8;n=7');
    await expect(judged(honest, pair)).rejects.toMatchObject({
      code: 'input-refused',
    } satisfies Partial<ParanoiaError>);
  });
});
