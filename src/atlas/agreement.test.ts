import { expect, it } from 'vitest';
import { inShort } from '../base/in-short.testing.ts';
import { disagreements, isSameNumber } from './agreement.ts';
import { cellsOf } from './cells.ts';
import type { Entry, KernelRecord } from './entry.ts';
import { entryOf } from './run.testing.ts';

/** Another run of the same, changed. */
function again(change: (record: KernelRecord, entry: Entry) => void): Entry {
  const entry = structuredClone(entryOf());
  entry.run.createdAt = '2026-11-23T00:00:00Z';
  entry.hash = 'another';
  change(entry.kernels[0], entry);
  return entry;
}

const seen = (...entries: Entry[]) => entries.map((entry) => ({ entry, record: entry.kernels[0] }));
const passing = ({ cases }: KernelRecord) =>
  cases.findIndex(({ verdict, max }) => verdict === 'pass' && max !== 0);

it('finds nothing where runs say the same', () => {
  expect(
    disagreements(
      seen(
        entryOf(),
        again(() => {}),
      ),
    ),
  ).toEqual([]);
});

it.each([
  [1, 1 + 2 ** -51, true],
  [1, 1 + 2 ** -48, false],
  [1, 'Infinity', false],
  ['Infinity', 1, false],
  ['NaN', 'NaN', true],
  ['NaN', 1, false],
  [0, 2 ** -1074, false],
  [undefined, 1, false],
  [undefined, undefined, true],
] as const)('of %s and %s it is %s that they are the same', (one, other, same) => {
  expect(isSameNumber(one, other)).toBe(same);
});

it('finds another error and another verdict of the same case, and says what each run says', () => {
  const other = again((record) => {
    record.cases[passing(record)].max = 1;
    record.cases[0].verdict = 'pass';
  });
  const found = disagreements(seen(entryOf(), other));
  expect(found.length).toBe(2);
  expect(found[0].runs).toEqual([entryOf().hash, 'another']);
  expect(found.map(({ said }) => said[1]).join()).toMatch(/pass, .*largest error 1,/);
});

it.each(
  inShort(
    [
      [
        'with another driver',
        (_: KernelRecord, entry: Entry) => Object.assign(entry.adapter, { driver: 'new' }),
      ],
      ['of another version', (record: KernelRecord) => Object.assign(record, { versions: { tfjs: '5' } })],
      [
        'of a kernel that does not repeat itself',
        (record: KernelRecord) => Object.assign(record, { repeats: false }),
      ],
    ],
    2,
  ),
)('compares no numbers %s', (_, change) => {
  const other = again((record, entry) => {
    record.cases[passing(record)].max = 1;
    change(record, entry);
  });
  expect(disagreements(seen(entryOf(), other))).toEqual([]);
});

it('makes one cell of runs in one place: the worst of both, never a mean, and says that they disagree', () => {
  const other = again((record) => {
    record.cases[passing(record)].max = 1;
    record.worst.sigmas = 100;
  });
  const [cell, ...more] = cellsOf([entryOf(), other]);
  expect(more).toEqual([]);
  expect(cell).toMatchObject({ sigmas: 100, verdict: 'fail', counts: { cases: 362 } });
  expect(cell.runs.map(({ entry }) => entry.hash)).toEqual(['another', entryOf().hash]);
  expect(cell.kinds).toContain('runs disagree');
  expect(cellsOf([other, entryOf()])).toEqual([cell]);
});
