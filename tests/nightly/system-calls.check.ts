import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { honests } from '../../fixtures/referee/index.ts';
import { prepared } from '../../fixtures/referee/prepared.ts';
import { judgeUntrusted } from '../../properties/untrusted.ts';
import { describeThrown } from '../../src/kernels/kernel-error.ts';
import { type SandboxBackend, sandboxBackends } from '../../src/sandbox/node/backends.ts';
import { probeBackend } from '../../src/sandbox/node/open-sandbox.ts';
import { defaultLimits } from '../../src/sandbox/node/sandbox.ts';
import { lackOf, lacks } from '../support/needs.ts';

/**
 * Correct kernels of every language run in each lane under strace. The test reports every system call that the sandbox refuses
 * them, unless programs are known to work without it. Reported calls belong in `allowedCalls`.
 */

/** Calls that correct programs can do without. */
const doneWithout: readonly RegExp[] = [/^clone3/];
/** Calls that the probe of a lane attempts. */
const tried: readonly RegExp[] = [...doneWithout, /^socket\(AF_INET/, /^kill/, /^f?chmod/];

const folder = mkdtempSync(join(tmpdir(), 'system-calls-'));
let traces = '';
beforeEach(() => {
  traces = mkdtempSync(join(folder, 'traces-'));
  // With this setting the starting thread of OpenMP pins the others.
  vi.stubEnv('OMP_PROC_BIND', 'close');
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** Starts processes only in one lane, under strace. */
function traceIn(only: SandboxBackend): void {
  for (const lane of sandboxBackends) {
    const wrap = lane.wrap.bind(lane);
    const file = () => join(traces, String(readdirSync(traces).length));
    vi.spyOn(lane, 'wrap').mockImplementation((plan, command) =>
      lane === only ? ['strace', '-f', '-qq', '-o', file(), '--', ...wrap(plan, command)] : ['false'],
    );
  }
}

const UNMADE = /^\d+ +(?:<\.\.\. )?(\w+)(?: resumed>|\()(.*)\) += -1 (EPERM|ENOSYS)/;
const FILTERED = 'PR_SET_SECCOMP';

/** Calls that the filter refused, as `name(arguments): error`; undefined if no filter was installed. */
function unmade(known: readonly RegExp[]): readonly string[] | undefined {
  const all = readdirSync(traces).map((name) => readFileSync(join(traces, name), 'utf8'));
  const filtered = all.filter((trace) => trace.includes(FILTERED));
  if (filtered.length === 0) return undefined;
  const calls = filtered.flatMap((trace) =>
    trace
      .slice(trace.indexOf(FILTERED))
      .split('\n')
      .flatMap((line) => {
        const [, name, words, error] = UNMADE.exec(line) ?? [];
        return name === undefined ? [] : [`${name}(${words}): ${error}`];
      }),
  );
  return [...new Set(calls)].filter((call) => !known.some((one) => one.test(call)));
}

describe.runIf(process.platform === 'linux').each(sandboxBackends)('in $name', (lane) => {
  let isHad = false;

  it('a process lacks no system call', async ({ skip }) => {
    if (lacks('strace')) return skip(lackOf('strace'));
    traceIn(lane);
    const found = await probeBackend(lane, defaultLimits());
    const missing = unmade(tried);
    if (missing === undefined) return skip(`${lane.name} holds no process here`);
    isHad = true;
    expect(missing).toEqual([]);
    expect(found).toEqual({ files: true, network: true, processes: true });
  });

  it.for(honests)('$file lacks no system call', async ({ file }, { skip }) => {
    if (!isHad) return skip(`${lane.name} holds no process here`);
    if (file.endsWith('.c') && lacks('gcc')) return skip(lackOf('gcc'));
    traceIn(lane);
    const path = await prepared(file, folder);
    const judged = await judgeUntrusted(path, { seed: 5, cases: 4, sandbox: 'required' }).catch(
      describeThrown,
    );
    expect(unmade(tried)).toEqual([]);
    expect(judged).toMatchObject({ verdict: 'pass' });
  });
});
