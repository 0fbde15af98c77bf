import { expect, it } from 'vitest';
import type { FunctionKernel } from '../kernels/user-kernel.ts';
import { noBaselines } from '../run/baselines.ts';
import { judgeHere, type ParentConnection } from './judge-here.ts';
import { makeUserCatalog, type UserCode } from './user-code.ts';
import { decode, encode, type RuntimeMessage, type RuntimeTask } from './wire.ts';

/** A·B by a loop; with more than eight rows the last entry is wrong. */
const off: FunctionKernel['multiply'] = (a, b, { m, k, n }) =>
  Float32Array.from({ length: m * n }, (_, e) => {
    let sum = m > 8 && e === m * n - 1 ? 1 : 0;
    for (let p = 0; p < k; p++)
      sum = Math.fround(sum + Math.fround(a[Math.floor(e / n) * k + p] * b[p * n + (e % n)]));
    return sum;
  });

const given: UserCode = {
  config: {
    path: 'paranoia.config.ts',
    load: async () => ({ default: { kernels: [{ name: 'mine', multiply: off }, 'off.ts'] } }),
  },
  files: [
    { origin: { name: 'off.ts', file: 'off.ts', path: '/off.ts', ways: {} }, load: async () => ({ off }) },
  ],
};

const caseOf = (kernel: string, m: number) => ({
  text: `kernel=${kernel};input=integers;m=${m};k=3;n=4`,
  series: false,
});

const task = (more: Partial<RuntimeTask> = {}): RuntimeTask => ({
  judging: { thresholds: { sigmas: 6, drift: 2 }, whole: false, notes: ['A note.'], inspect: false },
  asked: [caseOf('mine', 3), caseOf('off.ts', 9), caseOf('mine', 4)],
  ...{
    sample: [],
    waivers: [],
    endsEarly: false,
    shrinking: 1e9,
    known: {},
    replay: { before: 'gate ', behind: " --in 'firefox'" },
  },
  ...more,
});

/** Judges a task, and returns the messages as the other side receives them. */
async function told(asked: RuntimeTask, more: Partial<ParentConnection> = {}): Promise<RuntimeMessage[]> {
  const all: RuntimeMessage[] = [];
  await judgeHere(asked, await makeUserCatalog(given), {
    tell: (one) => all.push(decode(encode(one)) as RuntimeMessage),
    begin: async () => false,
    baselines: async (id) => noBaselines(id),
    stopped: () => false,
    ...more,
  });
  return all;
}

it('tells what it judges on, each result, and what came of all', async () => {
  const all = await told(task());
  expect(all.map((one) => Object.keys(one)[0])).toEqual(['on', 'result', 'result', 'result', 'outcome']);
  expect(all.at(-1)).toMatchObject({
    outcome: { verdict: 'fail', summary: { run: 3, pass: 2, fail: 1 }, notes: ['A note.'] },
  });
});

it('makes examples of failures smaller, and replays them where they failed', async () => {
  const { outcome } = (await told(task())).at(-1) as Extract<RuntimeMessage, { outcome: unknown }>;
  const [group] = outcome.groups ?? [];
  expect(group.smallerExample?.case).toMatch(/m=9;k=1;n=1/);
  expect(group.smallerExample?.replay).toBe(`gate --case '${group.smallerExample?.case}' --in 'firefox'`);
});

it('begins no case when it is told to end', async () => {
  const begun: string[] = [];
  const all = await told(task(), {
    begin: async (text) => begun.push(text) === 2,
  });
  expect(begun).toHaveLength(2);
  expect(all.at(-1)).toMatchObject({ outcome: { summary: { run: 1, interrupted: true } } });
});

it('lets failures through that are waived', async () => {
  const waiver = { case: 'kernel=off.ts', reason: 'known', expires: '9999-12-31' };
  const all = await told(task({ waivers: [waiver] }));
  expect(all.at(-1)).toMatchObject({ outcome: { verdict: 'pass', waivers: [{ state: 'used', failed: 1 }] } });
});

it('names the file whose code does not load', async () => {
  const load = async () => {
    throw new Error('no luck');
  };
  await expect(makeUserCatalog({ ...given, config: { path: 'my.ts', load } })).rejects.toMatchObject({
    code: 'code-refused',
    message: expect.stringMatching(/^my\.ts failed to load in .*: no luck\.$/),
  });
});
