import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Role } from './kinds.ts';
import type { Workspace } from './workspace.ts';

/** The fault of one run. */
export interface Suffering {
  readonly steps: readonly string[];
  readonly role: Role;
  /** The number of the failing step, from 1 on; 0 to count steps. */
  readonly at: number;
  readonly how: string;
}

/** The outcome of a run. */
export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** True if it had to be killed. */
  readonly hung: boolean;
  /** Commands of processes that it left running, which are then killed. */
  readonly left: readonly string[];
  /** The counted steps, or the failing step: its kind and its subject. */
  readonly steps: readonly string[];
}

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const PRELOAD = new URL('./preload.mjs', import.meta.url).href;
/** The time limit of a run in seconds; it takes less than four. */
const LIMIT = 90;
/** Milliseconds in which orphans notice the end of their parent. */
const NOTICING = 3000;
/** The least allocation that counts, in bytes. */
const BYTES = 1024;

/** Runs a command in a folder; a variable in the environment marks its processes. */
export async function runOnce(
  args: readonly string[],
  { root, cwd, env }: Workspace,
  suffering?: Suffering,
): Promise<Ran> {
  const log = join(root, 'steps');
  const { steps: counted = [], ...fault } = suffering ?? {};
  const plan = JSON.stringify({ log, root, kinds: counted, bytes: BYTES, ...fault });
  const added = { PARANOIA_FAULT: plan, ...(suffering && { NODE_OPTIONS: `--import ${PRELOAD}` }) };
  const child = spawn(process.execPath, [MAIN, ...args], {
    ...{ cwd, env: { ...env, ...added }, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  });
  const [stdout, stderr]: string[][] = [[], []];
  child.stdout?.setEncoding('utf8').on('data', (text) => stdout.push(text));
  child.stderr?.setEncoding('utf8').on('data', (text) => stderr.push(text));
  let hung = false;
  const late = setTimeout(() => {
    hung = true;
    endGroup(child.pid);
  }, 1000 * LIMIT);
  const closed = new Promise((resolve) => child.on('close', resolve));
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.on('exit', (...how) => resolve(how));
  });
  clearTimeout(late);
  const left = await leftBehind(log);
  await closed;
  const steps = existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : [];
  return { code, signal, stdout: stdout.join(''), stderr: stderr.join(''), hung, left, steps };
}

function endGroup(pid: number | undefined): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL');
}

/** Commands of a run's processes that still run after a while; they are killed. */
export async function leftBehind(mark: string): Promise<string[]> {
  const end = performance.now() + NOTICING;
  let found = running(mark);
  while (found.length > 0 && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    found = running(mark);
  }
  for (const { pid } of found) process.kill(pid, 'SIGKILL');
  return found.map(({ command }) => command);
}

/** Processes whose environment contains a text; visible only on Linux. */
function running(mark: string): { pid: number; command: string }[] {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`"${mark}"`)) return [];
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, 2).join(' ');
        return command === '' ? [] : [{ pid: Number(pid), command }];
      } catch {
        // The process has ended, or belongs to another user.
        return [];
      }
    });
}
