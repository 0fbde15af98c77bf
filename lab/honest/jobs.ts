import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { EXIT } from '../../src/base/errors.ts';
import { honestJobLost } from '../messages.ts';
import type { HonestOutcome } from './run.ts';

/** The output of a process with `--json`. */
type Printed = HonestOutcome & { readonly adapter: string };

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

/**
 * Judges cases in several processes, each with its own seed.
 * @param more flags for all of them, such as `--adapter`
 * @throws ParanoiaError `honest-job-lost`
 */
export function judgeInJobs(
  seeds: readonly number[],
  cases: number,
  more: readonly string[],
): Promise<Printed[]> {
  const each = (at: number) =>
    Math.floor((cases * (at + 1)) / seeds.length) - Math.floor((cases * at) / seeds.length);
  return Promise.all(
    seeds.map((seed, at) => inJob(seed, ['--cases', `${each(at)}`, '--seed', `${seed}`, ...more])),
  );
}

async function inJob(seed: number, flags: readonly string[]): Promise<Printed> {
  const args = ['--import', 'jiti/register', MAIN, 'honest', '--json', ...flags];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const [printed, said, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ]);
  const hasEnded = [EXIT.pass, EXIT.fail, EXIT.inconclusive].some((one) => one === code);
  if (!hasEnded || printed === '') throw honestJobLost({ seed, why: said.trim().split('\n').at(-1) ?? '' });
  return JSON.parse(printed);
}
