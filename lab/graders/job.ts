import { seeded } from '../../src/base/random.ts';
import { freshKernel, type Source } from './corpora.ts';
import { PreparedProducts } from './grade.ts';
import { graders } from './graders.ts';
import type { Outcome } from './outcome.ts';
import { graded, mended } from './run.ts';

/** What a process that grades is started with. */
export interface GraderJobArgs {
  readonly seed: number;
  /** Most multiplications of a product. */
  readonly most: number;
}

/** One kernel for one grader. */
export interface GraderTask {
  readonly grader: string;
  readonly source: Source;
}

const { seed, most }: GraderJobArgs = JSON.parse(process.argv[2]);
const kept = new PreparedProducts();
let random = seeded(seed);
// Races of the corpora go by chance: theirs is drawn anew for each task, so that a run says the same again.
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

async function run({ grader, source }: GraderTask): Promise<Outcome> {
  random = seeded(seed, hashOf(`${grader} ${source.name}`));
  const kernel = await freshKernel(source);
  const record = graders.find(grader);
  await kernel.prepare?.();
  const before = process.cpuUsage();
  const said = await graded(record, kernel, { seed, most }, kept);
  const { user, system } = process.cpuUsage(before);
  const mends = said.caught ? undefined : await mended(record, kernel, { seed, most }, kept);
  await kernel.release?.();
  const seconds = (user + system) / 1e6;
  return { specimen: source.name, grader, ...said, seconds, ...(mends === undefined ? {} : { mends }) };
}

/** A whole number of a text, for a stream of its own. */
function hashOf(text: string): number {
  let hash = 0;
  for (const character of text) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) >>> 0;
  return hash;
}
