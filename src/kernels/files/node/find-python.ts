import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type EnvironmentVariables, searchPath } from '../../../base/node/search-path.ts';
import { noPython } from '../../messages.ts';

const isWindows = process.platform === 'win32';

/** Variables that name an active virtual environment. */
const ACTIVE = ['VIRTUAL_ENV', 'CONDA_PREFIX'] as const;
const ofEnvironment = (folder: string) =>
  isWindows ? join(folder, 'Scripts', 'python.exe') : join(folder, 'bin', 'python');

/**
 * Finds the Python interpreter for a file: the one that is named, that of PARANOIA_PYTHON, that of the active virtual environment, else
 * python3 or python of the path.
 * @throws ParanoiaError `no-python`
 */
export function findPython(file: string, named?: string, env: EnvironmentVariables = process.env): string {
  const said = named || env.PARANOIA_PYTHON;
  if (said) {
    const found = isPath(said) ? [said].find(isFile) : inPath(said, env);
    if (found !== undefined) return found;
    const where = named ? '--python' : 'PARANOIA_PYTHON';
    throw noPython({ file, why: `${said}, given by ${where}, does not exist` });
  }
  const active = ACTIVE.flatMap((name) => env[name] || []).map(ofEnvironment);
  const found = active.find(isFile) ?? inPath('python3', env) ?? inPath('python', env);
  if (found !== undefined) return found;
  throw noPython({ file, why: 'neither python3 nor python is in PATH' });
}

const isPath = (name: string) => /[\\/]/.test(name);

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

function inPath(name: string, env: EnvironmentVariables): string | undefined {
  const names = isWindows ? [`${name}.exe`, name] : [name];
  return searchPath(env)
    .flatMap((folder) => names.map((one) => join(folder, one)))
    .find(isFile);
}
