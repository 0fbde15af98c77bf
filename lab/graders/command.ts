import { join } from 'node:path';
import { group } from 'd3-array';
import { EXIT } from '../../src/base/errors.ts';
import { say } from '../../src/base/node/say.ts';
import { writeWhole } from '../../src/base/node/write-file.ts';
import { createRandom } from '../../src/base/random.ts';
import { VERSION } from '../../src/base/version.ts';
import { createStopper } from '../../src/cli/stopper.ts';
import { readChoice } from '../../src/options/node/read.ts';
import { lookFor } from '../../src/pages/node/colors.ts';
import { formatCount } from '../../src/report/numbers.ts';
import { jsonFile } from '../../src/run/node/stored-folder.ts';
import { listCorpusKernels, type SourcedKernel } from './corpora.ts';
import { type GateGrader, gateBudgets, runDefaultGate } from './gate.ts';
import { graders } from './graders.ts';
import { GraderJob } from './jobs.ts';
import type { GradersRequest } from './options.ts';
import { type CorpusName, corpora, type GraderOutcome } from './outcome.ts';
import { type OutcomeKey, Outcomes } from './outcomes.ts';
import { gradersMarkdown, gradersPage, gradersText } from './page.ts';
import { type GradersReport, ours } from './report.ts';
import { tallies } from './tally.ts';

/** The number of mutants to draw. */
const MUTANTS = 100;
const SETS = [...corpora, 'unseen'] as const;
type SetName = (typeof SETS)[number];

/** The options of `graders`. */
interface GradersOptions {
  readonly names: readonly string[];
  readonly sets: readonly SetName[];
  readonly seed: number;
  readonly most: number;
  readonly sample: number | undefined;
  readonly jobs: number;
  readonly out: string;
}

/**
 * Runs graders on kernels, continues an earlier run, and writes the outcomes into a folder.
 * @returns the exit code: 4 if it was ended early
 * @throws ParanoiaError `unknown-name`, `bad-number`, `no-corpus`, `other-outcomes`, `report-unwritable`, …
 */
export async function runGraders(request: GradersRequest): Promise<number> {
  const options = optionsOf(request);
  const file = await jsonFile(request.json);
  const specimens = await chosen(options);
  const key: OutcomeKey = { version: VERSION, seed: options.seed, most: options.most };
  const outcomes = new Outcomes(options.out, key);
  const left = options.names.flatMap((grader) =>
    specimens.flatMap((specimen) => (outcomes.has(grader, specimen.name) ? [] : [{ grader, specimen }])),
  );
  say(`${formatCount(left.length, 'test')} to run, ${outcomes.all.length} already in ${options.out}.`);
  const isWhole = await askAll(left, options, outcomes);
  const report = await reportOf(outcomes, options);
  const data = `${JSON.stringify(report, null, 1)}\n`;
  writeWhole(join(options.out, 'graders.json'), data);
  writeWhole(join(options.out, 'graders.md'), gradersMarkdown(report));
  writeWhole(join(options.out, 'graders.html'), gradersPage(report));
  if (file !== undefined) writeWhole(file, data);
  process.stdout.write(request.json === true ? data : gradersText(report, lookFor(process.stdout)));
  say(`Wrote ${join(options.out, 'graders.html')}`);
  return isWhole ? EXIT.pass : EXIT.inconclusive;
}

function optionsOf(request: GradersRequest): GradersOptions {
  const { graders: named, set, seed = 1, most = 2 ** 27, sample, jobs = 1 } = request;
  const known = [...graders.items.map(({ name }) => name), ...ours.map(({ name }) => name)];
  return {
    names: named?.map((one) => readChoice('--graders', one, known)) ?? known,
    sets: set?.map((one) => readChoice('--set', one, SETS)) ?? corpora,
    ...{ seed, most, sample, jobs, out: request.out ?? 'reports/local/graders' },
  };
}

const corpusOf = (set: SetName): CorpusName => (set === 'unseen' ? 'history' : set);

/** The kernels of the sets, a sample of each drawn from the seed. */
async function chosen({ sets, seed, sample }: GradersOptions): Promise<SourcedKernel[]> {
  const all = await listCorpusKernels([...new Set(sets.map(corpusOf))], { seed, mutants: MUTANTS });
  const found = sets.flatMap((set) => {
    const own = all.filter(
      ({ corpus, isUnseen }) => corpus === corpusOf(set) && (set !== 'unseen' || isUnseen === true),
    );
    if (sample === undefined || own.length <= sample) return own;
    const order = createRandom(seed).permutation(own.length);
    return own.filter((_, at) => order[at] < sample);
  });
  return [...new Set(found)];
}

interface Question {
  readonly grader: string;
  readonly specimen: SourcedKernel;
}

const isGate = (grader: string): grader is GateGrader => Object.hasOwn(gateBudgets, grader);

/** Asks several questions at once, and half as many gates, which have two processes each. @returns true if all were asked */
async function askAll(
  questions: readonly Question[],
  { seed, most, jobs }: GradersOptions,
  outcomes: Outcomes,
): Promise<boolean> {
  const stop = createStopper(undefined);
  const workers = Array.from({ length: jobs }, () => new GraderJob({ seed, most }));
  let asked = 0;
  /** Answers questions one after the other until none is left. */
  const answering = async (left: Iterator<Question>, ask: (question: Question) => Promise<GraderOutcome>) => {
    for (let next = left.next(); next.done !== true && !stop.asked(); next = left.next()) {
      outcomes.add(await ask(next.value));
      asked++;
      if (asked % 100 === 0) say(`${asked} of ${questions.length} done.`);
    }
  };
  try {
    const others = questions.filter(({ grader }) => !isGate(grader)).values();
    await Promise.all(
      workers.map((worker) =>
        answering(others, ({ grader, specimen }) => worker.ask({ grader, source: specimen.source })),
      ),
    );
    const gates = questions.filter(({ grader }) => isGate(grader)).values();
    const byGate = ({ grader, specimen }: Question) => runDefaultGate(grader as GateGrader, specimen, seed);
    const atOnce = Array.from({ length: Math.max(1, Math.floor(jobs / 2)) }, () => answering(gates, byGate));
    await Promise.all(atOnce);
    return !stop.asked();
  } finally {
    for (const worker of workers) await worker.close();
    stop.release();
  }
}

/** Makes the report of all outcomes of the sets, with those of earlier runs. */
async function reportOf(outcomes: Outcomes, { seed, most, sets }: GradersOptions): Promise<GradersReport> {
  const heard = group(outcomes.all, ({ specimen }) => specimen);
  const known = await listCorpusKernels([...new Set(sets.map(corpusOf))], { seed, mutants: MUTANTS });
  const specimens = known.flatMap(({ source, ...specimen }) => {
    const said = heard.get(specimen.name);
    if (said === undefined) return [];
    const failedBy = said.filter(({ caught }) => caught).map(({ grader }) => grader);
    return [{ ...specimen, asked: said.map(({ grader }) => grader), failedBy }];
  });
  const names = [...graders.items, ...ours].map(({ name }) => name);
  return {
    command: ['npm run lab --', ...process.argv.slice(2)].join(' '),
    version: VERSION,
    createdAt: new Date().toISOString(),
    ...{ seed, most, specimens },
    tallies: tallies(outcomes.all, specimens, names),
  };
}
