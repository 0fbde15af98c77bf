import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { itWhole } from '../../src/base/in-short.testing.ts';
import { runCommand } from '../../src/cli/in-process.testing.ts';
import { commands } from '../commands.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'catalogue-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const report = async (flags: Readonly<Record<string, string>>) => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    const words = Object.entries({ out: join(folder, 'out'), ...flags }).flatMap(([name, value]) => [
      `--${name}`,
      value,
    ]);
    const code = await runCommand(['catalogue', ...words], commands);
    return { code, said: written.mock.calls.map(([text]) => text).join('') };
  } finally {
    written.mockRestore();
  }
};

const TABLE = 'title: Mine\norigin: published\nsource: nobody\nlicence: none\nbase: 1 2 1\n';

itWhole("measures a table of the user's, and writes three files", async () => {
  const path = join(folder, 'mine.txt');
  writeFileSync(path, `${TABLE}A11 * B11 -> C11\n1/2*A12 * 2*B21 -> C11\n`);
  const { code, said } = await report({ table: path, levels: '1', replicates: '2' });
  expect([code, said.match(/^Wrote /gm)?.length]).toEqual([0, 3]);
  expect(readdirSync(join(folder, 'out')).sort()).toEqual([
    'catalogue.html',
    'catalogue.json',
    'catalogue.md',
  ]);
  const { counts, tables } = JSON.parse(readFileSync(join(folder, 'out/catalogue.json'), 'utf8'));
  expect(counts).toMatchObject({ tables: 1, inequivalent: 1, dyadic: 1, measured: 1 });
  expect(tables[0]).toMatchObject({ name: 'mine', form: '⟨1,2,1;2⟩', figures: { rank: 2, growth: 2 } });
  expect(readFileSync(join(folder, 'out/catalogue.md'), 'utf8')).toContain('| Mine');
});

it.each([
  [{ only: 'strasen' }, 'Unknown catalog table "strasen". Did you mean "strassen"?'],
  [{ replicates: '1' }, '--replicates must be a whole number from 2 to 1000, but is "1".'],
  [{ levels: '4' }, '--levels must be a whole number from 1 to 3, but is "4".'],
  [{ table: 'nowhere.txt' }, 'Cannot read the algorithm table nowhere.txt: '],
])('refuses %o', async (flags: Readonly<Record<string, string>>, sentence) => {
  await expect(report(flags)).rejects.toThrow(sentence);
});

it('refuses tables that multiply something else, or have a name that is taken', async () => {
  const path = join(folder, 'strassen.txt');
  writeFileSync(path, `${TABLE}A11 * B11 -> C11\nA12 * B21 -> C11\n`);
  await expect(report({ table: path })).rejects.toThrow(
    'the catalog already has a table "strassen"; rename the file',
  );
  writeFileSync(join(folder, 'wrong.txt'), `${TABLE}A11 * B11 -> C11\nA12 * B21 -> -C11\n`);
  await expect(report({ table: join(folder, 'wrong.txt') })).rejects.toThrow(
    'The table of the algorithm "wrong" does not multiply matrices: C11 has an excess of -2 times A12·B21. Correct its file.',
  );
});
