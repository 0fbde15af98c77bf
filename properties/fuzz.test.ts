import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWhole } from '../src/base/in-short.testing.ts';
import { readChain } from '../src/epilogue/chain-text.ts';
import { isModeled } from '../src/epilogue/device-steps.ts';
import { runCampaign } from '../src/fuzz/campaign.ts';
import { caseArbitrary } from '../src/fuzz/case-arbitrary.ts';
import { caseAt } from '../src/fuzz/run-fuzz.ts';
import { targetOf } from '../src/fuzz/target.ts';
import { inputs } from '../src/inputs/inputs.ts';
import { ownEpilogues } from '../src/kernels/own-epilogues.ts';
import { corruptKernel, tamperKernel } from '../src/kernels/tampered.testing.ts';
import { formatCase, parseCase } from '../src/problem/case.ts';
import { failedCheck } from '../src/run/scheduler.ts';
import { cpuJudge, judgeByModel } from './cpu-judge.ts';
import { law } from './law.ts';

const judge = cpuJudge();
const space = { maxSize: 16, families: inputs };
const targets = ['classical', 'strassen', 'winograd'].map((name) => targetOf(judgeByModel(`${name}:model`)));
const arbitraries = targets.map((target) => caseArbitrary(target, space));
const drawn = fc.oneof(...arbitraries);

describe('a case that is drawn', () => {
  law('is no violation of an honest kernel, however its operands are edited', 120, drawn, async (value) => {
    const { result } = await judge.one(value);
    expect(result.verdict, `${result.case}: ${result.reason}`).not.toBe('fail');
    expect(result.checks).not.toContainEqual(expect.objectContaining({ name: 'runs' }));
  });

  law('is written in a line and read back', 100, drawn, (value) => {
    expect(parseCase(formatCase(value))).toEqual(value);
  });

  law('is what its seed and its run lead to', 30, fc.tuple(fc.nat(), fc.nat(60)), ([seed, run]) => {
    const all = fc.sample(arbitraries[1], { seed, numRuns: run + 1 });
    expect(caseAt(arbitraries[1], seed, String(run))).toEqual(all[run]);
  });
});

it.each(['x', '3:', '99:99:99', '-1'])('a path of %s leads nowhere', (path) => {
  expect(() => caseAt(arbitraries[0], 1, path)).toThrow(/--path must be a path that a campaign/);
});

it('has each epilogue of the built-in kernels, and none in most cases', () => {
  const texts = fc.sample(arbitraries[0], { seed: 1, numRuns: 400 }).map(({ problem }) => problem.epilogue);
  const modeled = ownEpilogues.filter((text) => isModeled(readChain(text)));
  expect(new Set(texts)).toEqual(new Set(['none', ...modeled]));
  const none = texts.filter((text) => text === 'none').length;
  expect(none).toBeGreaterThan(texts.length * 0.7);
});

it('shows a step that the epilogue lacks', async () => {
  const honest = judgeByModel('classical:model');
  const faulty = tamperKernel(honest, ({ operands, ...job }, compute) => {
    const epilogue = operands.epilogue?.filter(({ step }) => step !== 'relu');
    return compute({ ...job, operands: { ...operands, epilogue } });
  });
  const { findings } = await runCampaign({
    ...{
      targets: [targetOf(honest)],
      space,
      judge: cpuJudge(() => faulty),
      seed: 1,
      runs: 240,
      stop: () => false,
    },
  });
  expect(findings.length).toBeGreaterThan(0);
  for (const { case: text } of findings) expect(text).toMatch(/epilogue=(relu|bias:row,relu)/);
});

describe('a fault that is planted', () => {
  const size = fc.integer({ min: 1, max: isWhole ? 9 : 2 });
  const shape = fc.record({ m: size, k: size, n: size });

  law('is found, and shrunk to the smallest shape that shows it', 4, shape, async (least) => {
    const { faulty, finding } = await found(least, 7);
    const smallest = parseCase(finding.case);
    expect(smallest).toMatchObject({ problem: least, method: { levels: 0 } });
    expect(failedCheck(await faulty.one(smallest))).toBe(finding.check);
  });
});

/** Runs a campaign on a kernel whose entries are wrong from a shape on. */
async function found(least: { m: number; k: number; n: number }, seed: number) {
  const honest = judgeByModel('classical:model');
  const faulty = cpuJudge(() =>
    corruptKernel(honest, ({ c }, { plan }) => {
      const { m, k, n } = plan.shape;
      // Every entry is changed, also infinities and NaN, so that no special value hides the error.
      const wrong = m >= least.m && k >= least.k && n >= least.n;
      if (wrong)
        for (let e = 0; e < m * n; e++) c.data[e] = Number.isFinite(c.data[e]) ? c.data[e] + 1000 : 1;
    }),
  );
  const target = targetOf(honest);
  const families = inputs.filter(({ name }) => name === 'integers');
  let isOver = false;
  const { findings } = await runCampaign({
    targets: [target],
    space: { maxSize: isWhole ? 12 : 6, families },
    judge: faulty,
    seed,
    runs: isWhole ? 300 : 24,
    // Further failures like the finding are tried after it.
    onFinding: () => {
      isOver = !isWhole;
    },
    stop: () => isOver,
  });
  return { faulty, finding: findings[0] };
}
