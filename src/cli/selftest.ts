import type { CAC } from 'cac';
import { parseList, parseNumber, parseText } from '../config/flags.ts';
import { ranges } from '../config/ranges.ts';
import { precisionNames } from '../formats/precision.ts';
import { Judge } from '../fuzz/judge.ts';
import { defaultThresholds } from '../gate/checks/check.ts';
import { Laboratory } from '../gate/evidence.ts';
import { honestCases } from '../gate/honest-cases.ts';
import { honestRun } from '../gate/honest-run.ts';
import { type FaultOutcome, selfTest } from '../gate/self-test.ts';
import { isAsExpected, summarise } from '../gate/self-test-summary.ts';
import { computationIn } from '../gpu/computation.ts';
import type { OpenDevice } from '../gpu/device.ts';
import { openNodeDevice } from '../gpu/node/open.ts';
import { compareBinary64 } from '../gpu/numerics/compare-f64.ts';
import { faults, findFault, rungs } from '../kernel/faults/faults.ts';
import { EXIT, Problem, problem } from '../problems.ts';
import { exactProduct } from '../reference/exact.ts';
import { colorsFor } from '../report/node/colors.ts';
import { counted } from '../report/numbers.ts';
import { startProgress } from '../report/progress.ts';
import { invocation } from './invocation.ts';
import { classesText, faultJson, faultText, honestText, verdictText } from './selftest-text.ts';
import { stopper } from './stopper.ts';

/** Adds the command `selftest` to the command line. */
export function registerSelfTest(cli: CAC): void {
  cli
    .command('selftest', 'Plant faults in our own kernels and see the gate fail each of them')
    .option('--adapter <name>', 'hardware, software, or part of an adapter name')
    .option('--fault <names>', `Only these (default: all ${faults.length}, and ${rungs.length} by size)`)
    .option('--honest <n>', 'Instead, judge n random cases without a fault: whatever fails is a false alarm')
    .option(
      '--binary64 <n>',
      'Instead, compare binary64 on the device with this engine on n random triples of bit patterns',
    )
    .option('--seed <n>', 'Of those cases or patterns (default: 1)')
    .option('--json', 'Print JSON')
    .action(runSelfTest);
}

interface Flags {
  readonly adapter?: string;
  readonly fault?: string;
  readonly honest?: string;
  readonly binary64?: string;
  readonly seed?: string;
  readonly json?: boolean;
}

/** What the command does instead of planting faults. */
const INSTEAD = { honest: judgeHonest, binary64: compareOnDevice };

async function runSelfTest(flags: Flags): Promise<number> {
  const [one, other] = (['honest', 'binary64', 'fault'] as const).filter((name) => flags[name] !== undefined);
  if (other !== undefined) throw problem('conflicting-options', { one: `--${one}`, other: `--${other}` });
  if (one === 'honest' || one === 'binary64') return INSTEAD[one](flags);
  return plantFaults(flags);
}

const adapterOf = ({ adapter }: Flags) =>
  adapter === undefined ? undefined : parseText('--adapter', adapter);
const seedOf = ({ seed }: Flags) => (seed === undefined ? 1 : parseNumber('--seed', seed, ranges.seed));

async function plantFaults(flags: Flags): Promise<number> {
  const { fault, json } = flags;
  const planted = fault === undefined ? [...faults, ...rungs] : parseList('--fault', fault).map(findFault);
  const open = await openNodeDevice({ adapter: adapterOf(flags) });
  const onFault = (outcome: FaultOutcome) => {
    if (json !== true) console.log(faultText(outcome));
  };
  if (json !== true)
    console.log(`On ${open.fingerprint.name}: ${counted(planted.length, 'planted fault')}.\n`);
  const stop = stopper(undefined);
  try {
    const laboratory = new Laboratory(exactProduct);
    const outcomes = await selfTest(open, laboratory, { planted, onFault, stop: stop.asked });
    if (json === true) {
      const adapter = open.fingerprint.name;
      const found = { adapter, faults: outcomes.map(faultJson), classes: summarise(outcomes) };
      console.log(JSON.stringify(found, undefined, 2));
    } else console.log(`${classesText(outcomes)}\n\n${verdictText(outcomes)}`);
    if (!outcomes.every(isAsExpected)) return EXIT.fail;
    return outcomes.length === planted.length ? EXIT.pass : EXIT.inconclusive;
  } finally {
    stop.release();
    open.close();
  }
}

async function judgeHonest(flags: Flags): Promise<number> {
  const count = parseNumber('--honest', flags.honest, ranges.honest);
  const seed = seedOf(flags);
  const adapter = adapterOf(flags);
  const open = await openNodeDevice({ adapter });
  const judge = new Judge({
    machine: open,
    reopen: () => openNodeDevice({ adapter }),
    laboratory: new Laboratory(exactProduct),
    replay: (text) => `${invocation()} gate --case '${text}'`,
  });
  const cases = honestCases(count, seed, await servedBy(open));
  const progress = startProgress({
    stream: process.stderr,
    planned: count,
    colors: colorsFor(process.stderr),
  });
  const stop = stopper(undefined);
  try {
    const outcome = await honestRun(cases, {
      judge: async (batch) => (await judge.judge(batch)).map(({ result }) => result),
      sigmas: defaultThresholds.sigmas,
      onCase: progress.done,
      stop: stop.asked,
    });
    progress.finish();
    const { name } = open.fingerprint;
    if (flags.json === true) console.log(JSON.stringify({ adapter: name, seed, ...outcome }, undefined, 2));
    else console.log(`On ${name}, seed ${seed}: ${honestText(outcome)}`);
    if (outcome.alarms.length > 0) return EXIT.fail;
    return outcome.interrupted ? EXIT.inconclusive : EXIT.pass;
  } finally {
    stop.release();
    open.close();
  }
}

/** The precisions that a device serves; says which it does not. */
async function servedBy(open: OpenDevice) {
  const served: (typeof precisionNames)[number][] = [];
  for (const precision of precisionNames) {
    try {
      await computationIn(open, precision);
      served.push(precision);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'precision-unserved') throw error;
      process.stderr.write(`${error.message}\n`);
    }
  }
  return served;
}

async function compareOnDevice(flags: Flags): Promise<number> {
  const { binary64, json } = flags;
  const random = parseNumber('--binary64', binary64, ranges.patterns);
  const options = { random, seed: seedOf(flags) };
  const open = await openNodeDevice({ adapter: adapterOf(flags) });
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
