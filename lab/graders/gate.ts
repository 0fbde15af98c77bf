import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXIT } from '../../src/base/errors.ts';
import type { Results } from '../../src/run/results.ts';
import { configOf, type SourcedKernel } from './corpora.ts';
import type { GraderOutcome } from './outcome.ts';

/** Budgets of our own gate, as graders. */
export const gateBudgets = { gate: 'usual', 'gate-quick': 'quick' } as const;
export type GateGrader = keyof typeof gateBudgets;

/** The time limit of a gate in seconds. */
const CEILING = 900;

/** Runs the default gate on a kernel in a process of its own, as the kernel's author would. */
export async function runDefaultGate(
  grader: GateGrader,
  { name, source }: SourcedKernel,
  seed: number,
): Promise<GraderOutcome> {
  const folder = await mkdtemp(join(tmpdir(), 'gemm-paranoia-graders-'));
  const start = performance.now();
  try {
    const config = join(folder, 'paranoia.config.mjs');
    await writeFile(config, configOf(source));
    const args = ['gate', '--config', config, '--kernel', name, '--out', folder, '--seed', `${seed}`];
    const code = await run([...args, '--budget', gateBudgets[grader]], folder);
    const seconds = (performance.now() - start) / 1000;
    const said = await found(join(folder, 'results.json'));
    const isDecided = code === EXIT.pass || code === EXIT.fail || code === EXIT.crash;
    const caught = code === EXIT.fail || code === EXIT.crash;
    const own = { specimen: name, grader, ...said, caught, work: 0, seconds };
    return isDecided ? own : { ...own, isUndecided: true };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The number of cases of a run, and the first failure. */
async function found(file: string): Promise<Pick<GraderOutcome, 'products' | 'why'>> {
  const results = (await readFile(file, 'utf8').then(JSON.parse, () => undefined)) as Results | undefined;
  if (results === undefined) return { products: 0 };
  const failed = results.cases.find(({ verdict }) => verdict === 'fail');
  const check = failed?.checks.find(({ status }) => status === 'fail')?.name;
  const why = failed === undefined ? undefined : `${check ?? 'no product'} at ${failed.case}`;
  return { products: results.summary.run, ...(why === undefined ? {} : { why }) };
}

/** Runs this program. @returns its exit code; undefined if it had to be killed */
function run(args: readonly string[], cwd: string): Promise<number | undefined> {
  const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
  const env = { ...process.env, CI: '', GITHUB_STEP_SUMMARY: '' };
  const limits = { timeout: CEILING * 1000, maxBuffer: 2 ** 28 };
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { cwd, env, ...limits }, (error) => {
      if (error === null) resolve(EXIT.pass);
      else resolve(typeof error.code === 'number' ? error.code : undefined);
    });
  });
}
