import { createRandom } from '../../src/base/random.ts';
import { type CorpusKernelSource, freshKernel } from './corpora.ts';
import { PreparedProducts } from './grade.ts';
import { graders } from './graders.ts';
import type { GraderOutcome } from './outcome.ts';
import { gradeKernelByGrader, tryImprovements } from './run.ts';

/** Arguments of a grading process. */
export interface GraderJobArgs {
  readonly seed: number;
  /** The most multiplications of a product. */
  readonly most: number;
}

/** One kernel for one grader. */
export interface GraderTask {
  readonly grader: string;
  readonly source: CorpusKernelSource;
}

const { seed, most }: GraderJobArgs = JSON.parse(process.argv[2]);
const kept = new PreparedProducts();
let random = createRandom(seed);
// Races in the corpora depend on chance: the generator is seeded for each task, so that runs are reproducible.
Math.random = () => random.uniform01();

process.on('message', (task: GraderTask) => {
  run(task).then(
    (outcome) => process.send?.(outcome),
    (error: unknown) => {
      process.send?.({ error: error instanceof Error ? error.message : String(error) });
    },
  );
});
process.send?.('ready');

async function run({ grader, source }: GraderTask): Promise<GraderOutcome> {
  random = createRandom(seed, hashOf(`${grader} ${source.name}`));
  const kernel = await freshKernel(source);
  const record = graders.find(grader);
  await kernel.prepare?.();
  const before = process.cpuUsage();
  const said = await gradeKernelByGrader(record, kernel, { seed, most }, kept);
  const { user, system } = process.cpuUsage(before);
  const mends = said.caught ? undefined : await tryImprovements(record, kernel, { seed, most }, kept);
  await kernel.release?.();
  const seconds = (user + system) / 1e6;
  return { specimen: source.name, grader, ...said, seconds, ...(mends === undefined ? {} : { mends }) };
}

/** Hashes a text, to get a random stream of its own. */
function hashOf(text: string): number {
  let hash = 0;
  for (const character of text) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) >>> 0;
  return hash;
}
