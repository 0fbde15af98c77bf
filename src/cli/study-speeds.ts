import type { Flags } from '../config/flags.ts';
import { parseList, parseNumber, parseNumbers } from '../config/flags.ts';
import type { CommandOptions } from '../config/node/options-of.ts';
import { isDevice } from '../gpu/device.ts';
import { findLeaf } from '../gpu/wgsl/leaves/leaves.ts';
import type { Catalogue } from '../kernels/catalogue.ts';
import { type Range, ranges } from '../problem/ranges.ts';
import { measureMachine } from '../study/bench/model/measure-machine.ts';
import { cube } from '../study/scaled-sizes.ts';
import type { SpeedOptions, SpeedStudy, Study } from '../study/study.ts';
import { textOr } from './bench-options.ts';
import { benchNames, runBench } from './bench-run.ts';
import type { StudyRequest } from './study-options.ts';

const LARGEST_ON_GPU = 16_384;
const LARGEST_IN_SOFTWARE = 512;
const MULTIPROCESSORS: Range = {
  least: 1,
  most: 10_000,
  whole: true,
  need: 'a whole number from 1 to 10000',
};

interface Given {
  readonly request: StudyRequest;
  readonly flags: Flags;
  readonly command: CommandOptions;
}

/** Measures a paper's speeds again. @returns the exit code. @throws ParanoiaError as `runBench` does, `bad-number`, … */
export async function runSpeeds(study: Study, speeds: SpeedStudy, given: Given): Promise<number> {
  const { request, flags, command } = given;
  const { name, what: title, source } = study;
  const { multiprocessors, only: _, ...others } = flags;
  const options = (onGpu: boolean) => speedOptions(request, flags, command.catalogue, onGpu);
  const sms =
    multiprocessors === undefined ? 1 : parseNumber('--multiprocessors', multiprocessors, MULTIPROCESSORS);
  // Every kernel that may run: those of the smallest sizes are all.
  const kernels = speeds
    .rounds(options(false))
    .flatMap(({ entrants }) => entrants.map(({ kernel }) => kernel));
  return runBench(
    {
      title: `${name}: ${title}`,
      notes: speeds.notes,
      kernels: [...new Set(kernels)],
      rounds: (onGpu) => speeds.rounds(options(onGpu)),
      async study(outcome, machine, onGpu) {
        const rates =
          speeds.model === true && isDevice(machine) ? await measureMachine(machine, sms) : undefined;
        return { name, title, source, tables: speeds.tables(outcome, options(onGpu), rates) };
      },
    },
    { ...others, out: request.out },
    command,
  );
}

/** @throws ParanoiaError `bad-number`, `unknown-name`, `missing-option` */
export function speedOptions(
  { maxSize, shrink }: StudyRequest,
  { sizes, beside, leaf }: Flags,
  catalogue: Catalogue,
  onGpu: boolean,
): SpeedOptions {
  const chosen = textOr('--leaf', leaf, 'register');
  findLeaf(chosen, cube(1));
  const expand = (pattern: string) => (benchNames.includes(pattern) ? [pattern] : catalogue.expand(pattern));
  return {
    sizes: sizes === undefined ? undefined : parseNumbers('--sizes', sizes, ranges.size),
    maxSize: maxSize ?? (onGpu ? LARGEST_ON_GPU : LARGEST_IN_SOFTWARE),
    shrink,
    beside: beside === undefined ? [] : parseList('--beside', beside).flatMap(expand),
    leaf: chosen,
  };
}
