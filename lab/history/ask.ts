import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXIT } from '../../src/base/errors.ts';
import type { Results } from '../../src/run/results.ts';
import type { CommandFinding, HistoricBug, HistoryCommand } from './rates.ts';

const FIXTURES = new URL('../../fixtures/history/', import.meta.url);
const CONFIG = fileURLToPath(new URL('paranoia.config.js', FIXTURES));

/** The time limit of a command for one kernel, in seconds. */
const CEILING = 900;

/** The bugs, in the order of their files. */
export async function historicBugs(): Promise<readonly HistoricBug[]> {
  return (await import(new URL('bugs.js', FIXTURES).href)).bugs;
}

/** Options of the commands, in addition to the kernel. */
export interface HistoryRunOptions {
  /** Flags that all three commands get: an adapter, a seed. */
  readonly common: readonly string[];
  /** Runs of fuzz. @defaultValue fuzz's own */
  readonly runs?: number | undefined;
}

/**
 * Runs a command on a kernel as its author would: in a process of its own, with the config that defines the kernel, without
 * baselines and without failures of earlier runs.
 */
export async function askOfHistory(
  command: HistoryCommand,
  { id }: HistoricBug,
  { common, runs }: HistoryRunOptions,
): Promise<CommandFinding> {
  const folder = await mkdtemp(join(tmpdir(), 'gemm-paranoia-history-'));
  const start = performance.now();
  try {
    const own = {
      gate: ['--out', folder],
      fuzz: [
        '--out',
        folder,
        '--corpus',
        join(folder, 'corpus'),
        ...(runs === undefined ? [] : ['--runs', `${runs}`]),
      ],
      inspect: ['--json'],
    }[command];
    const { code, text } = await run(
      [command, '--config', CONFIG, '--kernel', id, ...own, ...common],
      folder,
    );
    const seconds = (performance.now() - start) / 1000;
    if (code !== EXIT.pass && code !== EXIT.fail) return { caught: undefined, at: lastLine(text), seconds };
    if (command === 'inspect') return { ...inInspection(JSON.parse(text)), seconds };
    const results = JSON.parse(await readFile(join(folder, 'results.json'), 'utf8')) as Results;
    const { adapter, seed, summary } = results;
    const found = code === EXIT.fail ? inResults(results) : { caught: false };
    return { ...found, cases: summary.run, on: { adapter: adapter.name, seed }, seconds };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs this program. @returns its exit code and its output, or its error if it crashed */
function run(args: readonly string[], cwd: string): Promise<{ code: number | undefined; text: string }> {
  const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
  const env = { ...process.env, GITHUB_STEP_SUMMARY: '' };
  const limits = { timeout: CEILING * 1000, maxBuffer: 2 ** 30 };
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { cwd, env, ...limits }, (error, stdout, stderr) => {
      if (error === null) resolve({ code: EXIT.pass, text: stdout });
      else if (error.code === EXIT.fail) resolve({ code: EXIT.fail, text: stdout });
      else resolve({ code: undefined, text: error.killed ? `no answer within ${CEILING} s` : stderr });
    });
  });
}

type Found = Omit<CommandFinding, 'seconds'>;

/** The first failure of a run of the gate or of fuzz: a drawn case, one of the campaign, or a claim that inspection disproved. */
function inResults({ cases, fuzz, inspections = [], reason }: Results): Found {
  const [finding] = fuzz?.findings ?? [];
  if (finding !== undefined) return { caught: true, check: finding.check, at: shortened(finding.case) };
  const number = cases.findIndex(({ verdict }) => verdict === 'fail');
  if (number >= 0) {
    const { checks, case: text } = cases[number];
    const check = checks.find(({ status }) => status === 'fail')?.name;
    const at = `${shortened(text)} (case ${number + 1} of ${cases.length})`;
    return { caught: true, ...(check === undefined ? {} : { check }), at };
  }
  const disproved = inInspection({ inspections });
  return disproved.caught === true ? disproved : { caught: true, at: reason };
}

function inInspection({ inspections = [] }: Pick<Results, 'inspections'>): Found {
  const [first] = inspections.flatMap(({ contradictions = [] }) => contradictions);
  return first === undefined ? { caught: false } : { caught: true, check: 'inspection', at: first };
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';

/** Removes the fields that all cases of such a kernel share. */
const shortened = (text: string) => text.replace(/^kernel=[^;]*;levels=0;fringe=pad;tail=mask;/, '');
