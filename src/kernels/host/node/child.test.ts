import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { MOST, relayOutput, watchProcessTree } from './child.ts';

function heard(...chunks: readonly (string | Buffer)[]): string {
  let said = '';
  const take = relayOutput('mine', (text) => {
    said += text;
  }).stream();
  for (const chunk of chunks) take(Buffer.from(chunk));
  take();
  return said;
}

it('every line stands behind the name of its kernel', () => {
  expect(heard('a\nb', 'c\r\n', 'PASS: all')).toBe('mine | a\nmine | bc\nmine | PASS: all\n');
  expect(heard('x\r::error::y\n')).toBe('mine | x\nmine | ::error::y\n');
  expect(heard('')).toBe('');
});

it('no line steers a terminal, or is a command wherever it stands', () => {
  expect(heard('\u001b[2Ja ##[group]b ##vso[c]\n')).toBe('mine | \\u001b[2Ja ## [group]b ## vso[c]\n');
});

it('characters that arrive in parts are whole', () => {
  const [first, ...rest] = Buffer.from('é\n');
  expect(heard(Buffer.from([first]), Buffer.from(rest))).toBe('mine | é\n');
});

it('so much is shown, and that the rest is not is said once', () => {
  const said = heard(...Array.from({ length: 40 }, () => `${'x'.repeat(2 ** 16)}`), 'end\n');
  expect(said.length).toBeLessThan(MOST + 2 ** 16);
  expect(said.match(/printed more than/g)).toHaveLength(1);
  expect(said).not.toContain('end');
});

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
