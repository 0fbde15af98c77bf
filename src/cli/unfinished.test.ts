import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { EXIT } from '../base/errors.ts';
import { readResults } from '../pages/read-results.ts';
import { processor } from '../run/node/processor.ts';
import { unfinished } from './unfinished.ts';

const { cases } = readResults(
  readFileSync(new URL('../../share/schemas/results.example.json', import.meta.url), 'utf8'),
  'the example',
);
const live = { progress: () => ({}) as never, closing: () => '' };

it('what was judged is published where something ends the run, and says what', async () => {
  const out = mkdtempSync(join(tmpdir(), 'unfinished-'));
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockReturnValue(true),
  );
  const full = Object.assign(new Error('EIO: i/o error'), { code: 'EIO', path: 'x.js' });
  const run = unfinished(1, { reporters: ['json'], out, verbose: false, live });
  const passed = cases.filter(({ verdict }) => verdict === 'pass');
  try {
    // Nothing to publish yet.
    await expect(run.publish(full)).rejects.toBe(full);
    run.begin(processor(), 100);
    for (const result of passed) run.add(result);
    expect(await run.publish(full)).toBe(EXIT.resources);
    expect(await run.publish(new Error('a mistake'))).toBe(EXIT.internal);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  const kept = readResults(readFileSync(join(out, 'results.json'), 'utf8'), 'what was kept');
  expect(kept.cases).toEqual(passed);
  expect(kept).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringContaining(`ended after ${passed.length} of 100 cases, whose results are kept: `),
    summary: { planned: 100, run: passed.length, interrupted: true },
  });
  rmSync(out, { recursive: true });
});
