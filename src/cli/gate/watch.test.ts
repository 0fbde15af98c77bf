import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runHere } from '../in-process.testing.ts';
import { foldersBelow, watchGate } from './watch.ts';

/** Runs a script: each entry acts during one run. */
async function watched(...script: readonly ((act: { change(): void; end(): void }) => void)[]) {
  const end = new AbortController();
  const said: string[] = [];
  let listening = 0;
  let change = () => {};
  let runs = 0;
  const code = await watchGate({
    watch(changed) {
      listening += 1;
      change = changed;
      return () => {
        listening -= 1;
      };
    },
    run: async () => {
      script[runs]({ change, end: () => end.abort() });
      runs += 1;
      return 10 + runs;
    },
    say(sentence) {
      said.push(sentence);
      if (sentence.startsWith('Waiting') && runs === script.length) end.abort();
    },
    ended: end.signal,
  });
  return { code, runs, said, listening };
}

it('runs again after a change, once for many during a run, until it is ended', async () => {
  const many = ({ change }: { change(): void }) => {
    change();
    change();
  };
  const found = await watched(many, many, () => undefined);
  expect(found).toMatchObject({ code: 13, runs: 3, listening: 0 });
  expect(found.said.filter((sentence) => sentence === 'A source changed. Running again.')).toHaveLength(2);
});

it('ends with the code of a run that is ended', async () => {
  expect(await watched(({ end }) => end())).toEqual({ code: 11, runs: 1, said: [], listening: 0 });
});

it('looks into folders that are written by hand', () => {
  const root = mkdtempSync(join(tmpdir(), 'watch-'));
  for (const folder of ['a/b', 'node_modules/x', '.git', 'a/__pycache__', 'reports/local'])
    mkdirSync(join(root, folder), { recursive: true });
  const found = foldersBelow([root, join(root, 'a'), join(root, 'gone')], [join(root, 'reports/local')]);
  expect(found.sort()).toEqual(['', 'a', 'a/b', 'reports'].map((folder) => join(root, folder)));
  rmSync(root, { recursive: true });
});

it.each(['list', 'update', 'open'])('is not for --%s', async (other) => {
  const { code, stderr } = await runHere(tmpdir(), ['gate', '--watch', `--${other}`]);
  expect([code, stderr]).toEqual([2, `--watch cannot be combined with --${other}. Leave one of them out.\n`]);
});

it('is not for CI', async () => {
  const { code, stderr } = await runHere(tmpdir(), ['gate', '--watch'], { CI: 'true' });
  expect([code, stderr]).toEqual([2, expect.stringContaining('--watch never ends')]);
});
