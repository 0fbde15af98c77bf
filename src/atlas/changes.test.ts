import { expect, it } from 'vitest';
import { changesOf } from './changes.ts';
import { atlasOf } from './devices.ts';
import type { AtlasEntry } from './entry.ts';
import { makeTestEntry } from './run.testing.ts';

/** The entry of the same run with a newer driver. */
function updated(change: (entry: AtlasEntry) => void = () => {}): AtlasEntry {
  const entry = structuredClone(makeTestEntry());
  entry.adapter.driver = 'a newer driver';
  entry.run.createdAt = '2026-11-23T00:00:00Z';
  change(entry);
  return entry;
}

const between = (entry: AtlasEntry) => {
  const [device, ...others] = atlasOf([entry, makeTestEntry()]).devices;
  expect(others).toEqual([]);
  const [changes, ...more] = changesOf(device.environments);
  expect([changes.after.driver, more]).toEqual(['a newer driver', []]);
  return changes;
};

it('says that nothing is otherwise', () => {
  expect(between(updated())).toMatchObject({ arithmetic: [], kernels: [], common: 1, asked: true });
});

it('tells what is otherwise in arithmetic, verdicts, bits, grades and errors', () => {
  const { arithmetic, kernels } = between(
    updated((entry) => {
      entry.arithmetic.fma = 'once';
      Object.assign(entry.probe?.[0] ?? {}, { answer: 'toward zero' });
      const [record] = entry.kernels;
      Object.assign(record, { grade: 'C', failures: [] });
      Object.assign(record.worst, { bits: 12 });
      Object.assign(record.counts, { pass: 181, fail: 0 });
      for (const row of record.cases) Object.assign(row, { verdict: 'pass', failing: [], max: 1 });
    }),
  );
  expect(arithmetic).toEqual([
    { what: 'fma', before: '"twice"', after: '"once"' },
    { what: expect.any(String), before: expect.stringMatching(/nearest/), after: 'toward zero' },
  ]);
  expect(kernels.map(({ what, after }) => [what, after])).toEqual([
    ['tfjs:webgpu: verdict', 'pass'],
    ['tfjs:webgpu: bits', '12'],
    ['tfjs:webgpu: grade', 'C'],
    ['tfjs:webgpu: findings', 'none'],
    ['tfjs:webgpu: cases with different errors', '181 of 181'],
  ]);
});
