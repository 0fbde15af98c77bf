import { computationIn } from '../gpu/computation.ts';
import type { Machine, OpenDevice } from '../gpu/device.ts';
import { builtinKernel } from '../kernel/builtin.ts';
import { findFault } from '../kernel/faults/faults.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { Problem, problem } from '../problems.ts';
import type { Baselines } from './baselines.ts';
import type { PlannedCase } from './campaign.ts';
import { type Case, formatCase } from './case.ts';
import type { Thresholds } from './checks/check.ts';
import type { Laboratory } from './evidence.ts';
import { foresee } from './foresee.ts';
import { fitSeries } from './growth-series.ts';
import { countsOf, overall } from './overall.ts';
import type { CaseResult, GrowthResult, Results } from './results.ts';
import { replayCommand, runCase } from './run-case.ts';
import { type ReadWaiver, settleWaivers, waive } from './waivers.ts';

/**
 * The kernel of a case on a machine.
 * @throws Problem `unknown-name`, `precision-unserved`, `bad-kernel`, `no-adapter`
 */
export type KernelOf = (value: Case, machine: Machine) => Promise<Kernel>;

/** What a gate needs beside its cases. */
export interface GateOptions {
  readonly open: Machine;
  /** Another machine after a device is lost. */
  readonly reopen: () => Promise<Machine>;
  /** Where the kernels of cases come from. Default: built-in ones, on an open device. */
  readonly kernelOf?: KernelOf;
  readonly laboratory: Laboratory;
  readonly thresholds: Thresholds;
  readonly baselines: Baselines;
  /** Called after every case. */
  readonly onCase?: (result: CaseResult, done: number, planned: number) => void;
  /** The command that runs a case alone, as failures print it. Default: through `npx`. */
  readonly replay?: (text: string) => string;
  /** Asked before every case: true ends the run with what is finished. */
  readonly stop?: () => boolean;
  /** Failures that are known and let through. Default: none. */
  readonly waivers?: readonly ReadWaiver[];
  /** Whether these are all cases that the config asks for, so that an unused waiver can be told. Default: no. */
  readonly whole?: boolean;
}

/** What a gate found: the parts of a results file that come from running. */
export interface GateOutcome extends Pick<Results, 'verdict' | 'reason' | 'summary' | 'cases' | 'waivers'> {
  readonly growth: GrowthResult[];
  /** The machine in use at the end: another one than at the start where a device was lost. */
  readonly open: Machine;
}

/** Runs cases one after the other; a lost device costs the case it was lost in, and is replaced. */
export async function runGate(planned: readonly PlannedCase[], options: GateOptions): Promise<GateOutcome> {
  const { laboratory, thresholds, baselines, replay, kernelOf: make = kernelOf } = options;
  const { waivers = [], whole = false } = options;
  const now = new Date();
  const start = performance.now();
  const cases: CaseResult[] = [];
  let open = options.open;
  let kernels = new Map<string, Kernel>();
  let interrupted = false;
  for (const [at, value] of planned.entries()) {
    if (options.stop?.() === true) {
      interrupted = true;
      break;
    }
    const kernel = kernels.get(kernelKey(value)) ?? (await make(value, open));
    kernels.set(kernelKey(value), kernel);
    foresee(planned, at + 1, open, (value) => kernels.get(kernelKey(value)));
    const context = { thresholds, baseline: baselines.cases[formatCase(value)] };
    let result: CaseResult;
    try {
      const { series, detailed = false } = value;
      result = await runCase(value, kernel, open, laboratory, context, { series, detailed, replay });
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'device-lost') throw error;
      result = lostCase(value, kernel, error.message, replay);
      const fresh = await reopened(options);
      if (fresh === undefined) interrupted = true;
      else open = fresh;
      kernels = new Map();
    }
    cases.push(waive(result, waivers, now));
    options.onCase?.(cases[cases.length - 1], cases.length, planned.length);
    // Lets signals and timers in: judging small cases may never leave this thread otherwise.
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (interrupted) break;
  }
  const seconds = (performance.now() - start) / 1000;
  const summary = { planned: planned.length, run: cases.length, ...countsOf(cases), seconds, interrupted };
  const settled = settleWaivers(waivers, cases, { whole: whole && !interrupted, now });
  return {
    ...overall(summary, { waivers: settled }),
    ...{ summary, cases, growth: fitSeries(cases), open },
    ...(waivers.length > 0 ? { waivers: settled } : {}),
  };
}

/** Another device; undefined where there is none any more: what was judged before is still worth having. */
async function reopened({ reopen }: GateOptions): Promise<Machine | undefined> {
  try {
    return await reopen();
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

const kernelKey = ({ kernel, precision, fault }: Case) => [kernel, precision, fault].join();

/**
 * The built-in kernel of a case in its precision, with its planted fault if it names one.
 * @throws Problem `unknown-name`, `precision-unserved`, `no-adapter`
 */
export async function kernelOf(
  { kernel, precision = 'f32', fault }: Case,
  machine: Machine,
): Promise<Kernel> {
  if (!isOpen(machine)) throw problem('no-adapter', { found: [], notes: [`${kernel} needs one`] });
  const tampering = fault === undefined ? {} : findFault(fault).tampering;
  return builtinKernel(kernel, machine, tampering, await computationIn(machine, precision));
}

const isOpen = (machine: Machine): machine is OpenDevice => 'device' in machine;

function lostCase(value: PlannedCase, kernel: Kernel, message: string, replay = replayCommand): CaseResult {
  const text = formatCase(value);
  const { fault: _fault, init: _init, detailed: _detailed, ...about } = value;
  return {
    ...about,
    case: text,
    algorithm: kernel.algorithm,
    leaf: kernel.leaf,
    levelsUsed: value.levels,
    precision: value.precision ?? 'f32',
    verdict: 'inconclusive',
    reason: message,
    replay: replay(text),
    checks: [{ name: 'runs', status: 'inconclusive', message }],
  };
}
