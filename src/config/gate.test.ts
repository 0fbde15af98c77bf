import { expect, it } from 'vitest';
import { itWhole } from '../base/in-short.testing.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import { defineCheck } from '../evidence/checks/define-check.ts';
import { openNodeDevice } from '../gpu/node/open.ts';
import type { FunctionKernel } from '../kernels/user-kernel.ts';
import { readResults } from '../pages/read-results.ts';
import { gate } from './gate.ts';

/** A·B by a loop. @param last true to leave out the last term of each sum */
const kernel = (last = false): FunctionKernel => ({
  name: 'loop',
  multiply: (a, b, { m, k, n }) =>
    Float32Array.from({ length: m * n }, (_, e) => {
      let sum = 0;
      for (let p = 0; p < k - (last ? 1 : 0); p++)
        sum = Math.fround(sum + Math.fround(a[Math.floor(e / n) * k + p] * b[p * n + (e % n)]));
      return sum;
    }),
});

itWhole('judges without a device what needs none, and its results are those of a file', async () => {
  const results = await gate({ kernels: [kernel()], sizes: [7, [3, 4, 5]], seed: 1 });
  expect(results).toMatchObject({ verdict: 'pass', seed: 1, adapter: { backend: 'processor' } });
  expect(readResults(JSON.stringify(results), 'a page').cases).toHaveLength(results.cases.length);
});

itWhole('fails a wrong product, by a case that fails again', async () => {
  const { verdict, cases } = await gate({ kernels: [kernel(true)], sizes: [8], seed: 1 });
  expect(verdict).toBe('fail');
  const failed = cases.find((one) => one.verdict === 'fail');
  const again = await gate({ kernels: [kernel(true)], case: failed?.case });
  expect(again.cases).toMatchObject([{ case: failed?.case, verdict: 'fail' }]);
});

itWhole('computes on the device that it is given, and leaves it open', async () => {
  const open = await openNodeDevice();
  try {
    for (const device of [open, open.device]) {
      const { verdict, summary } = await gate({
        kernels: ['strassen:tiled'],
        levels: [1],
        sizes: [8],
        device,
      });
      expect({ verdict, ...summary }).toMatchObject({ verdict: 'pass', equalToModel: summary.run });
    }
    expect(open.lostReason()).toBeUndefined();
  } finally {
    open.close();
  }
});

it('asks checks of its own call, and of no other', async () => {
  const judge = () => ({ status: 'fail', message: 'It never is.' }) as const;
  const check = defineCheck({ name: 'own', what: 'Is it?', judge });
  const judged = async (more: object) => {
    const { cases } = await gate({ kernels: [kernel()], case: 'kernel=loop;m=2;k=3;n=4', ...more });
    return cases.map(({ verdict, reason }) => `${verdict}: ${reason}`);
  };
  expect(await judged({ checks: [check] })).toEqual(['fail: It never is.']);
  expect((await judged({}))[0]).toMatch(/^pass: /);
});

it('ends when it is told to, with what it has judged', async () => {
  const ended = new AbortController();
  const told: string[] = [];
  const results = await gate({
    ...{ kernels: [kernel()], sizes: [8, 9], signal: ended.signal },
    onStart: (_, cases) => told.push(`${cases > 2}`),
    onCase(_, done) {
      if (done === 2) ended.abort();
    },
  });
  expect(told).toEqual(['true']);
  expect(results).toMatchObject({ verdict: 'inconclusive', summary: { run: 2, interrupted: true } });
});

itWhole(
  'goes on from what was judged, which it does not judge again, and says the command that it is given',
  async () => {
    const ended = new AbortController();
    const known: CaseResult[] = [];
    const call = { kernels: [kernel()], sizes: [8], inputs: ['uniform'], seed: 1, replicates: 1 };
    const first = await gate({
      ...{ ...call, signal: ended.signal },
      onCase(result, done) {
        // An impossible duration: a known result is reported unchanged.
        known.push({ ...result, judgingSeconds: 1e6 });
        if (done === 1) ended.abort();
      },
    });
    const whole = await gate({ ...call, known, replay: (...texts) => `again ${texts.join(' ')}` });
    expect([first.verdict, whole.verdict, whole.summary.interrupted]).toEqual([
      'inconclusive',
      'pass',
      false,
    ]);
    expect(whole.cases.map(({ judgingSeconds }) => judgingSeconds === 1e6)).toEqual(
      whole.cases.map((_, at) => at === 0),
    );
    expect(whole.cases.map(({ replay }) => replay)).toEqual(whole.cases.map((one) => `again ${one.case}`));
  },
);

it('does not open a device again that was given and is lost', async () => {
  const open = await openNodeDevice();
  open.device.destroy();
  await open.device.lost;
  await expect(gate({ kernels: ['classical:naive'], sizes: [4], device: open })).rejects.toMatchObject({
    code: 'device-refused',
    message: expect.stringContaining('it was lost'),
  });
});

it('refuses in one sentence what cannot be judged where it is called', async () => {
  const program = { name: 'theirs', program: { command: ['x', '{a}', '{b}', '{c}'] } } as const;
  await expect(gate({ kernels: [program], sizes: [4] })).rejects.toMatchObject({
    code: 'programs-elsewhere',
  });
  await expect(gate({ kernels: ['strassen'], sizes: [4] })).rejects.toMatchObject({ code: 'no-adapter' });
  await expect(gate({ kernels: [kernel()], sises: [4] } as never)).rejects.toMatchObject({
    code: 'bad-config',
    message: expect.stringContaining('Did you mean "sizes"?'),
  });
});
