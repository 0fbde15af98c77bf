import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type SandboxBackend, sandboxBackends } from '../../src/sandbox/node/backends.ts';
import type { Architecture } from '../../src/sandbox/node/launcher/calls.ts';
import { encodeFilter, filterFor } from '../../src/sandbox/node/launcher/filter.ts';
import { architecture } from '../../src/sandbox/node/launcher/libc.ts';
import { probeBackend } from '../../src/sandbox/node/open-sandbox.ts';
import { prepareSandboxed } from '../../src/sandbox/node/prepare-sandboxed.ts';
import { defaultLimits } from '../../src/sandbox/node/sandbox.ts';
import { describeWith } from '../support/needs.ts';

/** A C program attempts, in each lane, the actions that docs/concepts/trust.md lists as possible or impossible for a kernel. */

const source = fileURLToPath(new URL('../support/attempts.c', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
const others = mkdtempSync(join(tmpdir(), 'others-'));
const [program, file, filter] = [join(folder, 'attempts'), join(others, 'file'), join(folder, 'filter')];
afterAll(() => {
  for (const path of [folder, others]) rmSync(path, { recursive: true });
});

/** The further actions that are possible in a lane, by the page. */
const can: Readonly<Record<SandboxBackend['name'], readonly string[]>> = {
  bwrap: ['sockets of its own'],
  unshare: ['stat', 'stat of a folder'],
  launcher: ['stat', 'stat of a folder'],
};
const canAlways = ['a home of its own', 'reads /etc/passwd', 'a lock of what it reads'];
const canAlone = ['a group of its own', 'shmget', 'shared memory', 'modes of its own'];

describeWith('gcc', 'a process in the sandbox', () => {
  let victim: ChildProcess;
  beforeAll(() => {
    execFileSync('gcc', ['-O1', '-o', program, source]);
  });
  beforeEach(() => {
    writeFileSync(file, 'the key');
    victim = spawn('sleep', ['1000000'], { env: { SECRET: 'x' }, stdio: 'ignore' });
  });
  afterEach(() => {
    victim.kill('SIGKILL');
  });

  const affinity = () =>
    /^Cpus_allowed_list:.*$/m.exec(readFileSync(`/proc/${victim.pid}/status`, 'utf8'))?.[0];

  /** The attempts that succeeded; the victim process is alive and unchanged. */
  function succeeded(command: string, words: readonly string[], options: object): readonly string[] {
    const before = affinity();
    const { stdout, stderr, status } = spawnSync(command, words, { ...options, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    const lines = stdout.trim().split('\n');
    expect(lines.pop()).toBe('tried');
    expect([victim.exitCode, victim.signalCode, affinity()]).toEqual([null, null, before]);
    expect(readFileSync(file, 'utf8')).toBe('the key');
    return lines;
  }

  it.runIf(process.platform === 'linux').for(sandboxBackends)(
    'in $name can do what the page says, and no more',
    async (lane, { skip }) => {
      if ((await probeBackend(lane, defaultLimits())) === undefined)
        return skip(`${lane.name} holds no process here`);
      const words = ['sonfmk', String(victim.pid), file, others];
      const confined = prepareSandboxed(
        lane,
        defaultLimits(),
        { file: program, words, env: process.env },
        { reads: [program], gpu: false },
      );
      const { file: command, words: all, env, cwd } = confined;
      expect(succeeded(command, all, { env, cwd }).toSorted()).toEqual(
        [...can[lane.name], ...canAlways, ...(lane.gives.alone ? canAlone : [])]
          .map((what) => `can: ${what}`)
          .toSorted(),
      );
      confined.release();
    },
  );

  it.runIf(process.platform === 'linux' && architecture !== undefined)(
    'signals and hinders no others by the filter alone, as before Linux 6.12',
    () => {
      // The pid in the options is no process of this test.
      const options = {
        alone: false,
        readOnly: false,
        unseen: false,
        gpu: false,
        pid: 1,
        holdsSignals: false,
      };
      writeFileSync(filter, encodeFilter(filterFor(architecture as Architecture, options)));
      expect(succeeded(program, ['sonk', String(victim.pid), file, others, filter], { cwd: folder })).toEqual(
        [],
      );
    },
  );
});
