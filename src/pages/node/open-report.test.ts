import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openReport } from './open-report.ts';

it('starts what shows a page, with its whole path, and waits no longer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'open-report-'));
  try {
    const script = join(folder, 'show.cjs');
    writeFileSync(script, `require('fs').writeFileSync(process.argv[2] + '.shown', '')`);
    const said: string[] = [];
    const page = join(folder, 'report.html');
    await openReport(page, (sentence) => said.push(sentence), [process.execPath, script]);
    await vi.waitFor(() => expect(existsSync(`${page}.shown`)).toBe(true), 1_800_000);
    expect(said).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('says in a sentence that there is no browser, and ends as if it were not asked', async () => {
  const said: string[] = [];
  await openReport('a/report.html', (sentence) => said.push(sentence), ['no-such-browser']);
  expect(said).toEqual([
    'Cannot start a browser to show a/report.html: no-such-browser: it does not exist. Open the file yourself.',
  ]);
});
