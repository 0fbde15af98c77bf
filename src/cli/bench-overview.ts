import { parseList, parseNumber, parseText } from '../config/flags.ts';
import { ranges } from '../config/ranges.ts';
import { runCampaign } from '../fuzz/campaign.ts';
import { Judge } from '../fuzz/judge.ts';
import { type Target, targetOf } from '../fuzz/target.ts';
import { noBaselines } from '../gate/baselines.ts';
import { defaultCampaign } from '../gate/campaign.ts';
import { defaultThresholds } from '../gate/checks/check.ts';
import { defaultSample } from '../gate/default-sample.ts';
import { Laboratory } from '../gate/evidence.ts';
import { planCampaign } from '../gate/plan-campaign.ts';
import { runGate } from '../gate/run-gate.ts';
import type { OpenDevice } from '../gpu/device.ts';
import { leaves } from '../gpu/leaves/leaves.ts';
import { openNodeDevice } from '../gpu/node/open.ts';
import { candidates } from '../gpu/tuning/candidates.ts';
import { timeLeaves } from '../gpu/tuning/time-leaves.ts';
import { inputs } from '../inputs/inputs.ts';
import { builtinNames } from '../kernel/builtin.ts';
import { EXIT } from '../problems.ts';
import { openExactPool } from '../reference/node/pool.ts';
import { colorsFor } from '../report/node/colors.ts';
import { writeWhole } from '../report/node/write-report.ts';
import { counted } from '../report/numbers.ts';
import { startProgress } from '../report/progress.ts';
import { jsonFile } from './json-file.ts';

/** The flags of `bench` without a word behind it. */
export interface OverviewFlags {
  readonly adapter?: unknown;
  readonly toggle?: unknown;
  readonly size?: unknown;
  readonly runs?: unknown;
  readonly gate?: unknown;
  readonly fuzz?: unknown;
  readonly json?: unknown;
}

/** Seconds on the device of one leaf kernel. */
interface LeafRow {
  readonly leaf: string;
  readonly what: string;
  readonly least: number;
  readonly median: number;
  readonly most: number;
}

/** Times the default gate, fuzzing and the leaf kernels; prints peak memory. @returns the exit code. */
export async function runOverview(flags: OverviewFlags): Promise<number> {
  const { size: givenSize, runs: givenRuns, gate, fuzz, json } = flags;
  const size = givenSize === undefined ? 512 : parseNumber('--size', givenSize, ranges.size);
  const runs = givenRuns === undefined ? 5 : parseNumber('--runs', givenRuns, ranges.runs);
  const file = await jsonFile(json);
  const wanted = {
    adapter: flags.adapter === undefined ? undefined : parseText('--adapter', flags.adapter),
    toggles: flags.toggle === undefined ? [] : parseList('--toggle', flags.toggle),
  };
  const reopen = () => openNodeDevice(wanted);
  const open = await reopen();
  process.stderr.write(`On ${open.fingerprint.name} (${open.chosenBecause}).\n`);
  const gated = gate !== false ? await timeGate(open, reopen) : undefined;
  const fuzzed = fuzz !== false ? await timeFuzz(open, reopen) : undefined;
  const times = await timesOf(open, size, runs);
  const peak = process.resourceUsage().maxRSS * 1024;
  open.close();
  const all = { adapter: open.fingerprint, gate: gated, fuzz: fuzzed, size, runs, leaves: times, peak };
  const data = JSON.stringify(all, undefined, 2);
  if (file !== undefined) await writeWhole(file, `${data}\n`);
  if (json === true) {
    console.log(data);
    return EXIT.pass;
  }
  console.log(`On ${open.fingerprint.name}.`);
  if (gated !== undefined) {
    console.log(
      `Default gate: ${counted(gated.cases, 'case')} in ${gated.seconds.toFixed(1)} s, ${gated.verdict}; ${gated.mirrorEqual} equal to the mirror.`,
    );
    console.log(`Peak memory of the gate: ${(gated.peak / 1e6).toFixed(0)} MB.`);
  }
  if (fuzzed !== undefined) {
    const { cases, seconds, perSecond } = fuzzed;
    console.log(
      `Fuzzing up to size ${FUZZ_SIZE}: ${cases} cases in ${seconds.toFixed(1)} s, ${perSecond.toFixed(0)} a second.`,
    );
  }
  const fastest = Math.min(...times.map(({ median }) => median));
  console.log(
    `\nLeaf kernels, ${size}³, ${counted(runs, 'run')}: seconds (least, median, most), median as a ratio to the fastest`,
  );
  for (const { leaf, least, median, most } of times) {
    const numbers = [least, median, most].map((seconds) => seconds.toFixed(4).padStart(9));
    console.log(`${leaf.padEnd(36)}${numbers.join('')}${(median / fastest).toFixed(1).padStart(8)}`);
  }
  return EXIT.pass;
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
    laboratory: new Laboratory(pool.product),
    thresholds: defaultThresholds,
    baselines: noBaselines(open.fingerprint.id),
    onCase: (result) => progress.done(result),
  });
  progress.finish();
  await pool.close();
  const peak = process.resourceUsage().maxRSS * 1024;
  return { cases: summary.run, seconds: summary.seconds, verdict, mirrorEqual: summary.mirrorEqual, peak };
}

const FUZZ_SIZE = 64;
/** Cases of each built-in kernel. */
const FUZZ_RUNS = 300;

/** Times a campaign over all built-in kernels, the compilation of their shaders included. */
async function timeFuzz(open: OpenDevice, reopen: () => Promise<OpenDevice>) {
  const pool = openExactPool();
  const judge = new Judge({ machine: open, reopen, laboratory: new Laboratory(pool.product) });
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

/** Leaf kernels beside which the fast ones are seen. */
const PLAIN = ['naive', 'tiled-16'];

async function timesOf(open: OpenDevice, size: number, runs: number): Promise<LeafRow[]> {
  const chosen = [...leaves.filter(({ name }) => PLAIN.includes(name)), ...candidates(open)];
  const shape = { m: size, k: size, n: size };
  process.stderr.write(`Timing ${chosen.length} leaf kernels, ${size}³, ${counted(runs, 'run')} each.\n`);
  const { times } = await timeLeaves(open, shape, chosen, { runs, least: 0 });
  return times.map(({ leaf, seconds, median }) => {
    const what = chosen.find(({ name }) => name === leaf)?.what ?? '';
    return { leaf, what, least: Math.min(...seconds), median, most: Math.max(...seconds) };
  });
}
