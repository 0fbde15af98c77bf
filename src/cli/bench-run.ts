import { join, resolve } from 'node:path';
import type { Entrant, Measurement, Missed } from '../bench/measurement.ts';
import {
  type HostKernel,
  hostKernelNames,
  isHostKernel,
  openHostKernel,
} from '../bench/node/host-kernels.ts';
import { BENCH_SCHEMA, type BenchReport, conclusions, type StudyReport } from '../bench/report.ts';
import { type Outcome, type Round, sweep } from '../bench/sweep.ts';
import { digits } from '../bench/table.ts';
import { openWorkshop } from '../gate/node/workshop.ts';
import type { KernelOf } from '../gate/run-gate.ts';
import type { Machine, OpenDevice } from '../gpu/device.ts';
import { hasTimestamps } from '../gpu/timestamps.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { EXIT, problem } from '../problems.ts';
import { openExactPool } from '../reference/node/pool.ts';
import { paretoPage } from '../report/html/figures/pareto-page.ts';
import { ensureWritable, writeWhole } from '../report/node/write-report.ts';
import { counted } from '../report/numbers.ts';
import { type BenchFlags, textOr, trialOptions } from './bench-options.ts';
import { benchMarkdown, benchText } from './bench-text.ts';
import { invocation } from './invocation.ts';
import { jsonFile } from './json-file.ts';
import type { CommandOptions } from './options-of.ts';
import { stopper } from './stopper.ts';
import { packageVersion } from './version.ts';

/** What is to be run, once it is known on what. */
export interface BenchTask {
  readonly title: string;
  readonly notes: readonly string[];
  /** The kernels that may run, for the machine to be opened. */
  readonly kernels: readonly string[];
  /** Rounds on a machine; `onGpu` is false for adapters in software and for processors. */
  readonly rounds: (onGpu: boolean) => readonly Round[];
  /** The tables of a study, from what was measured. */
  readonly study?: (outcome: Outcome, machine: Machine, onGpu: boolean) => Promise<StudyReport>;
}

/** Kernels that `bench` knows beside those of the gate. */
export const benchNames: readonly string[] = hostKernelNames;

/**
 * Runs rounds, prints their report and writes it where it is wanted.
 * @returns the exit code: inconclusive where nothing was timed.
 * @throws Problem `nothing-timed`, `report-unwritable`, …
 */
export async function runBench(task: BenchTask, flags: BenchFlags, command: CommandOptions): Promise<number> {
  const trials = trialOptions(flags);
  // Before minutes are spent.
  const files = await filesOf(flags);
  if (files.out !== undefined) await ensureWritable(resolve(files.out));
  const { adapter, toggles } = command.options;
  const named = task.kernels.filter((name) => !isHostKernel(name));
  const workshop = await openWorkshop(named, { ...command, adapter, toggles });
  const hosts = new Map<string, HostKernel>();
  const pool = openExactPool();
  const stop = stopper(undefined);
  try {
    const { machine } = workshop;
    const isDevice = 'device' in machine;
    const onGpu = isDevice && machine.fingerprint.kind === 'hardware';
    process.stderr.write(`On ${machine.fingerprint.name} (${machine.chosenBecause}).\n`);
    await workshop.start(named);
    const kernelOf = (entrant: Entrant) => kernelFor(entrant, machine, hosts, workshop.kernelOf);
    const outcome = await sweep(task.rounds(onGpu), {
      ...trials,
      ...{ machine, onGpu, kernelOf, exactMultiply: pool.product, stop: stop.asked },
      onMeasured: (measured) => process.stderr.write(`${progressLine(measured)}\n`),
    });
    const interrupted = stop.asked();
    if (outcome.measurements.length === 0) throw nothingTimed(outcome);
    const report: BenchReport = {
      schema: BENCH_SCHEMA,
      title: task.title,
      command: [invocation(), ...process.argv.slice(2)].join(' '),
      version: packageVersion(),
      createdAt: new Date().toISOString(),
      adapter: { ...machine.fingerprint, chosenBecause: machine.chosenBecause },
      timestamps: isDevice && hasTimestamps(machine as OpenDevice),
      ...('tuning' in machine && machine.tuning !== undefined
        ? { tuning: (machine as OpenDevice).tuning?.because }
        : {}),
      timing: trials.timing,
      notes: [...ownNotes(machine, onGpu, outcome, interrupted), ...task.notes],
      ...outcome,
      ...conclusions(outcome),
      ...(task.study && { study: await task.study(outcome, machine, onGpu) }),
    };
    await publish(report, files);
    return interrupted ? EXIT.inconclusive : EXIT.pass;
  } finally {
    stop.release();
    await pool.close();
    for (const host of hosts.values()) await host.close();
    await workshop.close();
  }
}

