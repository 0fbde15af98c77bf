import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Results } from '../../src/run/results.ts';

const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** The output and the exit of a command. */
export interface Ran {
  readonly code: number | null;
  readonly out: string;
}

/** A running command. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ran>;
}

/** Starts a command of the build in a folder. */
export function start(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Running {
  const options = { cwd, env: { ...process.env, ...env } };
  const child = spawn(process.execPath, [MAIN, ...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => {
      out += bytes;
    });
  }
  const ended = new Promise<Ran>((resolve) => child.on('close', (code) => resolve({ code, out })));
  return { child, ended };
}

/**
 * Waits until a condition holds.
 * @throws Error with the command's output if the command ends first
 */
export async function holdsBeforeEnd(condition: () => boolean, { ended }: Running): Promise<void> {
  let ran: Ran | undefined;
  ended.then((all) => {
    ran = all;
  });
  while (!condition()) {
    if (ran !== undefined) throw new Error(`The command ended with ${ran.code} too early: ${ran.out}`);
    await seconds(0.1);
  }
}

/** Runs a command of the build. @throws Error if its exit code is not expected */
export async function run(
  cwd: string,
  args: readonly string[],
  codes: readonly number[] = [0],
): Promise<string> {
  const { code, out } = await start(cwd, args).ended;
  if (code !== null && codes.includes(code)) return out;
  throw new Error(`${args.join(' ')} ended with ${code}: ${out}`);
}

/** Keys that depend on the run instead of the judged kernels; without a machine examples are not shrunk. */
const OF_THE_RUN = ['seconds', 'judgingSeconds', 'createdAt', 'command', 'smallerExample', 'shard'];

/** The results that a command wrote, without the keys that depend on the run. */
export const resultsIn = (folder: string): Results =>
  JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'), (key, value: unknown) =>
    OF_THE_RUN.includes(key) ? undefined : value,
  );

/** A temporary folder, which the caller removes. */
export function workplace(name: string): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The path of a program, if it is installed. */
export const installed = (program: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path));

/** A free port of this machine. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

/** A private broker, which saves its state in a file. */
export interface Broker {
  readonly url: string;
  /** Kills it without warning, as a power failure would. */
  kill(): Promise<void>;
  /** Restarts it from its saved state. */
  restart(): Promise<void>;
}

/** Starts a broker in a folder. @param program the path of redis-server or valkey-server */
export async function startBroker(program: string, folder: string): Promise<Broker> {
  const port = await freePort();
  const args = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--appendonly',
    'yes',
    '--save',
    '',
  ];
  let child: ChildProcess;
  const begin = () =>
    new Promise<void>((resolve, reject) => {
      child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      child.on('error', reject);
      child.stdout?.on('data', (text: Buffer) => {
        if (/ready to accept connections/i.test(text.toString())) resolve();
      });
    });
  await begin();
  return {
    url: `redis://127.0.0.1:${port}`,
    kill: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
    restart: begin,
  };
}

export const seconds = (count: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, 1000 * count));

/** The version of a program, as one line. */
export const versionOf = (program: string): Promise<string> =>
  new Promise((resolve) => execFile(program, ['--version'], (_, out) => resolve(out.trim())));
