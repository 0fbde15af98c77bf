import type { CAC } from 'cac';
import { problem } from '../problems.ts';
import { runBenchKernels } from './bench-kernels.ts';
import { runOverview } from './bench-overview.ts';
import { type BenchPart, refuseOthers } from './bench-parts.ts';
import { runBenchReference } from './bench-reference.ts';
import { benchNames } from './bench-run.ts';
import { runBenchStudy } from './bench-study.ts';

type Flags = Readonly<Record<string, unknown>>;
type Run = (flags: Flags, name: string | undefined) => Promise<number>;

/** What `bench` times, by the word behind it. */
const runs: Readonly<Record<Exclude<BenchPart, 'all'>, Run>> = {
  kernels: (flags, name) => withoutName('kernels', name, () => runBenchKernels(flags)),
  study: (flags, name) => runBenchStudy(flags, name),
  reference: (flags, name) => withoutName('reference', name, () => runBenchReference(flags, process.stdout)),
};

/** Adds the command `bench` to the command line. */
export function registerBench(cli: CAC): void {
  cli
    .command(
      'bench [what] [name]',
      'Time the default gate, fuzzing and the leaf kernels; `kernels`, `study <name>` or `reference`',
    )
    .option('--adapter <name>', 'hardware, software, or part of an adapter name')
    .option('--toggle <names>', 'Dawn toggles to enable')
    .option('--config <file>', 'Where kernels of your own are defined (default: paranoia.config.ts)')
    .option('--kernels <names>', `kernels: names, algorithms or :leaves, also ${benchNames.join(', ')}`)
    .option('--sizes <sizes>', 'kernels, study: square sizes, or mxkxn for kernels')
    .option('--levels <levels>', 'kernels: levels of fast algorithms, such as 0..2 or 1,3 (default: 0..2)')
    .option('--input <name>', 'kernels: the family of test matrices (default: uniform)')
    .option('--precision <name>', 'kernels: of our own kernels (default: f32)')
    .option('--border <how>', 'kernels: pad, peel or both (default: pad)')
    .option('--edge <how>', 'kernels: guard, pad or both (default: guard)')
    .option('--max-size <n>', 'study: leave out larger sizes (default: 16384 on a GPU, 512 in software)')
    .option('--shrink <factor>', 'study: divide the paper’s sizes by this (default: 1)')
    .option(
      '--beside <names>',
      'study: kernels that play vendors’ libraries, such as torch:cuda-f32,numpy:f64',
    )
    .option('--leaf <name>', 'study: the leaf kernel of ours (default: register)')
    .option('--multiprocessors <n>', 'study huang-2020: how many the GPU has')
    .option('--trials <n>', 'kernels, study: timed trials (default: 30)')
    .option('--warm-up <n>', 'kernels, study: products before them (default: 2)')
    .option(
      '--seconds <s>',
      'kernels, study: no new trial of a kernel after so long, beyond five (default: 30)',
    )
    .option('--clock <which>', 'kernels, study: timestamps, submission or whole (default: timestamps)')
    .option('--seed <n>', 'kernels, study: what random entries come from (default: 1)')
    .option('--out <folder>', 'kernels, study: write bench.json, bench.md and bench.html there')
    .option('--json [file]', 'Print JSON, or write it to a file')
    .option('--size <n>', 'Without a word: the size of the leaf products (default: 512); of reference (1024)')
    .option('--runs <n>', 'Without a word: timed runs of each leaf kernel (default: 5); of reference (3)')
    .option('--no-gate', 'Without a word: leave out the gate')
    .option('--no-fuzz', 'Without a word: leave out fuzzing')
    .example('gemm-paranoia bench kernels --kernels :register --sizes 512,1024,2048 --levels 0..2')
    .example('gemm-paranoia bench study strassen-2011 --shrink 16 --out bench')
    .action((what: string | undefined, name: string | undefined, flags: Flags) => {
      if (what !== undefined && !isPart(what)) {
        throw problem('unknown-name', { what: 'part of bench', given: what, known: Object.keys(runs) });
      }
      refuseOthers(what ?? 'all', flags);
      return what === undefined ? runOverview(flags) : runs[what](flags, name);
    });
}

const isPart = (what: string): what is keyof typeof runs => Object.hasOwn(runs, what);

/** @throws Problem `extra-argument` */
function withoutName(what: string, name: string | undefined, run: () => Promise<number>): Promise<number> {
  if (name === undefined) return run();
  const example = `gemm-paranoia bench ${what} --json`;
  throw problem('extra-argument', { command: `bench ${what}`, given: name, example });
}
