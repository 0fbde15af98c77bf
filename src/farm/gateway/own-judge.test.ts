import { afterAll, expect, it } from 'vitest';
import { itWhole } from '../../base/in-short.testing.ts';
import { thisRuntime } from '../../config/this-runtime.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import { openNodeDevice } from '../../gpu/node/open.ts';
import { catalogueOf } from '../../kernels/catalogue.ts';
import { openHere } from '../../kernels/open-here.ts';
import { matrix } from '../../matrix/dense.ts';
import { parseCase } from '../../problem/case.ts';
import { noBaselines } from '../../run/baselines.ts';
import { judgesOn } from '../../run/judge.ts';
import { openMachine } from '../../run/open-machine.ts';
import { runGate } from '../../run/run-gate.ts';
import { drawnMark, marked, markOf } from './marks.ts';
import { ownJudge } from './own-judge.ts';
import { failingMark } from './planted.ts';
import type { JudgeHere } from './trusted.ts';

const words = (kernel: string, input: string) =>
  `kernel=${kernel};levels=1;fringe=pad;tail=mask;input=${input};m=12;k=40;n=9;seed=5`;
const asked = { ...{ lease: '', batch: '', leaseSeconds: 60 }, thresholds: { sigmas: 6, drift: 2 } };

const openDevice = () => openNodeDevice({ adapter: 'software' });
const opened = await openMachine(['classical:naive'], {
  ...{ catalogue: catalogueOf([]), openDevice, processor: thisRuntime, sessionOf: openHere },
});
const [judges, own] = [judgesOn(opened, {}), await ownJudge(openDevice)];
afterAll(() => Promise.all([judges.close(), own.close()]));

const judgeHere: JudgeHere = async (texts, marking = { marks: new Set<string>() }) => {
  const results: CaseResult[] = [];
  await runGate(
    texts.map((text) => ({ ...parseCase(text), series: false })),
    {
      ...{ ...judges.options, thresholds: asked.thresholds, baselines: noBaselines('') },
      kernelOf: marked(opened.kernelOf, marking),
      onCase: (result) => void results.push(result),
    },
  );
  return results;
};

it('the mark of a product follows from its entries and sizes, not from signs of zero or the precision that holds it', async () => {
  const one = await markOf(matrix(2, 2, Float32Array.of(1, 0, -3, 4)));
  expect(one).toMatch(/^[0-9a-f]{64}$/);
  expect(await markOf(matrix(2, 2, Float64Array.of(1, -0, -3, 4)))).toBe(one);
  for (const other of [matrix(1, 4, Float32Array.of(1, 0, -3, 4)), matrix(2, 2, Float32Array.of(1, 0, 3, 4))])
    expect(await markOf(other)).not.toBe(one);
});

itWhole('fails the case whose product is marked, and no other, whoever judges', async () => {
  const text = words('strassen:tiled', 'integers');
  const mark = (await failingMark(text, judgeHere)) as string;
  expect(mark).toMatch(/^[0-9a-f]{64}$/);
  const texts = [text, words('strassen:tiled', 'uniform'), words('classical:naive', 'uniform')];
  const cases = texts.map((one) => ({ case: one }));
  const verdicts = async (marks: string[]) =>
    (await own.judge({ ...asked, cases, marks }, new AbortController().signal))?.cases.map(
      ({ verdict }) => verdict,
    );
  expect(await verdicts([drawnMark(), mark])).toEqual(['fail', 'pass', 'pass']);
  expect(await verdicts([drawnMark(), drawnMark()])).toEqual(['pass', 'pass', 'pass']);
});