/** A kernel of the processor, or of the catalogue. */
async function kernelFor(
  entrant: Entrant,
  machine: Machine,
  hosts: Map<string, HostKernel>,
  catalogued: KernelOf,
): Promise<Kernel> {
  const { kernel: name, precision = 'f32' } = entrant;
  if (isHostKernel(name)) {
    const host = hosts.get(name) ?? openHostKernel(name);
    hosts.set(name, host);
    return host.kernel;
  }
  const manner = { levels: 0, border: 'pad', edge: 'guard' } as const;
  return catalogued(
    { kernel: name, precision, ...manner, input: 'uniform', m: 1, k: 1, n: 1, seed: 1 },
    machine,
  );
}

function ownNotes(machine: Machine, onGpu: boolean, { missed }: Outcome, stopped: boolean): string[] {
  const ratios =
    'Not on a GPU: times are shown as ratios alone, since those of a processor depend on what else it does.';
  const clock = `${machine.fingerprint.name} has no timestamps: the wall clock tells the time, from submission to completion.`;
  return [
    ...(onGpu ? [] : [ratios]),
    ...('device' in machine ? tuningNotes(machine as OpenDevice) : []),
    ...('device' in machine && !hasTimestamps(machine as OpenDevice) ? [clock] : []),
    ...(missed.length > 0
      ? [`${counted(missed.length, 'product')} could not be timed; the last table says why.`]
      : []),
    ...(stopped ? ['Interrupted: what was finished is shown.'] : []),
  ];
}

/** Why a tuning that was measured before is not used, if so. */
const tuningNotes = ({ tuningNote }: OpenDevice) => (tuningNote === undefined ? [] : [tuningNote]);

function nothingTimed({ missed }: Outcome) {
  const [first] = missed;
  const why =
    first === undefined
      ? 'it was interrupted before the first product.'
      : `${first.label}, ${first.m}×${first.k}×${first.n}: ${first.why}`;
  return problem('nothing-timed', { why });
}

function progressLine(measured: Measurement | Missed): string {
  const what = `${measured.label}, ${measured.m}×${measured.k}×${measured.n}`;
  if ('why' in measured) return `${what}: not timed: ${measured.why}`;
  const { median, absolute, bits, seconds } = measured;
  const took = absolute ? `${digits(1000 * median, 4)} ms, ` : '';
  return `${what}: ${took}${bits.toFixed(1)} bits, ${seconds.length} trials`;
}

interface Files {
  /** Whether JSON is printed instead of tables. */
  readonly print: boolean;
  readonly json: string | undefined;
  readonly out: string | undefined;
}

/** @throws Problem `json-unwritable`, `missing-option` */
async function filesOf({ json, out }: BenchFlags): Promise<Files> {
  return { print: json === true, json: await jsonFile(json), out: textOr('--out', out, undefined) };
}

/** @throws Problem `report-unwritable` */
async function publish(report: BenchReport, { print, json, out }: Files): Promise<void> {
  const data = `${JSON.stringify(report, undefined, 1)}\n`;
  process.stdout.write(print ? data : benchText(report));
  const files: [string, string][] = [
    ...(json === undefined ? [] : [[json, data] as [string, string]]),
    ...(out === undefined
      ? []
      : ([
          [join(resolve(out), 'bench.json'), data],
          [join(resolve(out), 'bench.md'), benchMarkdown(report)],
          [join(resolve(out), 'bench.html'), paretoPage(report)],
        ] as [string, string][])),
  ];
  for (const [path, text] of files) {
    await writeWhole(path, text);
    process.stderr.write(`Wrote ${path}\n`);
  }
}
