import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inShort } from '../../base/in-short.testing.ts';
import { ENTRY_SCHEMA } from '../entry.ts';
import { EARLIER_ENTRY_SCHEMA, entryText, readStoredEntry } from './store.ts';

const published = fileURLToPath(new URL('../../../reports/atlas/entries/', import.meta.url));
const files = readdirSync(published).filter((name) =>
  readFileSync(join(published, name), 'utf8').includes(`"${EARLIER_ENTRY_SCHEMA}"`),
);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'earlier-entries-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const stored = (text: string) => {
  const file = join(folder, 'entry.json');
  writeFileSync(file, text);
  return readStoredEntry(file).entry;
};

it.each(inShort(files, 10))('%s, of the schema before, is read as an entry of this schema', (name) => {
  const text = readFileSync(join(published, name), 'utf8');
  const before = JSON.parse(text);
  expect(before.schema).toBe(EARLIER_ENTRY_SCHEMA);
  const after = stored(text);
  expect(after).toMatchObject({
    schema: ENTRY_SCHEMA,
    run: { skipped: before.run.leftOut },
    raw: before.raw,
  });
  for (const [at, { counts, cases, shown, disproved }] of before.kernels.entries()) {
    const { counts: now, cases: rows, findings, contradictions } = after.kernels[at];
    expect([now.comparedWithModel, now.equalToModel]).toEqual([counts.mirrored, counts.mirrorEqual]);
    expect([findings, contradictions]).toEqual([shown, disproved]);
    expect(
      rows.map(({ failedChecks, equalsModel, checkedShare }) => [failedChecks, equalsModel, checkedShare]),
    ).toEqual(cases.map((row: Record<string, unknown>) => [row.failing, row.mirror, row.checked]));
  }
  expect(after.hash).not.toBe(before.hash);
  expect(stored(entryText(after))).toEqual(after);
});

it('refuses an earlier entry that was changed', () => {
  const text = readFileSync(join(published, files[0]), 'utf8');
  expect(() => stored(text.replace(/"seed":\s*\d/, '"seed": 9'))).toThrow(/its hash does not match/);
});
