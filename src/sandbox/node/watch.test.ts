import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { watchProcess } from './watch.ts';

const limits = { memoryBytes: 2 ** 30, fileBytes: 2 ** 30, processes: 0 };

/** True if a process has ended and has not been reaped. */
const hasEnded = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].startsWith('Z');

it.runIf(process.platform === 'linux')(
  'whoever hears of the end of a process knows why it was killed',
  () => {
    const { pid = 0 } = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    const breach = vi.fn();
    const unwatch = watchProcess({ pid, limits, folders: [] }, breach);
    // Busy waiting, without a turn of this thread's event loop, as if the end were the first event of a turn.
    while (!hasEnded(pid));
    unwatch();
    expect(breach.mock.calls).toEqual([['it ran 1 processes (limit 0)']]);
  },
);
