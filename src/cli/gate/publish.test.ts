import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { readResults } from '../../pages/read-results.ts';
import { publish } from './publish.ts';

const example = readResults(
  readFileSync(new URL('../../../share/schemas/results.example.json', import.meta.url), 'utf8'),
  'the example',
);

it.runIf(existsSync('/dev/full'))('no verdict stands alone that the disk did not take', async () => {
  const out = mkdtempSync(join(tmpdir(), 'publish-'));
  symlinkSync('/dev/full', join(out, 'results.json'));
  const printed: string[] = [];
  const spies = [process.stdout, process.stderr].map((stream, at) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      if (at === 0) printed.push(String(text));
      return true;
    }),
  );
  vi.stubEnv('GITHUB_STEP_SUMMARY', '');
  const live = { progress: () => ({}) as never, closing: () => '' };
  const code = await publish(example, { reporters: ['json', 'html'], out, verbose: false, live });
  for (const spy of spies) spy.mockRestore();
  vi.unstubAllEnvs();
  const text = printed.join('');
  const [, instead] =
    /\n\nNOT WRITTEN: Cannot write the report \S+results\.json: the disk is full\. .* All results are in (\S+) instead\.\n$/.exec(
      text,
    ) ?? [];
  expect({ code, text }).toMatchObject({ code: 74, text: expect.stringContaining('NOT WRITTEN') });
  expect(readResults(readFileSync(instead, 'utf8'), instead)).toEqual(example);
  // The other reports are written.
  expect(existsSync(join(out, 'report.html'))).toBe(true);
  for (const folder of [out, dirname(instead)]) rmSync(folder, { recursive: true });
});
