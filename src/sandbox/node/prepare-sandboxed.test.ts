import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SandboxBackend } from './backends.ts';
import { prepareSandboxed } from './prepare-sandboxed.ts';
import { watchProcess } from './watch.ts';

const limits = { memoryBytes: 2 ** 30, fileBytes: 2 ** 10, processes: 8 };
const start = { file: process.execPath, words: [], env: {} };
const allowance = { reads: [], gpu: false };

const laneOf = (readOnly: boolean): SandboxBackend => ({
  ...{ name: 'launcher', mounts: false, tellsSignals: false },
  gives: { alone: false, readOnly, unseen: false },
  wrap: (_, command) => command,
});

it.runIf(process.platform === 'linux').each([true, false])(
  'what is written into a folder that was allowed counts, with a read-only root %s',
  async (readOnly) => {
    const folder = mkdtempSync(join(tmpdir(), 'allowed-'));
    writeFileSync(join(folder, 'large'), new Uint8Array(2 ** 16));
    const [writes, other] = [1, 2].map(() => spawn('sleep', ['60'], { detached: true, stdio: 'ignore' }));
    const confined = prepareSandboxed(laneOf(readOnly), limits, start, { ...allowance, writes: [folder] });
    const why: string[] = [];
    confined.watch(writes.pid as number, (breach) => why.push(breach));
    // The watcher checks processes in the order in which it got them.
    const unwatch = watchProcess(
      { pid: other.pid as number, limits: { ...limits, processes: 0 }, folders: [] },
      () => {},
    );
    await once(other, 'exit');
    unwatch();
    expect(why).toEqual([expect.stringMatching(/^it wrote .* to files \(limit 1 KiB\)/)]);
    confined.release();
    if (writes.exitCode === null) writes.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  },
);
