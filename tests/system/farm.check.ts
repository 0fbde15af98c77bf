import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { resultsIn, run, workplace } from '../farm/commands.ts';
import { stubProject } from '../farm/project.ts';

/** A farm of two workers on one folder gives the results of a single run. */
const { folder, remove } = workplace('farm');
afterAll(remove);
beforeAll(() => stubProject(folder, 200));

const FAILS = 1;

it('two workers share a campaign, and their results are those of a single run', async () => {
  const store = ['--store', 'shared'];
  await run(folder, ['farm', 'submit', ...store]);
  const work = () => run(folder, ['farm', 'work', ...store]);
  await Promise.all([work(), work()]);
  await run(folder, ['farm', 'collect', ...store, '--out', 'farm', '--reporter', 'json'], [FAILS]);
  await run(folder, ['gate', '--all', '--out', 'single', '--reporter', 'json'], [FAILS]);
  const [farm, single] = ['farm', 'single'].map((name) => resultsIn(join(folder, name)));
  expect(farm.cases.length).toBeGreaterThan(100);
  expect(farm.groups?.length).toBeGreaterThan(0);
  expect(farm.cases).toEqual(single.cases);
  expect([farm.verdict, farm.reason, farm.groups]).toEqual([single.verdict, single.reason, single.groups]);
});

it('a store that is not there is told, with what to do', async () => {
  const out = await run(folder, ['farm', 'collect', '--store', 'nothing'], [2]);
  expect(out).toMatch(/^Cannot use the store nothing: it does not exist\. Name /);
});
