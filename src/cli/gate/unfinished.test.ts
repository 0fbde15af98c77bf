import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { EXIT } from '../../base/errors.ts';
import { judgment, makeJudgment } from '../../pages/judgment.ts';
import { readResults } from '../../pages/read-results.ts';
import { openProcessor } from '../../run/node/open-machine.ts';
import { collectResults, collectUntilPublished } from './unfinished.ts';

const { cases } = readResults(
  readFileSync(new URL('../../../share/schemas/results.example.json', import.meta.url), 'utf8'),
  'the example',
);
const live = { progress: () => ({}) as never, closing: () => '' };

it('what was judged is published where something ends the run, and says what', async () => {
  const out = mkdtempSync(join(tmpdir(), 'unfinished-'));
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockReturnValue(true),
  );
  const full = Object.assign(new Error('EIO: i/o error'), { code: 'EIO', path: 'x.js' });
  const run = collectUntilPublished(1, { reporters: ['json'], out, verbose: false, live });
  const passed = cases.filter(({ verdict }) => verdict === 'pass');
  try {
    // No result can be published yet.
    await expect(run.publish(full)).rejects.toBe(full);
    run.begin(openProcessor(), 100);
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
    reason: expect.stringContaining(
      `ended early, after ${passed.length} of 100 cases; their results are kept. Reason: `,
    ),
    summary: { planned: 100, run: passed.length, interrupted: true },
  });
  rmSync(out, { recursive: true });
});

it('what was judged before an end is a judgment: fail where a case failed, else inconclusive', () => {
  const about = {
    kernel: { name: 'k.mjs', precision: 'f32', algorithm: 'classical' },
    ...{ containment: {}, versions: {} },
  };
  const judgedSoFar = (results: typeof cases) => {
    const kept = collectResults(1);
    kept.begin(openProcessor(), 100);
    for (const result of results) kept.add(result);
    const found = kept.results('A signal ended the run.');
    return found && judgment.parse(makeJudgment(found, about, 1));
  };
  const [failed] = cases.filter(({ verdict }) => verdict === 'fail');
  const passed = cases.filter(({ verdict }) => verdict === 'pass');
  expect(judgedSoFar([])).toMatchObject({ verdict: 'inconclusive', run: { cases: 0 } });
  expect(judgedSoFar(passed)).toMatchObject({ verdict: 'inconclusive', reason: 'A signal ended the run.' });
  expect(judgedSoFar([...passed, failed])).toMatchObject({
    ...{ verdict: 'fail', exitCode: EXIT.fail, reason: expect.stringMatching(/ A signal ended the run\.$/) },
    failures: [{ cases: 1, example: failed.case, replay: failed.replay, reason: failed.reason }],
  });
});
