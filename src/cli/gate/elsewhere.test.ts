import { expect, test } from 'vitest';
import { defaults } from '../../config/run-options.ts';
import { elsewhereOf } from './elsewhere.ts';

test('a run is judged here unless it says where else', () => {
  expect(elsewhereOf({}, defaults)).toBe(undefined);
  expect(elsewhereOf({ in: 'node', jobs: 4 }, { ...defaults, adapter: 'NVIDIA' })).toBe(undefined);
  expect(elsewhereOf({ in: 'deno' }, { ...defaults, adapter: 'software', jobs: 4 })).toMatchObject({
    ...{ runtime: { name: 'deno' }, adapter: 'software', toggles: [] },
  });
  expect(elsewhereOf({ in: 'chromium' }, { ...defaults, toggles: ['a'] })?.toggles).toEqual(['a']);
});

test.each([
  [{ jobs: 2 }, {}, '--jobs cannot be combined with --in firefox: one page runs all cases.'],
  [{ untrusted: true as const }, {}, '--untrusted cannot be combined with --in firefox: the sandbox'],
  [{ python: 'p' }, {}, '--python cannot be combined with --in firefox: it has no Python.'],
  [
    { convention: 'cblas' as const },
    {},
    '--convention cannot be combined with --in firefox: it opens no shared',
  ],
  [{ timing: true as const }, {}, '--timing cannot be combined with --in firefox: '],
  [
    {},
    { adapter: 'NVIDIA' },
    '--adapter NVIDIA cannot be combined with --in firefox: it chooses the adapter',
  ],
  [{}, { toggles: ['a'] }, '--toggle a cannot be combined with --in firefox: toggles are options of Dawn'],
])('%o with %o is refused', (flags, options, sentence) => {
  expect(() => elsewhereOf({ in: 'firefox', ...flags }, { ...defaults, ...options })).toThrow(sentence);
});
