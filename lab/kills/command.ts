import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { EXIT } from '../../src/base/errors.ts';
import { say } from '../../src/base/node/say.ts';
import { VERSION } from '../../src/base/version.ts';
import { createStopper } from '../../src/cli/stopper.ts';
import { readChoice } from '../../src/options/node/read.ts';
import { formatCase } from '../../src/problem/case.ts';
import type { GroupAnswers } from './ask.ts';
import { groupSpecimens, hashOf, planGroup, type SpecimenGroup } from './groups.ts';
import { answerInJobs, type KillsTask } from './jobs.ts';
import { joinAnswers, type KillMatrix, writeMatrix } from './matrix.ts';
import type { KillsRequest } from './options.ts';
import { listSpecimens, loadSpecimens, type Specimen, specimenCorpora } from './specimens.ts';

/** Seeds of the mutants. */
const MUTANT_SEEDS = [101, 102, 103];
/** Answers of a task: cases times kernels. It takes about two minutes of a core. */
const ANSWERS = 2000;
/** Kernels that cost as much as what kernels share. */
const SHARED = 3;

/** A line of the file of answers. */
interface Line {
  readonly key: string;
  readonly answers: GroupAnswers;
}

/**
 * Asks all cases of the default design of wrong kernels, continues an earlier run, and writes the kill matrix into a folder.
 * @returns the exit code: 4 if not all was asked
 */
export async function runKills(request: KillsRequest): Promise<number> {
  const { seed = 1, jobs = 1, out = 'reports/local/kills' } = request;
  mkdirSync(out, { recursive: true });
  const groups = await groupsOf(request, seed);
  const plans = groups.map((group) => {
    const cases = planGroup(group);
    return { hash: hashOf(cases.map(formatCase).join()).toString(36), cases: cases.length };
  });
  const tasks = groups.flatMap((group, at) => tasksOf(group, plans[at].cases));
  const file = join(out, 'answers.jsonl');
  const known = existsSync(file) ? linesOf(readFileSync(file, 'utf8')) : new Map<string, GroupAnswers>();
  const left = tasks.filter((task) => !known.has(keyOf(task)));
  const kernels = groups.reduce((sum, { specimens }) => sum + specimens.length, 0);
  say(
    `${kernels} kernels in ${groups.length} groups: ${left.length} of ${tasks.length} tasks to do with ${jobs} processes on ${availableParallelism()} cores.`,
  );
  const start = performance.now();
  const stop = createStopper(undefined);
  let done = 0;
  await answerInJobs(shuffle(left), { jobs, stop: stop.asked }, (task, answers) => {
    known.set(keyOf(task), answers);
    appendFileSync(file, `${JSON.stringify({ key: keyOf(task), answers } satisfies Line)}\n`);
    done++;
    if (done % 20 === 0 || done === left.length)
      say(`${done} of ${left.length} tasks done in ${Math.round((performance.now() - start) / 1000)} s.`);
  });
  stop.release();
  const matrix: KillMatrix = {
    ...{ version: VERSION, createdAt: new Date().toISOString(), seed },
    command: ['npm run lab --', ...process.argv.slice(2)].join(' '),
    groups: groups.map((group, at) => {
      const answers = tasksOf(group, plans[at].cases).flatMap((task) => known.get(keyOf(task)) ?? []);
      return joinAnswers(group, plans[at], answers);
    }),
  };
  writeMatrix(join(out, 'kills.json.gz'), matrix);
  say(`Wrote ${join(out, 'kills.json.gz')}`);
  return tasks.every((task) => known.has(keyOf(task))) ? EXIT.pass : EXIT.inconclusive;
}

async function groupsOf(
  { corpora, sample, mutants = 100 }: KillsRequest,
  seed: number,
): Promise<SpecimenGroup[]> {
  const wanted = corpora?.map((one) => readChoice('--corpora', one, specimenCorpora)) ?? specimenCorpora;
  const all = await listSpecimens(wanted, { seeds: MUTANT_SEEDS, each: mutants });
  const chosen = sample === undefined ? all : wanted.flatMap((corpus) => sampled(all, corpus, sample));
  const kernels = await loadSpecimens(chosen);
  return groupSpecimens(
    chosen.map((specimen, at) => ({ specimen, kernel: kernels[at] })),
    seed,
  );
}

const sampled = (all: readonly Specimen[], corpus: Specimen['corpus'], count: number): Specimen[] =>
  all
    .filter((one) => one.corpus === corpus)
    .sort((x, y) => hashOf(`sample ${x.name}`) - hashOf(`sample ${y.name}`))
    .slice(0, count);

function tasksOf(group: SpecimenGroup, cases: number): KillsTask[] {
  const parts = Math.ceil(((group.specimens.length + SHARED) * cases) / ANSWERS);
  return Array.from({ length: parts }, (_, part) => ({ group, part, parts }));
}

/** Orders tasks by a hash, so that those of a run that ends early are a sample of all. */
const shuffle = (tasks: readonly KillsTask[]): KillsTask[] =>
  [...tasks].sort((x, y) => hashOf(`order ${keyOf(x)}`) - hashOf(`order ${keyOf(y)}`));

/** Returns a key of all that decides the answers to a task. */
function keyOf({ group: { half, seed, spec, specimens }, part, parts }: KillsTask): string {
  const names = specimens.map(({ name }) => name).join();
  return `${hashOf(JSON.stringify([VERSION, half, seed, spec, names])).toString(36)} ${part}/${parts}`;
}

/** Reads the answers of earlier runs; a line that was cut off is left out. */
function linesOf(text: string): Map<string, GroupAnswers> {
  const lines = text.split('\n').flatMap((line): Line[] => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
  return new Map(lines.map(({ key, answers }) => [key, answers]));
}
