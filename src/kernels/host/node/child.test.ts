import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { watchProcessTree } from './child.ts';

it('hears the last words of a process although the thread was busy when it ended', async () => {
  const stderr = new PassThrough();
  const ending = Object.assign(new EventEmitter(), { stderr, stdin: null, stdout: null, unref: () => {} });
  const child = watchProcessTree(ending as unknown as ChildProcess);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  ending.emit('exit', 1, null);
  // Its output arrives after the timers of a late turn.
  now.mockReturnValue(400);
  vi.advanceTimersByTime(20);
  now.mockRestore();
  vi.useRealTimers();
  setImmediate(() => {
    stderr.end('out of luck\n');
    stderr.on('end', () => stderr.destroy());
  });
  expect(await child.ended).toEqual({ code: 1, signal: null });
  expect(child.lastWords()).toBe('out of luck');
});
