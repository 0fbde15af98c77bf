import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { itWhole } from '../../base/in-short.testing.ts';
import { judgeOptions } from '../../base/node/v8-options.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import { Timing } from '../../evidence/timing.ts';
import { formatCase, parseCase } from '../../problem/case.ts';
import { noBaselines } from '../baselines.ts';
import type { PlannedCase } from '../planned-case.ts';
import { Spending } from '../spending.ts';
import { startJob, startJobs } from './job-process.ts';
import { judgeInProcesses } from './jobs.ts';

const folder = mkdtempSync(join(tmpdir(), 'jobs-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Seconds for a message. Only a process that never answers takes as long. */
const ENDLESS = 3600;

/** Returns a process that "judges" by reporting its own identity, and runs `atSeven` at m = 7. */
function moduleOf(atSeven: string, first = ''): URL {
  const file = join(folder, `${Math.random()}.mjs`);
  writeFileSync(
    file,
    `${first}
    let stopped = false;
    process.on('disconnect', () => process.exit());
    process.on('message', async (words) => {
      if (words === 'stop') { stopped = true; return; }
      for (const { at, text } of words.cases) {
        if (stopped) break;
        if (text.includes('m=7;')) { ${atSeven} }
        process.send({ at, result: { case: text, reason: String(process.pid) } });
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      process.send({ aside: { versions: { mine: { v: '1' } }, said: [], interrupted: false } });
    });
    process.send({ ready: {} });`,
  );
  return pathToFileURL(file);
}

const planned = Array.from({ length: 12 }, (_, at): PlannedCase => {
  const kernel = at < 4 ? 'classical:naive' : 'strassen:naive';
  return { ...parseCase(`kernel=${kernel};input=uniform;m=${at + 1};k=2;n=3`), series: false };
});

async function judge(
  module: URL,
  {
    count = 2,
    stop = (): boolean => false,
    tell = (_: number) => {},
    limit = ENDLESS,
    timing = undefined as Timing | undefined,
  } = {},
) {
  const results: CaseResult[] = [];
  const asides: unknown[] = [];
  const judgeCases = judgeInProcesses({
    ...{ jobs: startJobs({ count, module, args: {}, limit }), baselines: noBaselines('here'), stop },
    lost: async (value, { message }) => ({ case: formatCase(value), reason: message }) as CaseResult,
    onAside: (aside) => asides.push(aside),
    timing,
  });
  const budget = new Spending(Number.POSITIVE_INFINITY);
  const told = (at: number, result: CaseResult) => {
    results[at] = result;
    tell(at);
  };
  const interrupted = await judgeCases(planned, told, budget);
  return { results, interrupted, asides };
}

describe('processes that judge', () => {
  it('judge every case once, those of a kernel in few processes', async () => {
    const { results, interrupted, asides } = await judge(moduleOf(''));
    expect(results.map((result) => result.case)).toEqual(planned.map(formatCase));
    expect(interrupted).toBe(false);
    expect(new Set(results.map(({ reason }) => reason)).size).toBe(2);
    expect(asides[0]).toEqual({ versions: { mine: { v: '1' } }, said: [], interrupted: false });
  });

  it('have the time before their first case and after their last one counted, in each of them', async () => {
    const timing = new Timing();
    await judge(moduleOf(''), { timing });
    expect(timing.processes).toBe(2);
    const { start = 0, idle } = timing.take();
    expect(start).toBeGreaterThan(0);
    expect(start).toBeLessThan(2 * timing.elapsed());
    expect(idle).toBeGreaterThanOrEqual(0);
  });

  it('begin with different kernels, so that no two compile for one while there are others', async () => {
    const firsts = new Map<string, string>();
    const order: number[] = [];
    const { results } = await judge(moduleOf(''), { tell: (at) => order.push(at) });
    for (const at of order) {
      const { reason = '', case: text } = results[at];
      if (!firsts.has(reason)) firsts.set(reason, text.split(';')[0]);
    }
    expect([...firsts.values()].sort()).toEqual(['kernel=classical:naive', 'kernel=strassen:naive']);
  });

  itWhole('are started at once, and ended where nobody wants them', async () => {
    const begun = join(folder, 'begun-');
    const first = `import { writeFileSync } from 'node:fs'; writeFileSync('${begun}' + process.pid, '');`;
    const jobs = startJobs({ count: 3, module: moduleOf('', first), args: {}, limit: ENDLESS });
    const pids = () => readdirSync(folder).flatMap((name) => /^begun-(\d+)$/.exec(name)?.[1] ?? []);
    await vi.waitFor(() => expect(pids().length).toBe(3), { timeout: 1000 * ENDLESS });
    jobs.kill();
    const isAlive = (pid: string) => {
      try {
        return process.kill(Number(pid), 0);
      } catch {
        return false;
      }
    };
    await vi.waitFor(() => expect(pids().filter(isAlive)).toEqual([]), { timeout: 1000 * ENDLESS });
  });

  it('have the options of V8 for short runs, then those of who starts them', async () => {
    const file = join(folder, 'room.mjs');
    const told = 'process.send({ ready: { fingerprint: process.execArgv } });';
    writeFileSync(file, `process.on('disconnect', () => process.exit()); ${told}`);
    const { execArgv } = process;
    process.execArgv = ['--max-semi-space-size=8'];
    try {
      const job = await startJob({ module: pathToFileURL(file), args: {} });
      expect(job.machine.fingerprint).toEqual([...judgeOptions(), '--max-semi-space-size=8']);
      await job.end();
    } finally {
      process.execArgv = execArgv;
    }
  });

  it('give numbers back as they are, a zero with its sign and large ones as numbers', async () => {
    const own = 'process.send({ at, result: { case: text, m: -0, k: 2 ** 54, n: NaN } }); continue;';
    const { results } = await judge(moduleOf(own));
    const { m, k, n } = results[6];
    expect([m, k, n]).toEqual([-0, 2 ** 54, Number.NaN]);
  });

  itWhole.each([
    ['dies', 'process.exit(9);', 'ended: it ended with exit code 9'],
    ['is killed', "process.kill(process.pid, 'SIGKILL'); return;", 'ended: it was ended by SIGKILL'],
    // The others answer in a thousandth of that.
    ['never answers', 'return;', 'did not answer for 30 s', 30],
  ])(
    'one that %s costs the case that it is at, and is replaced',
    async (_, atSeven, why, limit = ENDLESS) => {
      const { results, interrupted } = await judge(moduleOf(atSeven), { count: 1, limit });
      expect(results.map((result) => result.case)).toEqual(planned.map(formatCase));
      expect(results[6].reason).toBe(
        `The process that judged ${formatCase(planned[6])} ${why}. Another process continues with the next case.`,
      );
      expect(new Set(results.map(({ reason }) => reason)).size).toBe(3);
      expect(interrupted).toBe(false);
    },
  );

  itWhole('end the run where one reports what is not of one case', async () => {
    const error = "process.send({ error: { message: 'not exact' } }); return;";
    await expect(judge(moduleOf(error))).rejects.toThrow('not exact');
    const coded = "process.send({ error: { code: 'input-refused', exitCode: 2, message: 'no' } }); return;";
    await expect(judge(moduleOf(coded))).rejects.toMatchObject({ code: 'input-refused', exitCode: 2 });
    const never = judge(moduleOf('', "console.error('no device'); process.exit(3);"));
    await expect(never).rejects.toMatchObject({
      code: 'job-not-started',
      message: expect.stringContaining('exit code 3, and its standard error ends with "no device"'),
    });
  });

  it('begin no case when they are to stop; what is finished is kept', async () => {
    let done = 0;
    const { results, interrupted } = await judge(moduleOf(''), {
      ...{ count: 1, stop: () => done >= 3 },
      tell: () => done++,
    });
    expect(interrupted).toBe(true);
    expect(results.filter((result) => result !== undefined).length).toBeLessThan(12);
    expect(results.filter((result) => result !== undefined).length).toBeGreaterThanOrEqual(3);
  });
});
