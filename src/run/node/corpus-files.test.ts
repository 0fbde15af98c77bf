import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkWrittenCase } from '../../kernels/check-case.ts';
import { parseCase } from '../../problem/case.ts';
import { CORPUS_SCHEMA, type CorpusEntry, corpusPlan, readCorpus, writeCorpus } from './corpus-files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corpus-'));
});
afterEach(() => rm(folder, { recursive: true }));

const entryOf = (text: string): CorpusEntry => ({
  schema: CORPUS_SCHEMA,
  case: text,
  check: 'exact',
  message: 'One entry differs.',
  found: { seed: 3, path: '17:0', version: '0.1.0', adapter: 'cpu', date: '2026-01-01T00:00:00.000Z' },
});
const FIRST = 'kernel=classical:naive;levels=0;fringe=pad;tail=mask;input=uniform;m=1;k=2;n=3;seed=1';
const OTHER = FIRST.replace('classical:naive', 'mine:fast');

it('keeps each case once, under a name of its own', async () => {
  const path = await writeCorpus(join(folder, 'new'), entryOf(FIRST));
  const later = { ...entryOf(FIRST), message: 'Again.' };
  expect(await writeCorpus(join(folder, 'new'), later)).toBe(path);
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(entryOf(FIRST));
  await writeCorpus(join(folder, 'new'), entryOf(OTHER));
  expect(await readdir(join(folder, 'new'))).toHaveLength(2);
});

it('keeps a case that fails after others beside the same case alone, and plans it after them', async () => {
  const after = [FIRST.replace('m=1', 'm=129'), FIRST.replace('m=1', 'm=5')];
  const sequence = { ...entryOf(FIRST), after };
  const path = await writeCorpus(folder, sequence);
  expect(await writeCorpus(folder, sequence)).toBe(path);
  await writeCorpus(folder, entryOf(FIRST));
  const { entries } = await readCorpus(folder);
  const { cases } = await corpusPlan(entries, () => true, checkWrittenCase);
  const value = { ...parseCase(FIRST), series: false };
  expect(cases).toHaveLength(2);
  expect(cases).toContainEqual(value);
  expect(cases).toContainEqual({ ...value, after: after.map((text) => parseCase(text)) });
  const refused = { ...sequence, after: [OTHER.replace('uniform', 'inverse-pair')] };
  const plan = await corpusPlan(
    [refused],
    () => true,
    (one) => checkWrittenCase({ ...one, kernel: 'classical:naive' }),
  );
  expect(plan.cases).toEqual([]);
  expect(plan.notes).toEqual([expect.stringMatching(/^A case of the corpus was skipped: The input/)]);
});

it('is planned for the kernels there are, as far as its cases can be', async () => {
  const refused = OTHER.replace('uniform', 'inverse-pair');
  for (const text of [FIRST, OTHER, refused]) await writeCorpus(folder, entryOf(text));
  const { entries, problems } = await readCorpus(folder);
  expect(problems).toEqual([]);
  const { cases, notes } = await corpusPlan(
    entries,
    (kernel) => kernel === 'mine:fast',
    (value) => checkWrittenCase({ ...value, kernel: 'classical:naive' }),
  );
  expect(cases).toEqual([{ ...parseCase(OTHER), series: false }]);
  expect(notes).toEqual([
    expect.stringMatching(/^A case of the corpus was skipped: The input "inverse-pair" does not support/),
  ]);
});
