import { computationIn } from '../gpu/computation.ts';
import type { OpenDevice } from '../gpu/device.ts';
import { builtinKernel } from '../kernel/builtin.ts';
import { findFault } from '../kernel/faults/faults.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { Problem } from '../problems.ts';
import type { Baselines } from './baselines.ts';
import type { PlannedCase } from './campaign.ts';
import { type Case, formatCase } from './case.ts';
import type { Thresholds } from './checks/check.ts';
import type { Laboratory } from './evidence.ts';
import { fitSeries } from './growth-series.ts';
import type { CaseResult, GrowthResult, Results, Verdict } from './results.ts';
import { replayCommand, runCase } from './run-case.ts';

/** What a gate needs beside its cases. */
export interface GateOptions {
  readonly open: OpenDevice;
  /** Opens a fresh device after one is lost. */
  readonly reopen: () => Promise<OpenDevice>;
  readonly laboratory: Laboratory;
  readonly thresholds: Thresholds;
  readonly baselines: Baselines;
  /** Called after every case. */
  readonly onCase?: (result: CaseResult, done: number, planned: number) => void;
  /** The command that runs a case alone, as failures print it. Default: through `npx`. */
  readonly replay?: (text: string) => string;
  /** Asked before every case: true ends the run with what is finished. */
  readonly stop?: () => boolean;
}

/** What a gate found: the parts of a results file that come from running. */
export interface GateOutcome extends Pick<Results, 'verdict' | 'reason' | 'summary' | 'cases'> {
  readonly growth: GrowthResult[];
  /** The device in use at the end: another one than at the start where that was lost. */
  readonly open: OpenDevice;
}

/** Runs cases one after the other; a lost device costs the case it was lost in, and is replaced. */
export async function runGate(planned: readonly PlannedCase[], options: GateOptions): Promise<GateOutcome> {
  const { laboratory, thresholds, baselines, replay } = options;
  const start = performance.now();
  const cases: CaseResult[] = [];
  let open = options.open;
  let kernels = new Map<string, Kernel>();
  let interrupted = false;
  for (const value of planned) {
    if (options.stop?.() === true) {
      interrupted = true;
      break;
    }
    const kernel = kernels.get(kernelKey(value)) ?? (await kernelOf(value, open));
    kernels.set(kernelKey(value), kernel);
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
    cases.push(result);
    options.onCase?.(result, cases.length, planned.length);
    // Lets signals and timers in: judging small cases may never leave this thread otherwise.
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (interrupted) break;
  }
  const seconds = (performance.now() - start) / 1000;
  const summary = { planned: planned.length, run: cases.length, ...countsOf(cases), seconds, interrupted };
  return { ...overall(summary), summary, cases, growth: fitSeries(cases), open };
}

/** Another device; undefined where there is none any more: what was judged before is still worth having. */
async function reopened({ reopen }: GateOptions): Promise<OpenDevice | undefined> {
  try {
    return await reopen();
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

const kernelKey = ({ kernel, precision, fault }: Case) => [kernel, precision, fault].join();

/**
 * The kernel of a case in its precision, with its planted fault if it names one.
 * @throws Problem `unknown-name`, `precision-unserved`
 */
export async function kernelOf(
  { kernel, precision = 'f32', fault }: Case,
  open: OpenDevice,
): Promise<Kernel> {
  const tampering = fault === undefined ? {} : findFault(fault).tampering;
  return builtinKernel(kernel, open, tampering, await computationIn(open, precision));
}

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

function countsOf(cases: readonly CaseResult[]) {
  const count = (test: (result: CaseResult) => boolean) => cases.filter(test).length;
  return {
    pass: count(({ verdict }) => verdict === 'pass'),
    fail: count(({ verdict }) => verdict === 'fail'),
    inconclusive: count(({ verdict }) => verdict === 'inconclusive'),
    mirrored: count(({ mirrorEqual }) => mirrorEqual !== undefined),
    mirrorEqual: count(({ mirrorEqual }) => mirrorEqual === true),
  };
}

/** A gate fails if any case does; passes if every planned case passed; else it is inconclusive. */
function overall(summary: Results['summary']): { verdict: Verdict; reason: string } {
  const { run, planned, pass, fail, inconclusive, interrupted } = summary;
  if (fail > 0) return { verdict: 'fail', reason: `${fail} of ${run} cases failed.` };
  if (run === 0) return { verdict: 'inconclusive', reason: 'Nothing was run.' };
  if (interrupted)
    return { verdict: 'inconclusive', reason: `Interrupted after ${run} of ${planned} cases.` };
  if (inconclusive > 0) {
    return { verdict: 'inconclusive', reason: `${inconclusive} of ${run} cases could not be judged.` };
  }
  return { verdict: 'pass', reason: `All ${pass} cases passed.` };
}
