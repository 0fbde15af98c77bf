import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { requireFile } from '../../../base/node/import-file.ts';
import { type EnvironmentVariables, searchPath } from '../../../base/node/search-path.ts';
import { lookUp } from '../../../base/objects.ts';
import { toOneLine } from '../../../base/printable.ts';
import { recordSchemaOf } from '../../../base/record-schema.ts';
import type { ProcessCommand } from '../../../sandbox/node/sandbox.ts';
import type { KernelSpec } from '../../claims.ts';
import { START_UP, waitWithin } from '../../deadline.ts';
import { endingText } from '../../host/node/child.ts';
import { type KernelSandbox, launch } from '../../host/node/launch.ts';
import { kernelUnfit, noKernelIn, noPython } from '../../messages.ts';
import type { ProgramKernel } from '../../user-kernel.ts';
import { chooseKernel } from '../exported-kernel.ts';
import type { FileOrigin } from '../file-origin.ts';

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

/** The program of this package that calls functions in Python files. */
const PROGRAM = fileURLToPath(new URL('../../../../share/programs/paranoia.py', import.meta.url));

/** The program's description of a file: the statements of its functions' decorators, or the error that prevented it. */
const description = z.union([
  z.object({
    functions: recordSchemaOf(z.record(z.string(), z.unknown())),
    callable: z.array(z.string()),
    missing: recordSchemaOf(z.string()),
  }),
  z.object({ error: z.string() }),
]);
type Description = z.infer<typeof description>;

/**
 * Returns a kernel that calls a function of two matrices in a Python file: A·B alone, unless its decorator states more. One process
 * computes all products.
 * @param by the sandbox for the process that describes an untrusted file.
 * @throws ParanoiaError `no-kernel-in`, `no-python`
 */
export async function pythonKernel(origin: FileOrigin, by: KernelSandbox = {}): Promise<ProgramKernel> {
  const { file, path, name, symbol, ways } = origin;
  requireFile(path, (why, cause) => noKernelIn({ file, why: `cannot be read: ${why}` }, cause));
  const python = findPython(file, ways.python);
  const told = await describe(python, origin, by);
  if ('error' in told) throw noKernelIn({ file, why: `cannot be used: ${told.error}` });
  const { functions, callable, missing } = told;
  const isOther = symbol !== undefined && callable.includes(symbol);
  const chosen = isOther
    ? symbol
    : chooseKernel(origin, Object.keys(functions), { what: 'function', usual: 'matmul' });
  const lacks = lookUp(missing, chosen);
  if (lacks !== undefined) throw noKernelIn({ file, why: `cannot be used: ${lacks}` });
  const said = (lookUp(functions, chosen) ?? {}) as Partial<KernelSpec>;
  const named = said.precision ?? ways.precision ?? 'f32';
  // The judge of an untrusted kernel sets its precision.
  const precision = by.confinement === undefined ? named : (ways.precision ?? 'f32');
  const device = ways.device === undefined ? [] : ['--device', ways.device];
  const wary = by.confinement === undefined ? [] : ['--wary'];
  return {
    ...said,
    ...{ name, precision },
    program: {
      command: [python, PROGRAM, 'serve', path, chosen, '--precision', precision, ...device, ...wary],
      mode: 'worker',
      cwd: dirname(path),
    },
  };
}

/** Runs a file to describe its functions. @throws ParanoiaError `no-python`, `no-kernel-in` */
async function describe(python: string, { file, path }: FileOrigin, by: KernelSandbox): Promise<Description> {
  const options = { cwd: dirname(path), timeout: 1000 * START_UP, windowsHide: true };
  const words = [PROGRAM, 'describe', path];
  try {
    if (by.confinement !== undefined) {
      const said = await outputOf({ file: python, words, env: process.env }, by);
      return description.parse(JSON.parse(said));
    }
    const { stdout } = await promisify(execFile)(python, words, options);
    return description.parse(JSON.parse(stdout));
  } catch (error) {
    const { code, killed, stderr = '' } = error as { code?: unknown; killed?: boolean; stderr?: string };
    if (killed === true)
      throw noKernelIn({ file, why: `does not finish its import within ${START_UP} s` }, error);
    if (typeof code === 'string') throw noPython({ file, why: `${python} does not start (${code})` }, error);
    const last = stderr.trim().split('\n').at(-1) ?? '';
    const how = last === '' ? '' : `, and its standard error ends with "${toOneLine(last, LONGEST)}"`;
    throw noKernelIn({ file, why: `ends ${python} during its import${how}` }, error);
  }
}

const LONGEST = 200;

/** The most bytes of output that are read. */
const MOST_OUTPUT = 2 ** 20;

/**
 * Returns the output of a sandboxed process.
 * @throws an error if it fails: `stderr` is its last output, `killed` that it took too long
 */
async function outputOf(start: ProcessCommand, by: KernelSandbox): Promise<string> {
  const launched = launch(start, { stdio: ['ignore', 'pipe', 'pipe'], speaks: true }, by);
  const parts: Buffer[] = [];
  let length = 0;
  const { stdout } = launched.process;
  const closed = new Promise<void>((resolve) => stdout?.once('close', () => resolve()));
  stdout?.on('data', (part: Buffer) => {
    length += part.length;
    if (length > MOST_OUTPUT) launched.kill();
    else parts.push(part);
  });
  try {
    const late = () => kernelUnfit({ kernel: start.file, why: `it did not end within ${START_UP} s` });
    const ending = await waitWithin(START_UP, launched.ended, late);
    await closed;
    if (ending.error === undefined && ending.code === 0 && length <= MOST_OUTPUT)
      return Buffer.concat(parts).toString();
    const why = launched.breach() ?? endingText(ending, launched.lastWords());
    throw Object.assign(new Error(why), { stderr: why });
  } finally {
    launched.kill();
  }
}
