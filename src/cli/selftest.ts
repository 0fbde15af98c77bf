import { EXIT, ParanoiaError } from '../base/errors.ts';
import type { Flags } from '../config/flags.ts';
import { deviceOf, parseList, parseNumber } from '../config/flags.ts';
import { conflictingOptions, missingOption } from '../config/messages.ts';
import { defaultThresholds } from '../evidence/checks/check.ts';
import { Evaluator } from '../evidence/evaluate.ts';
import { exactProduct } from '../exact/exact.ts';
import { type FaultOutcome, selfTest } from '../gate/self-test.ts';
import { isAsExpected, summarise } from '../gate/self-test-summary.ts';
import { compareBinary64 } from '../gpu/compare-f64.ts';
import { computationIn } from '../gpu/computation.ts';
import type { OpenDevice } from '../gpu/device.ts';
import { openNodeDevice } from '../gpu/node/open.ts';
import { faults, findFault, rungs } from '../kernels/faults/faults.ts';
import { colorsFor, lookFor } from '../pages/node/colors.ts';
import { precisions } from '../precision/precisions.ts';
import { ranges } from '../problem/ranges.ts';
import { counted } from '../report/numbers.ts';
import { kernelOf } from '../run/kernel-of.ts';
import { Scheduler } from '../run/scheduler.ts';
import { vainOption } from './messages.ts';
import { printTables } from './print-tables.ts';
import { invocation } from './program.ts';
import { say } from './say.ts';
import { classTables, faultJson, faultText, honestText, verdictText } from './selftest-text.ts';
import { stopper } from './stopper.ts';

/** What the command does instead of planting faults. */
const INSTEAD = {
  honest: judgeHonest,
  binary64: compareOnDevice,
  power: async (flags: Flags) => (await import('./selftest-power.ts')).runPower(flags),
  history: async (flags: Flags) => (await import('./selftest-history.ts')).runHistory(flags),
};

/** @returns the exit code. */
export async function runSelfTest(flags: Flags): Promise<number> {
  const [one, other] = (['honest', 'binary64', 'power', 'history', 'fault'] as const).filter(
    (name) => flags[name] !== undefined,
  );
  if (other !== undefined) throw conflictingOptions({ one: `--${one}`, other: `--${other}` });
  const forHistory = (['runs', 'jobs'] as const).find((name) => flags[name] !== undefined);
  if (one !== 'history' && forHistory !== undefined) {
    throw missingOption({ option: '--history', need: `ids or none, because --${forHistory} is for it` });
  }
  if (one !== undefined && one !== 'fault') return INSTEAD[one](flags);
  if (flags.seed !== undefined) throw vainOption({ option: '--seed', without: '--honest or --binary64' });
  return plantFaults(flags);
}

const seedOf = ({ seed }: Flags) => (seed === undefined ? 1 : parseNumber('--seed', seed, ranges.seed));

async function plantFaults(flags: Flags): Promise<number> {
  const { fault, json } = flags;
  const planted = fault === undefined ? [...faults, ...rungs] : parseList('--fault', fault).map(findFault);
  const open = await openNodeDevice(deviceOf(flags));
  const onFault = (outcome: FaultOutcome) => {
    if (json !== true) console.log(faultText(outcome));
  };
  if (json !== true)
    console.log(`On ${open.fingerprint.name}: ${counted(planted.length, 'planted fault')}.\n`);
  const stop = stopper(undefined);
  try {
    const evaluator = new Evaluator(exactProduct);
    const outcomes = await selfTest(open, evaluator, { planted, onFault, stop: stop.asked });
    if (json === true) {
      const adapter = open.fingerprint.name;
      const found = { adapter, faults: outcomes.map(faultJson), classes: summarise(outcomes) };
      console.log(JSON.stringify(found, undefined, 2));
    } else {
      printTables(...classTables(outcomes));
      console.log(`\n${verdictText(outcomes)}`);
    }
    if (!outcomes.every(isAsExpected)) return EXIT.fail;
    return outcomes.length === planted.length ? EXIT.pass : EXIT.inconclusive;
  } finally {
    stop.release();
    open.close();
  }
}

async function judgeHonest(flags: Flags): Promise<number> {
  const [{ honestCaseOf, honestCases }, { honestKernel }, { honestRun }, { startProgress }] =
    await Promise.all([
      import('../gate/honest-cases.ts'),
      import('../gate/honest-kernels.ts'),
      import('../gate/honest-run.ts'),
      import('../pages/progress.ts'),
    ]);
  const honest = String(flags.honest);
  const only = honest.includes('=') ? [honestCaseOf(honest)] : undefined;
  const count = only?.length ?? parseNumber('--honest', flags.honest, ranges.honest);
  const seed = seedOf(flags);
  const wanted = deviceOf(flags);
  const open = await openNodeDevice(wanted);
  const judge = new Scheduler({
    machine: open,
    reopen: () => openNodeDevice(wanted),
    evaluator: new Evaluator(exactProduct),
    kernelOf: async (choice, machine) => honestKernel(choice) ?? kernelOf(choice, machine),
    replay: (text) =>
      `${invocation()} ${/kernel=[^;]*:/.test(text) ? 'gate --case' : 'selftest --honest'} '${text}'`,
  });
  const cases = only ?? honestCases(count, seed, await servedBy(open));
  const progress = startProgress({
    stream: process.stderr,
    planned: count,
    colors: colorsFor(process.stderr),
  });
  const stop = stopper(undefined);
  try {
    const outcome = await honestRun(cases, {
      judge: (batch) => judge.judge(batch),
      sigmas: defaultThresholds.sigmas,
      onCase: progress.done,
      stop: stop.asked,
    });
    progress.finish();
    const { name } = open.fingerprint;
    if (flags.json === true) console.log(JSON.stringify({ adapter: name, seed, ...outcome }, undefined, 2));
    else console.log(`On ${name}, seed ${seed}: ${honestText(outcome, lookFor(process.stdout))}`);
    if (outcome.alarms.length > 0) return EXIT.fail;
    return outcome.interrupted ? EXIT.inconclusive : EXIT.pass;
  } finally {
    stop.release();
    open.close();
  }
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

async function compareOnDevice(flags: Flags): Promise<number> {
  const { binary64, json } = flags;
  const random = parseNumber('--binary64', binary64, ranges.patterns);
  const options = { random, seed: seedOf(flags) };
  const open = await openNodeDevice(deviceOf(flags));
  const { compared, mismatches, first } = await compareBinary64(open, options);
  open.close();
  const { name } = open.fingerprint;
  if (json === true)
    console.log(JSON.stringify({ adapter: name, compared, mismatches, first }, undefined, 2));
  else {
    console.log(`On ${name}: ${compared} results of binary64 sums, products and multiply-adds compared.`);
    console.log(mismatches === 0 ? 'All have the same bits.' : `${mismatches} differ; the first: ${first}`);
  }
  return mismatches === 0 ? EXIT.pass : EXIT.fail;
}
