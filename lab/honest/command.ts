import { EXIT, ParanoiaError } from '../../src/base/errors.ts';
import { say } from '../../src/base/node/say.ts';
import { createStopper } from '../../src/cli/stopper.ts';
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
import { kernelOf } from '../../src/run/kernel-of.ts';
import { Scheduler } from '../../src/run/scheduler.ts';
import { honestCaseOf, honestCases } from './cases.ts';
import { judgeInJobs } from './jobs.ts';
import { joinOutcomes } from './join.ts';
import { honestKernel } from './kernels.ts';
import type { HonestRequest } from './options.ts';
import { honestRun } from './run.ts';
import { honestText } from './text.ts';

/**
 * Judges correct kernels by the checks of the gate: a failure is a false alarm, or a bug of ours.
 * @returns the exit code
 * @throws ParanoiaError those of opening a device and of reading a case
 */
export async function runHonest(request: HonestRequest): Promise<number> {
  const { seed, only, count, jobs } = asked(request);
  const { adapter, ...outcome } =
    jobs === 1 ? await inHere(request, seed, count, only) : await together(request);
  if (request.json === true) console.log(JSON.stringify({ adapter, seed, ...outcome }, undefined, 2));
  else console.log(`On ${adapter}, seed ${seed}: ${honestText(outcome, lookFor(process.stdout))}`);
  if (outcome.alarms.length + outcome.unmade.length > 0) return EXIT.fail;
  return outcome.interrupted ? EXIT.inconclusive : EXIT.pass;
}

/** Judges in several processes, with consecutive seeds. */
async function together(request: HonestRequest) {
  const { seed, count, jobs } = asked(request);
  const seeds = Array.from({ length: jobs }, (_, at) => seed + at);
  const { adapter, toggles = [] } = request;
  const more = [
    ...(adapter === undefined ? [] : ['--adapter', adapter]),
    ...toggles.flatMap((toggle) => ['--toggle', toggle]),
  ];
  const outcomes = await judgeInJobs(seeds, count, more);
  return { adapter: outcomes[0].adapter, ...joinOutcomes(outcomes) };
}

async function inHere(
  { adapter, toggles }: HonestRequest,
  seed: number,
  count: number,
  only: readonly Case[] | undefined,
) {
  const wanted = { adapter, toggles };
  const open = await openNodeDevice(wanted);
  const stop = createStopper(undefined);
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

/** The requested case, or the number of cases to draw and the seed. */
function asked({ case: text, cases: count = 1000, seed = 1, jobs = 1 }: HonestRequest) {
  return text === undefined
    ? { seed, jobs, count, only: undefined }
    : { seed, jobs, count: 1, only: [honestCaseOf(text)] };
}

function judgeOn(open: OpenDevice, wanted: Pick<HonestRequest, 'adapter' | 'toggles'>): Scheduler {
  return new Scheduler({
    machine: open,
    reopen: () => openNodeDevice(wanted),
    evaluator: new Evaluator(exactProduct),
    kernelOf: async (choice, machine) => honestKernel(choice) ?? kernelOf(choice, machine),
    replay: (text) =>
      `npm run -s ${/kernel=[^;]*:/.test(text) ? 'paranoia -- gate' : 'lab -- honest'} --case '${text}'`,
  });
}

/** The precisions that a device serves; prints those that it does not. */
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
