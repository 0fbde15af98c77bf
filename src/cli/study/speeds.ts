import type { CommandOptions } from '../../config/node/options-of.ts';
import { isDevice } from '../../gpu/device.ts';
import { findLeaf } from '../../gpu/wgsl/leaves/leaves.ts';
import type { Catalogue } from '../../kernels/catalogue.ts';
import { measureMachine } from '../../study/bench/model/measure-machine.ts';
import { cube } from '../../study/scaled-sizes.ts';
import type { SpeedOptions, SpeedStudy, Study } from '../../study/study.ts';
import { benchNames, runBench } from '../bench/run.ts';
import type { StudyRequest, StudyTask } from './options.ts';

const LARGEST_ON_GPU = 16_384;
const LARGEST_IN_SOFTWARE = 512;

interface Given {
  readonly task: StudyTask;
  readonly request: StudyRequest;
  readonly command: CommandOptions;
}

/** Measures a paper's speeds again. @returns the exit code. @throws ParanoiaError as `runBench` does, `bad-number`, … */
export async function runSpeeds(study: Study, speeds: SpeedStudy, given: Given): Promise<number> {
  const { task, request, command } = given;
  const { name, what: title, source } = study;
  const { multiprocessors: sms = 1 } = request;
  const options = (onGpu: boolean) => speedOptions(task, request, command.catalogue, onGpu);
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
    { ...request, out: task.out },
    command,
  );
}

/** @throws ParanoiaError `unknown-name` */
export function speedOptions(
  { maxSize, shrink }: StudyTask,
  { sizes, beside = [], leaf = 'register' }: StudyRequest,
  catalogue: Catalogue,
  onGpu: boolean,
): SpeedOptions {
  findLeaf(leaf, cube(1));
  const expand = (pattern: string) => (benchNames.includes(pattern) ? [pattern] : catalogue.expand(pattern));
  return {
    sizes,
    maxSize: maxSize ?? (onGpu ? LARGEST_ON_GPU : LARGEST_IN_SOFTWARE),
    shrink,
    beside: beside.flatMap(expand),
    leaf,
  };
}
