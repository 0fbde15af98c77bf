import { EXIT, ParanoiaError } from '../../src/base/errors.ts';
import { say } from '../../src/cli/say.ts';
import { stopper } from '../../src/cli/stopper.ts';
import { deviceOf, type Flags, parseNumber, parseText } from '../../src/config/flags.ts';
import { conflictingOptions } from '../../src/config/messages.ts';
import { defaultThresholds } from '../../src/evidence/checks/check.ts';
import { Evaluator } from '../../src/evidence/evaluate.ts';
import { exactProduct } from '../../src/exact/exact.ts';
import { computationIn } from '../../src/gpu/computation.ts';
import type { OpenDevice } from '../../src/gpu/device.ts';
import { openNodeDevice } from '../../src/gpu/node/open.ts';
import { colorsFor, lookFor } from '../../src/pages/node/colors.ts';
import { startProgress } from '../../src/pages/progress.ts';
import { precisions } from '../../src/precision/precisions.ts';
import type { Case } from '../../src/problem/case.ts';
import { ranges } from '../../src/problem/ranges.ts';
import { kernelOf } from '../../src/run/kernel-of.ts';
import { Scheduler } from '../../src/run/scheduler.ts';
import { honestCaseOf, honestCases } from './cases.ts';
import { inJobs } from './jobs.ts';
import { joinOutcomes } from './join.ts';
import { honestKernel } from './kernels.ts';
import { honestRun } from './run.ts';
import { honestText } from './text.ts';

const CASES = { least: 1, most: 10_000_000, whole: true, need: 'a whole number from 1 to 10000000' };

/**
 * Judges honest kernels by the checks of the gate: whatever fails is a false alarm, or a defect of ours.
 * @returns the exit code.
 * @throws ParanoiaError `bad-number`, `conflicting-options` and those of opening a device and of reading a case.
 */
export async function runHonest(flags: Flags): Promise<number> {
  const { seed, only, count, jobs } = asked(flags);
  const { adapter, ...outcome } = jobs === 1 ? await inHere(flags, seed, count, only) : await together(flags);
  if (flags.json === true) console.log(JSON.stringify({ adapter, seed, ...outcome }, undefined, 2));
  else console.log(`On ${adapter}, seed ${seed}: ${honestText(outcome, lookFor(process.stdout))}`);
  if (outcome.alarms.length + outcome.unmade.length > 0) return EXIT.fail;
  return outcome.interrupted ? EXIT.inconclusive : EXIT.pass;
}

/** Judges in several processes, of seeds that follow each other. */
async function together(flags: Flags) {
  const { seed, count, jobs } = asked(flags);
  const seeds = Array.from({ length: jobs }, (_, at) => seed + at);
  const { adapter, toggles } = deviceOf(flags);
  const more = [
    ...(adapter === undefined ? [] : ['--adapter', adapter]),
    ...toggles.flatMap((toggle) => ['--toggle', toggle]),
  ];
  const outcomes = await inJobs(seeds, count, more);
  return { adapter: outcomes[0].adapter, ...joinOutcomes(outcomes) };
}

async function inHere(flags: Flags, seed: number, count: number, only: readonly Case[] | undefined) {
  const wanted = deviceOf(flags);
  const open = await openNodeDevice(wanted);
  const stop = stopper(undefined);
  try {
    const cases = only ?? honestCases(count, seed, await servedBy(open));
    const progress = startProgress({
      stream: process.stderr,
      planned: count,
      colors: colorsFor(process.stderr),
    });
    const judge = judgeOn(open, wanted);
    const outcome = await honestRun(cases, {
      judge: (batch) => judge.judge(batch),
      sigmas: defaultThresholds.sigmas,
      onCase: progress.done,
      stop: stop.asked,
    });
    progress.finish();
    return { adapter: open.fingerprint.name, ...outcome };
  } finally {
    stop.release();
    open.close();
  }
}

/** The case that is asked for, or how many are drawn from which seed. */
function asked({ case: text, cases, seed: given, jobs: wanted }: Flags) {
  const seed = given === undefined ? 1 : parseNumber('--seed', given, ranges.seed);
  const jobs = wanted === undefined ? 1 : parseNumber('--jobs', wanted, ranges.jobs);
  if (text === undefined)
    return {
      ...{ seed, jobs, only: undefined },
      count: cases === undefined ? 1000 : parseNumber('--cases', cases, CASES),
    };
  const other = cases !== undefined ? '--cases' : wanted !== undefined ? '--jobs' : undefined;
  if (other !== undefined) throw conflictingOptions({ one: '--case', other });
  return { seed, jobs, only: [honestCaseOf(parseText('--case', text))], count: 1 };
}

function judgeOn(open: OpenDevice, wanted: ReturnType<typeof deviceOf>): Scheduler {
  return new Scheduler({
    machine: open,
    reopen: () => openNodeDevice(wanted),
    evaluator: new Evaluator(exactProduct),
    kernelOf: async (choice, machine) => honestKernel(choice) ?? kernelOf(choice, machine),
    replay: (text) =>
      `npm run -s ${/kernel=[^;]*:/.test(text) ? 'paranoia -- gate' : 'lab -- honest'} --case '${text}'`,
  });
}

/** The precisions that a device serves; says which it does not. */
async function servedBy(open: OpenDevice) {
  const served: string[] = [];
  for (const precision of precisions.items) {
    try {
      await computationIn(open, precision);
      served.push(precision.name);
    } catch (error) {
      if (!(error instanceof ParanoiaError) || error.code !== 'precision-unserved') throw error;
      say(error.message);
    }
  }
  return served;
}
