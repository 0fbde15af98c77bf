import { setFlagsFromString } from 'node:v8';
import { expect, it, vi } from 'vitest';
import { judgeOptions, optimizeLate } from './v8-options.ts';

vi.mock('node:v8', () => ({ setFlagsFromString: vi.fn() }));

const [young, late] = ['--max-semi-space-size=32', '--interrupt-budget=270336'];

it.each([
  ['node 20.19.0', [young, late]],
  ['node 24.1.0', [young, late]],
  // Its V8 does not know the option, and it would not start.
  ['node 26.10.0', [young]],
  ['deno 2.1.4', []],
  ['bun 1.1.38', []],
])('%s starts judging processes with %j', (runtime, options) => {
  vi.mocked(setFlagsFromString).mockClear();
  expect(judgeOptions(runtime)).toEqual(options);
  optimizeLate(runtime);
  expect(vi.mocked(setFlagsFromString).mock.calls).toEqual(options.includes(late) ? [[late]] : []);
});
