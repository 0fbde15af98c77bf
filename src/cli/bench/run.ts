import { join, resolve } from 'node:path';
import { EXIT } from '../../base/errors.ts';
import { invocation } from '../../base/node/invocation.ts';
import { say } from '../../base/node/say.ts';
import { ensureWritable, writeWhole } from '../../base/node/write-file.ts';
import { VERSION } from '../../base/version.ts';
import type { CommandOptions } from '../../config/node/options-of.ts';
import { openExactPool } from '../../exact/node/pool.ts';
import { isDevice, type Machine, type OpenDevice } from '../../gpu/device.ts';
import { hasTimestamps } from '../../gpu/queue/timestamps.ts';
import type { Kernel } from '../../kernels/kernel.ts';
import type { ValuesOf } from '../../options/option.ts';
import { benchMarkdown, benchPage, benchText } from '../../pages/bench.ts';
import { lookFor } from '../../pages/node/colors.ts';
import { formatCount, formatShort } from '../../report/numbers.ts';
import type { KernelResolver } from '../../run/kernel-of.ts';
import { openNodeMachine } from '../../run/node/open-machine.ts';
import { jsonFile } from '../../run/node/stored-folder.ts';
import type { Entrant, Measurement, UntimedProduct } from '../../study/bench/measurement.ts';
import { hostKernelNames, isHostKernel, openHostKernel } from '../../study/bench/node/host-kernels.ts';
import {
  BENCH_SCHEMA,
  type BenchReport,
  drawConclusions,
  type StudyReport,
} from '../../study/bench/report.ts';
import { type BenchOutcome, type BenchRound, sweep } from '../../study/bench/sweep.ts';
import { nothingTimed } from '../messages.ts';
import { createStopper } from '../stopper.ts';
import { type trialOptions, trialsOf } from './options.ts';

/** A benchmark, planned before the machine is known. */
export interface BenchTask {
  readonly title: string;
  readonly notes: readonly string[];
  /** The kernels that may run, which decide how the machine is opened. */
  readonly kernels: readonly string[];
  /** Returns the rounds for a machine; `onGpu` is false for software adapters and for processors. */
  readonly rounds: (onGpu: boolean) => readonly BenchRound[];
  /** Makes the tables of a study from the measurements. */
  readonly study?: (outcome: BenchOutcome, machine: Machine, onGpu: boolean) => Promise<StudyReport>;
}

/** The settings of trials, and the outputs. */
interface BenchRequest extends ValuesOf<typeof trialOptions> {
  readonly json?: string | true | undefined;
  readonly out?: string | undefined;
}

/** Kernels that `bench` knows in addition to those of the gate. */
export const benchNames: readonly string[] = hostKernelNames;

/**
 * Runs rounds, prints their report and writes it to the requested files.
 * @returns the exit code: inconclusive if nothing was timed
 * @throws ParanoiaError `nothing-timed`, `report-unwritable`, …
 */
export async function runBench(
  task: BenchTask,
  request: BenchRequest,
  command: CommandOptions,
): Promise<number> {
  const trials = trialsOf(request);
  // Checked now, before minutes are spent.
  const files = await filesOf(request);
  if (files.out !== undefined) ensureWritable(resolve(files.out), ['bench.json', 'bench.md', 'bench.html']);
  const { adapter, toggles } = command.options;
  const named = task.kernels.filter((name) => !isHostKernel(name));
  const opened = await openNodeMachine(named, { ...command, adapter, toggles });
  const hosts = new Map<string, Kernel>();
  const pool = openExactPool();
  const stop = createStopper(undefined);
  try {
    const { machine } = opened;
    const onGpu = isDevice(machine) && machine.fingerprint.kind === 'hardware';
    say(`On ${machine.fingerprint.name} (${machine.chosenBecause}).`);
    await opened.start(named);
    const kernelOf = (entrant: Entrant) => kernelFor(entrant, machine, hosts, opened.kernelOf);
    const outcome = await sweep(task.rounds(onGpu), {
      ...trials,
      ...{
        machine,
        items: command.catalog,
        onGpu,
        kernelOf,
        exactMultiply: pool.product,
        stop: stop.asked,
      },
      onMeasured: (measured) => say(progressLine(measured)),
    });
    const interrupted = stop.asked();
    if (outcome.measurements.length === 0) throw whyNothing(outcome);
    const report: BenchReport = {
      schema: BENCH_SCHEMA,
      title: task.title,
      command: [invocation(), ...process.argv.slice(2)].join(' '),
      version: VERSION,
      createdAt: new Date().toISOString(),
      adapter: { ...machine.fingerprint, chosenBecause: machine.chosenBecause },
      timestamps: isDevice(machine) && hasTimestamps(machine),
      ...('tuning' in machine && machine.tuning !== undefined
        ? { tuning: (machine as OpenDevice).tuning?.because }
        : {}),
      timing: trials.timing,
      notes: [...ownNotes(machine, onGpu, outcome, interrupted), ...task.notes],
      ...outcome,
      ...drawConclusions(outcome),
      ...(task.study && { study: await task.study(outcome, machine, onGpu) }),
    };
    await publish(report, files);
    return interrupted ? EXIT.inconclusive : EXIT.pass;
  } finally {
    stop.release();
    await pool.close();
    for (const host of hosts.values()) await host.session.close?.();
    await opened.close();
  }
}

