import { setFlagsFromString } from 'node:v8';
import { afterEach, expect, it, vi } from 'vitest';
import { judgeOptions, optimizeLate } from './v8-options.ts';

vi.mock('node:v8', () => ({ setFlagsFromString: vi.fn() }));
afterEach(() => vi.unstubAllGlobals());

it('are those of judging processes, and one of them of this process', () => {
  expect(judgeOptions()).toEqual(['--max-semi-space-size=32', '--interrupt-budget=270336']);
  optimizeLate();
  expect(vi.mocked(setFlagsFromString).mock.calls).toEqual([['--interrupt-budget=270336']]);
});

it('are none in other runtimes', () => {
  vi.mocked(setFlagsFromString).mockClear();
  vi.stubGlobal('Deno', { version: { deno: '2.1.4' } });
  optimizeLate();
  expect([judgeOptions(), vi.mocked(setFlagsFromString).mock.calls]).toEqual([[], []]);
});
