import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { lookUp } from '../../base/look-up.ts';
import { type Environment, isExecutable, searchPath } from '../../base/node/search-path.ts';
import { runtimeMissing } from '../messages.ts';
import type { Runtime } from './runtime.ts';

const ENDINGS = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];

/**
 * The program that a variable names, else one of the path, of the packages of this project, or where it is installed otherwise.
 * @throws ParanoiaError `runtime-missing`
 */
export function findRuntime(runtime: Runtime, env: Environment = process.env, cwd = process.cwd()): string {
  const { name, variable, commands, places, install } = runtime;
  const refuse = (...tried: string[]) => runtimeMissing({ runtime: name, tried, variable, install });
  const named = lookUp(env, variable);
  if (named) {
    if (isProgram(named)) return named;
    throw refuse(`${variable} says ${named}, which is no program`);
  }
  const all = [...searchPath(env), ...packageFolders(cwd)].flatMap((folder) =>
    commands.flatMap((command) => ENDINGS.map((ending) => join(folder, `${command}${ending}`))),
  );
  const found = [...all, ...places].find(isProgram);
  if (found !== undefined) return found;
  throw refuse(`${commands.join(' or ')} is not in the path`);
}

/** Where packages of a project, and of those around it, have their programs. */
function packageFolders(folder: string): string[] {
  const above = dirname(folder);
  const own = join(folder, 'node_modules', '.bin');
  return above === folder ? [own] : [own, ...packageFolders(above)];
}

function isProgram(path: string): boolean {
  return isExecutable(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Milliseconds in which a program says its version. */
const SAYING = 30_000;

/** The version that a program says with --version, if it does. */
export async function versionOf(path: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: SAYING });
    return /\d+(?:\.\d+)+\w*/.exec(stdout)?.[0];
  } catch {
    // It may judge all the same, and what it calls itself tells its version less exactly.
    return undefined;
  }
}