/** Finds a kernel of the processor, or of the catalog. */
async function kernelFor(
  entrant: Entrant,
  machine: Machine,
  hosts: Map<string, Kernel>,
  catalogued: KernelResolver,
): Promise<Kernel> {
  const { kernel: name, precision = 'f32' } = entrant;
  if (isHostKernel(name)) {
    const host = hosts.get(name) ?? openHostKernel(name);
    hosts.set(name, host);
    return host;
  }
  return catalogued({ kernel: name, precision }, machine);
}

function ownNotes(machine: Machine, onGpu: boolean, { missed }: BenchOutcome, stopped: boolean): string[] {
  const ratios = 'No GPU: only ratios of times are shown, because CPU times depend on other load.';
  const clock = `${machine.fingerprint.name} has no timestamps: times are wall-clock times from submission to completion.`;
  return [
    ...(onGpu ? [] : [ratios]),
    ...(isDevice(machine) ? tuningNotes(machine) : []),
    ...(isDevice(machine) && !hasTimestamps(machine) ? [clock] : []),
    ...(missed.length > 0
      ? [`${formatCount(missed.length, 'product')} could not be timed; the last table says why.`]
      : []),
    ...(stopped ? ['Interrupted: only finished measurements are shown.'] : []),
  ];
}

/** The reason why an earlier tuning is not used, if there is one. */
const tuningNotes = ({ tuningNote }: OpenDevice) => (tuningNote === undefined ? [] : [tuningNote]);

function whyNothing({ missed }: BenchOutcome) {
  const [first] = missed;
  const why =
    first === undefined
      ? 'the run was interrupted before the first product.'
      : `${first.label}, ${first.m}×${first.k}×${first.n}: ${first.why}`;
  return nothingTimed({ why });
}

function progressLine(measured: Measurement | UntimedProduct): string {
  const what = `${measured.label}, ${measured.m}×${measured.k}×${measured.n}`;
  if ('why' in measured) return `${what}: not timed: ${measured.why}`;
  const { median, absolute, bits, seconds } = measured;
  const took = absolute ? `${formatShort(1000 * median, 4)} ms, ` : '';
  return `${what}: ${took}${bits.toFixed(1)} bits, ${seconds.length} trials`;
}

interface Files {
  /** True if JSON is printed instead of tables. */
  readonly print: boolean;
  readonly json: string | undefined;
  readonly out: string | undefined;
}

/** Resolves the outputs. @throws ParanoiaError `json-unwritable` */
async function filesOf({ json, out }: BenchRequest): Promise<Files> {
  return { print: json === true, json: await jsonFile(json), out };
}

/** Prints and writes a report. @throws ParanoiaError `report-unwritable` */
async function publish(report: BenchReport, { print, json, out }: Files): Promise<void> {
  const data = `${JSON.stringify(report, undefined, 1)}\n`;
  const files: [string, string][] = [
    ...(json === undefined ? [] : [[json, data] as [string, string]]),
    ...(out === undefined
      ? []
      : ([
          [join(resolve(out), 'bench.json'), data],
          [join(resolve(out), 'bench.md'), benchMarkdown(report)],
          [join(resolve(out), 'bench.html'), benchPage(report)],
        ] as [string, string][])),
  ];
  for (const [path, text] of files) {
    writeWhole(path, text);
  }
  process.stdout.write(print ? data : benchText(report, lookFor(process.stdout)));
  for (const [path] of files) say(`Wrote ${path}`);
}
