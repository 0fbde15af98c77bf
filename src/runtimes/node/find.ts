import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { lookUp } from '../../base/look-up.ts';
import { type EnvironmentVariables, isExecutable, searchPath } from '../../base/node/search-path.ts';
import { runtimeMissing } from '../messages.ts';
import type { Runtime } from './runtime.ts';

const ENDINGS = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];

/**
 * Finds the program that a variable names, else one in the path, in the packages of this project, or in the usual places.
 * @throws ParanoiaError `runtime-missing`
 */
export function findRuntime(
  runtime: Runtime,
  env: EnvironmentVariables = process.env,
  cwd = process.cwd(),
): string {
  const { name, variable, commands, places, install } = runtime;
  const refuse = (...tried: string[]) => runtimeMissing({ runtime: name, tried, variable, install });
  const named = lookUp(env, variable);
  if (named) {
    if (isProgram(named)) return named;
    throw refuse(`${variable} is ${named}, which is not a program`);
  }
  const all = [...searchPath(env), ...packageFolders(cwd)].flatMap((folder) =>
    commands.flatMap((command) => ENDINGS.map((ending) => join(folder, `${command}${ending}`))),
  );
  const found = [...all, ...places].find(isProgram);
  if (found !== undefined) return found;
  throw refuse(`${commands.join(' or ')} is not in the PATH`);
}

/** Folders with programs of a project's packages, and of those around it. */
function packageFolders(folder: string): string[] {
  const above = dirname(folder);
  const own = join(folder, 'node_modules', '.bin');
  return above === folder ? [own] : [own, ...packageFolders(above)];
}

function isProgram(path: string): boolean {
  return isExecutable(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** The time limit for a program's version in milliseconds. */
const SAYING = 30_000;

/** Asks for the version that a program prints with --version, if it prints one. */
export async function versionOf(path: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: SAYING });
    return /\d+(?:\.\d+)+\w*/.exec(stdout)?.[0];
  } catch {
    // The program may work all the same; its user agent identifies its version less exactly.
    return undefined;
  }
}
