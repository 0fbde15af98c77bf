import { EXIT } from '../../base/errors.ts';
import { say } from '../../base/node/say.ts';
import { writeWhole } from '../../base/node/write-file.ts';
import { defaultThresholds } from '../../evidence/checks/check.ts';
import { Evaluator } from '../../evidence/evaluate.ts';
import { openExactPool } from '../../exact/node/pool.ts';
import { runCampaign } from '../../fuzz/campaign.ts';
import { type Target, targetOf } from '../../fuzz/target.ts';
import { defaultCampaign } from '../../gate/campaign.ts';
import { defaultSample } from '../../gate/default-sample.ts';
import { planCampaign } from '../../gate/plan-campaign.ts';
import type { OpenDevice } from '../../gpu/device.ts';
import { openNodeDevice } from '../../gpu/node/open.ts';
import { candidates } from '../../gpu/tuning/candidates.ts';
import { timeLeaves } from '../../gpu/tuning/time-leaves.ts';
import { leaves } from '../../gpu/wgsl/leaves/leaves.ts';
import { inputs } from '../../inputs/inputs.ts';
import { builtinNames } from '../../kernels/builtin-plan.ts';
import { colorsFor } from '../../pages/node/colors.ts';
import { startProgress } from '../../pages/progress.ts';
import { formatCount } from '../../report/numbers.ts';
import { columnsOf, digitsCell, type Table } from '../../report/table.ts';
import { noBaselines } from '../../run/baselines.ts';
import { jsonFile } from '../../run/node/stored-folder.ts';
import { runGate } from '../../run/run-gate.ts';
import { Scheduler } from '../../run/scheduler.ts';
import { printTables } from '../print-tables.ts';
import type { OverviewRequest } from './options.ts';

/** The time of one leaf kernel on the device, in seconds. */
interface LeafRow {
  readonly leaf: string;
  readonly what: string;
  readonly least: number;
  readonly median: number;
  readonly most: number;
}

/** Times the default gate, fuzzing and the leaf kernels; prints peak memory. @returns the exit code */
export async function runOverview(request: OverviewRequest): Promise<number> {
  const { size = 512, runs = 5, json, adapter, toggles } = request;
  const file = await jsonFile(json);
  const wanted = { adapter, toggles };
  const reopen = () => openNodeDevice(wanted);
  const open = await reopen();
  say(`On ${open.fingerprint.name} (${open.chosenBecause}).`);
  const gated = request.noGate !== true ? await timeGate(open, reopen) : undefined;
  const fuzzed = request.noFuzz !== true ? await timeFuzz(open, reopen) : undefined;
  const times = await timesOf(open, size, runs);
  const peak = process.resourceUsage().maxRSS * 1024;
  open.close();
  const all = { adapter: open.fingerprint, gate: gated, fuzz: fuzzed, size, runs, leaves: times, peak };
  const data = JSON.stringify(all, undefined, 2);
  if (file !== undefined) writeWhole(file, `${data}\n`);
  if (json === true) {
    console.log(data);
    return EXIT.pass;
  }
  console.log(`On ${open.fingerprint.name}.`);
  if (gated !== undefined) {
    console.log(
      `Default gate: ${formatCount(gated.cases, 'case')} in ${gated.seconds.toFixed(1)} s, ${gated.verdict}; ${gated.equalToModel} equal to the bit-exact model.`,
    );
    console.log(`Peak memory of the gate: ${(gated.peak / 1e6).toFixed(0)} MB.`);
  }
  if (fuzzed !== undefined) {
    const { cases, seconds, perSecond } = fuzzed;
    console.log(
      `Fuzzing up to size ${FUZZ_SIZE}: ${cases} cases in ${seconds.toFixed(1)} s, ${perSecond.toFixed(0)} a second.`,
    );
  }
  console.log();
  printTables(leafTable(times, size, runs));
  return EXIT.pass;
}

function leafTable(times: readonly LeafRow[], size: number, runs: number): Table {
  const fastest = Math.min(...times.map(({ median }) => median));
  return {
    title: `Leaf kernels, ${size}³, ${formatCount(runs, 'run')}: seconds`,
    columns: [
      ...columnsOf('text', 'leaf kernel'),
      ...columnsOf('number', 'least', 'median', 'most', 'over the fastest'),
    ],
    rows: times.map(({ leaf, least, median, most }) => [
      leaf,
      ...[least, median, most].map((seconds) => digitsCell(seconds, 4)),
      digitsCell(median / fastest),
    ]),
  };
}

async function timeGate(open: OpenDevice, reopen: () => Promise<OpenDevice>) {
  const pool = openExactPool();
  const cases = [...planCampaign(defaultCampaign), ...defaultSample(defaultCampaign)];
  const progress = startProgress({
    stream: process.stderr,
    planned: cases.length,
    colors: colorsFor(process.stderr),
  });
  const { summary, verdict } = await runGate(cases, {
    open,
    reopen,
    evaluator: new Evaluator(pool.product),
    thresholds: defaultThresholds,
    baselines: noBaselines(open.fingerprint.id),
    onCase: (result) => progress.done(result),
  });
  progress.finish();
  await pool.close();
  const peak = process.resourceUsage().maxRSS * 1024;
  return { cases: summary.run, seconds: summary.seconds, verdict, equalToModel: summary.equalToModel, peak };
}

const FUZZ_SIZE = 64;
/** The number of cases of each built-in kernel. */
const FUZZ_RUNS = 300;

/** Times a campaign over all built-in kernels, with the compilation of their shaders. */
async function timeFuzz(open: OpenDevice, reopen: () => Promise<OpenDevice>) {
  const pool = openExactPool();
  const judge = new Scheduler({ machine: open, reopen, evaluator: new Evaluator(pool.product) });
  const targets: Target[] = [];
  for (const kernel of builtinNames) targets.push(targetOf(await judge.kernel({ kernel })));
  const start = performance.now();
  const { count } = await runCampaign({
    ...{ targets, judge, seed: 1, runs: FUZZ_RUNS, stop: () => false },
    space: { maxSize: FUZZ_SIZE, families: inputs },
  });
  const seconds = (performance.now() - start) / 1000;
  await pool.close();
  return { cases: count.run, seconds, perSecond: count.run / seconds };
}

/** Leaf kernels with which the fast ones are compared. */
const PLAIN = ['naive', 'tiled-16'];

async function timesOf(open: OpenDevice, size: number, runs: number): Promise<LeafRow[]> {
  const chosen = [...leaves.filter(({ name }) => PLAIN.includes(name)), ...candidates(open)];
  const shape = { m: size, k: size, n: size };
  say(`Timing ${chosen.length} leaf kernels, ${size}³, ${formatCount(runs, 'run')} each.`);
  const { times } = await timeLeaves(open, shape, chosen, { runs, least: 0 });
  return times.map(({ leaf, seconds, median }) => {
    const what = chosen.find(({ name }) => name === leaf)?.what ?? '';
    return { leaf, what, least: Math.min(...seconds), median, most: Math.max(...seconds) };
  });
}
