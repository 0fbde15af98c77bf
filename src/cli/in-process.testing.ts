import { vi } from 'vitest';
import { ParanoiaError } from '../base/errors.ts';
import type { Commands } from '../options/command.ts';
import { parseCall } from '../options/node/parse.ts';
import { commands } from './commands.ts';

/** The exit code and the output of a command. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Variables that affect the output of commands, and may be set where tests run. */
const UNSET = {
  CI: undefined,
  COLUMNS: undefined,
  GITHUB_ACTIONS: undefined,
  GITHUB_STEP_SUMMARY: undefined,
  npm_package_name: undefined,
};

/**
 * Runs a command in this process and in a folder, as `main` does. A process of its own would load all modules and compile all
 * shaders again, which is much slower.
 */
export async function runHere(
  cwd: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<CommandResult> {
  const before = process.cwd();
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockReturnValue(true),
  );
  const logged = vi
    .spyOn(console, 'log')
    .mockImplementation((text: unknown) => void process.stdout.write(`${text}\n`));
  for (const [key, value] of Object.entries({ ...UNSET, ...env })) vi.stubEnv(key, value);
  process.chdir(cwd);
  try {
    const code = await runCommand(args).catch(told);
    const [stdout, stderr] = spies.map(({ mock }) => mock.calls.map(([text]) => text).join(''));
    return { code, stdout, stderr };
  } finally {
    process.chdir(before);
    vi.unstubAllEnvs();
    for (const spy of [logged, ...spies]) spy.mockRestore();
  }
}

/** Runs a command in this process. @throws the command's errors */
export async function runCommand(words: readonly string[], known: Commands = commands): Promise<number> {
  const call = parseCall('gemm-paranoia', known, words);
  if ('asks' in call) throw new Error(`${call.asks} is answered by the command line.`);
  return call.command.run(call.values, call.args);
}

function told(error: unknown): number {
  if (!(error instanceof ParanoiaError)) throw error;
  process.stderr.write(`${error.message}\n`);
  return error.exitCode;
}
