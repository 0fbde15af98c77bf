import { EXIT } from '../../base/errors.ts';
import { type CommandOptions, optionsOf } from '../../config/node/options-of.ts';
import { isDevice } from '../../gpu/device.ts';
import { findLeaf } from '../../gpu/wgsl/leaves/leaves.ts';
import type { KernelCatalog } from '../../kernels/kernel-catalog.ts';
import { measureMachine } from '../../study/bench/model/model.ts';
import { studies } from '../../study/studies.ts';
import { cube, defineStudy, type SpeedOptions, type SpeedStudy, type Study } from '../../study/study.ts';

import { benchNames, runBench } from '../bench/run.ts';
import { runErrors } from './errors.ts';
import { errorTask, type StudyRequest, type StudyTask, studyTask } from './options.ts';
/** Runs a study. @returns the exit code of its worst part */
export async function runStudyCommand(name: string, request: StudyRequest): Promise<number> {
  const { config, adapter, toggles, verbose } = request;
  const command = await optionsOf({ config, adapter, toggles, verbose });
  const own = (command.options.studies ?? []) as readonly Study[];
  const known = command.ofConfig('studies', () => studies.with(own.map(defineStudy)));
  const study = known.find(name);
  const task = studyTask(study, request);
  const [errors, speeds] = (['errors', 'speeds'] as const).map((part) => task.parts.includes(part));
  const asked = study.errors && errorTask(study.errors, request);
  // Checks the options of the second part now, before the first part takes hours.
  if (speeds) speedOptions(task, request, command.catalog, false);
  const codes: number[] = [];
  if (errors && study.errors && asked) {
    const { code, stopped } = await runErrors(study, study.errors, { ...task, ...asked, request, command });
    codes.push(code);
    if (stopped) return code;
  }
  if (speeds && study.speeds) codes.push(await runSpeeds(study, study.speeds, { task, request, command }));
  return codes.includes(EXIT.fail) ? EXIT.fail : (codes.find((code) => code !== EXIT.pass) ?? EXIT.pass);
}

const LARGEST_ON_GPU = 16_384;
const LARGEST_IN_SOFTWARE = 512;

interface Given {
  readonly task: StudyTask;
  readonly request: StudyRequest;
  readonly command: CommandOptions;
}

/** Measures a paper's speeds again. @returns the exit code @throws ParanoiaError as `runBench` does, `bad-number`, … */
export async function runSpeeds(study: Study, speeds: SpeedStudy, given: Given): Promise<number> {
  const { task, request, command } = given;
  const { name, what: title, source } = study;
  const { multiprocessors: sms = 1 } = request;
  const options = (onGpu: boolean) => speedOptions(task, request, command.catalog, onGpu);
  // Every kernel that may run: the smallest sizes have all of them.
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

/** Reads the options of a study of speeds. @throws ParanoiaError `unknown-name` */
export function speedOptions(
  { maxSize, shrink }: StudyTask,
  { sizes, beside = [], leaf = 'register' }: StudyRequest,
  catalog: KernelCatalog,
  onGpu: boolean,
): SpeedOptions {
  findLeaf(leaf, cube(1));
  const expand = (pattern: string) => (benchNames.includes(pattern) ? [pattern] : catalog.expand(pattern));
  return {
    sizes,
    maxSize: maxSize ?? (onGpu ? LARGEST_ON_GPU : LARGEST_IN_SOFTWARE),
    shrink,
    beside: beside.flatMap(expand),
    leaf,
  };
}
