import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { inShort, isWhole, itWhole } from '../base/in-short.testing.ts';
import { Evaluator } from '../evidence/evaluate.ts';
import { exactProduct } from '../exact/exact.ts';
import { parseCase } from '../problem/case.ts';
import type { CaseRow, Entry } from './entry.ts';
import { entryFiles, readStored } from './node/store.ts';
import { recompute } from './recompute.ts';
import { entryOf } from './run.testing.ts';

const NOW = new Date('2026-12-01T00:00:00Z');
const folder = fileURLToPath(new URL('../../reports/atlas/entries', import.meta.url));
/** Published runs of our kernels; a check of packages reads all others. */
const ours = entryFiles(folder)
  .filter((file) => file.includes('-43-kernels-'))
  .map((file) => readStored(file, NOW));
const again = (row: CaseRow, entry: Entry) => recompute(row, entry, new Evaluator(exactProduct, { kept: 1 }));

/** Cases of little work with an error, of an entry. */
const small = ({ kernels }: Entry) =>
  kernels.flatMap(({ cases }) =>
    cases.filter(({ case: text, max }) => {
      const { m, k, n, batch } = parseCase(text).problem;
      return max !== undefined && max !== 0 && m * k * n * batch < 2 ** 13;
    }),
  );

describe('a kernel of ours', () => {
  it('is published of several devices', () => {
    expect(ours.length).toBeGreaterThan(2);
  });

  it.each(
    inShort(
      ours.map(({ entry }) => [entry.adapter.driver, entry] as const),
      4,
    ),
  )('has the bits of its steps, from the record of %s alone', async (_, entry) => {
    const rows = small(entry).filter(({ mirror }) => mirror === true);
    expect(rows.length).toBeGreaterThan(100);
    const every = Math.floor(rows.length / (isWhole ? 12 : 4));
    for (const row of rows.filter((_, at) => at % every === 0)) {
      const found = await again(row, entry);
      // In a native binary16 more is measured than the record holds.
      if (!row.case.includes('precision=f16')) expect(found, row.case).toEqual({ by: 'mirror' });
    }
  });

  it.each(
    inShort(
      [
        ['max', 1e-9],
        ['mean', 1e-9],
        ['unequal', 3],
        ['used', 0.001],
      ] as const,
      2,
    ),
  )('is found out where its %s is another', async (key, value) => {
    const [{ entry }] = ours;
    const [row] = small(entry).filter(({ mirror }) => mirror === true);
    expect(await again({ ...row, [key]: value }, entry)).toMatchObject({
      by: 'mirror',
      differs: expect.stringContaining(`told to be ${value}`),
    });
  });

  it('is the same where its largest error is another in its last bits alone', async () => {
    const [{ entry }] = ours;
    const [row] = small(entry).filter(({ mirror }) => mirror === true);
    const shifted = (part: number) => again({ ...row, max: Number(row.max) * (1 + part) }, entry);
    expect(await shifted(2 ** -51)).toEqual({ by: 'mirror' });
    expect(await shifted(2 ** -48)).toMatchObject({ differs: expect.stringContaining('told to be') });
  });

  it('is padded to the tile of the leaf kernel that its device chose', async () => {
    const [{ entry }] = ours.filter(({ entry: one }) => one.adapter.vendor === 'nvidia');
    const staged = small(entry).filter(({ leaf = '' }) => leaf.startsWith('staged-'));
    expect(staged.length).toBeGreaterThan(3);
    for (const row of staged) expect(await again(row, entry), row.case).toEqual({ by: 'mirror' });
    const untold = await Promise.all(staged.map(({ leaf: _, ...row }) => again(row, entry)));
    expect(untold.some((one) => one?.differs?.includes('part of its bound'))).toBe(true);
  });

  itWhole('is found out where its device is told to compute otherwise', async () => {
    const [{ entry }] = ours.filter(({ entry: one }) => one.arithmetic.fma === 'twice');
    const other: Entry = { ...entry, arithmetic: { ...entry.arithmetic, fma: 'once' } };
    const rows = small(entry).filter(({ mirror }) => mirror === true);
    const found = await Promise.all(rows.slice(0, 10).map((row) => again(row, other)));
    expect(found.some((one) => one?.differs !== undefined)).toBe(true);
  });
});

describe('any other kernel', () => {
  const entry = entryOf();
  const [row] = small(entry).filter(({ verdict }) => verdict === 'pass');

  it('errs by no less than its format makes it', async () => {
    for (const one of small(entry).slice(0, 20))
      expect(await again(one, entry), one.case).toEqual({ by: 'exact' });
  });

  it.each(['max', 'mean'] as const)('is found out where its %s is smaller than any', async (key) => {
    expect(await again({ ...row, [key]: Number(row[key]) / 2 ** 12 }, entry)).toMatchObject({
      by: 'exact',
      differs: expect.stringMatching(/no result in f32 errs by less than/),
    });
  });

  it('is found out where it is told to be exact', async () => {
    expect((await again({ ...row, max: 0, mean: 0 }, entry))?.differs).toMatch(/told to be 0/);
  });

  it('is left alone where there was no product, or a part was compared', async () => {
    const { max: _, ...lost } = row;
    expect(await again(lost, entry)).toBeUndefined();
    expect(await again({ ...row, checked: 0.5 }, entry)).toBeUndefined();
  });
});
