import { measureMachine } from '../bench/model/measure-machine.ts';
import { benchStudies, findBenchStudy } from '../bench/studies/studies.ts';
import type { BenchStudy, StudyOptions } from '../bench/studies/study.ts';
import { parseList, parseNumber, parseNumbers } from '../config/flags.ts';
import { ranges } from '../config/ranges.ts';
import type { OpenDevice } from '../gpu/device.ts';
import { findLeaf } from '../gpu/leaves/leaves.ts';
import type { Catalogue } from '../kernel/catalogue.ts';
import { problem } from '../problems.ts';
import { type BenchFlags, textOr } from './bench-options.ts';
import { benchNames, runBench } from './bench-run.ts';
import { optionsOf } from './options-of.ts';

const LARGEST_ON_GPU = 16_384;
const LARGEST_IN_SOFTWARE = 512;
const SHRINK = { least: 1, most: 1024, whole: false, need: 'a number from 1 to 1024' };
const MULTIPROCESSORS = { least: 1, most: 10_000, whole: true, need: 'a whole number from 1 to 10000' };

/** Runs a paper's speed study again. @returns the exit code. @throws Problem `missing-argument`, `unknown-name` */
export async function runBenchStudy(flags: BenchFlags, name: string | undefined): Promise<number> {
  if (name === undefined) {
    const argument = `study (${benchStudies.map((study) => study.name).join(', ')})`;
    throw problem('missing-argument', { argument, command: 'gemm-paranoia bench study <name>' });
  }
  const study = findBenchStudy(name);
  const { config, adapter, toggle, verbose } = flags;
  const command = await optionsOf({ config, adapter, toggle, verbose });
  const options = (onGpu: boolean) => studyOptions(flags, command.catalogue, onGpu);
  const sms =
    flags.multiprocessors === undefined
      ? 1
      : parseNumber('--multiprocessors', flags.multiprocessors, MULTIPROCESSORS);
  return runBench(
    {
      title: `${study.name}: ${study.title}`,
      notes: study.notes,
      kernels: kernelsIn(study, options(false)),
      rounds: (onGpu) => study.rounds(options(onGpu)),
      async study(outcome, machine, onGpu) {
        const rates =
          study.model === true && 'device' in machine
            ? await measureMachine(machine as OpenDevice, sms)
            : undefined;
        const { name, title, source } = study;
        return { name, title, source, tables: study.tables(outcome, options(onGpu), rates) };
      },
    },
    flags,
    command,
  );
}

/** Every kernel that a study may run: those of its smallest sizes are all. */
function kernelsIn(study: BenchStudy, options: StudyOptions): string[] {
  return [...new Set(study.rounds(options).flatMap(({ entrants }) => entrants.map(({ kernel }) => kernel)))];
}

/** @throws Problem `bad-number`, `unknown-name`, `missing-option` */
function studyOptions(flags: BenchFlags, catalogue: Catalogue, onGpu: boolean): StudyOptions {
  const { sizes, maxSize, shrink, beside, leaf } = flags;
  const usual = onGpu ? LARGEST_ON_GPU : LARGEST_IN_SOFTWARE;
  const chosen = textOr('--leaf', leaf, 'register');
  findLeaf(chosen, { m: 1, k: 1, n: 1 });
  const expand = (pattern: string) => (benchNames.includes(pattern) ? [pattern] : catalogue.expand(pattern));
  return {
    sizes: sizes === undefined ? undefined : parseNumbers('--sizes', sizes, ranges.size),
    maxSize: maxSize === undefined ? usual : parseNumber('--max-size', maxSize, ranges.size),
    shrink: shrink === undefined ? 1 : parseNumber('--shrink', shrink, SHRINK),
    beside: beside === undefined ? [] : parseList('--beside', beside).flatMap(expand),
    leaf: chosen,
  };
}
