import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type EnvironmentVariables, isExecutable, searchPath } from '../../base/node/search-path.ts';
import { lookUp } from '../../base/objects.ts';
import { noAdapter } from '../../gpu/messages.ts';
import { bundledSwiftShader } from '../../gpu/node/swiftshader.ts';
import { hasVulkanDriver } from '../../gpu/node/vulkan.ts';
import { clientKernels } from '../../kernels/clients/node/clients.ts';
import { TIME_LIMIT } from '../../kernels/deadline.ts';
import type { FileOrigin } from '../../kernels/files/file-origin.ts';
import type { KernelCatalog } from '../../kernels/kernel-catalog.ts';
import type { JudgeOptions, RunOutcome } from '../../run/judge.ts';
import { notInRuntime, runtimeMissing } from '../messages.ts';
import { encodeCase, type RuntimeTask } from '../wire.ts';
import { bundleUserCode, isPortable, type UserFiles } from './bundle.ts';
import { listenTo, type RuntimeCallbacks } from './listen.ts';
import type { Runtime, StartOptions } from './runtime.ts';
import { type RuntimeServer, serveRuntime } from './serve.ts';
import { type StartedRuntime, startRuntime } from './start-runtime.ts';

export interface JudgeInOptions
  extends Omit<RuntimeCallbacks, 'patience'>,
    Pick<RuntimeTask, 'judging' | 'campaign' | 'adapter' | 'replay' | 'endsEarly' | 'shrinking'>,
    Pick<JudgeOptions, 'catalog' | 'asked' | 'sample' | 'waivers'> {
  /** The user's code. */
  readonly origins: UserFiles;
  /** Toggles of Dawn. */
  readonly toggles: readonly string[];
  /** True if the standard error of the runtime is passed on. @defaultValue false */
  readonly verbose?: boolean;
}

/** Milliseconds between two checks whether the run must end. */
const ASKING = 100;

/**
 * Judges the planned cases in another runtime, by the code that judges everywhere. The runtime is ended with all that it started,
 * whatever happens.
 * @throws ParanoiaError `runtime-missing`, `runtime-not-started`, `runtime-without-gpu`, `runtime-ended`, `runtime-hangs`,
 * `not-in-runtime`, `bundler-missing`, `not-bundled`, `code-refused`, and errors of `judge` there
 */
export async function judgeIn(runtime: Runtime, options: JudgeInOptions): Promise<RunOutcome> {
  const { asked, sample, catalog, origins, toggles, stop = () => false, verbose = false } = options;
  const kernels = [...new Set([...asked, ...sample].map(({ kernel }) => kernel))];
  requirePortable(kernels, catalog, origins.files, runtime);
  const path = findRuntime(runtime);
  const software = softwareFor(runtime, options.adapter);
  const [code, version] = await Promise.all([bundleUserCode(origins, runtime), versionOf(path)]);
  const known: RuntimeTask['known'] = {
    ...(version === undefined ? {} : { dawn: `${runtime.name} ${version} (${runtime.by})` }),
    ...(typeof software === 'object' ? { origin: software.origin } : {}),
    ...{ toggles, chosenBecause: `${runtime.name} offers it` },
  };
  const task = taskOf(options, known);
  const listening = listenTo(runtime, { ...options, patience: patienceIn(catalog) });
  let served: RuntimeServer | undefined;
  let started: StartedRuntime | undefined;
  const asking = setInterval(() => stop() && served?.stop(), ASKING);
  try {
    served = await serveRuntime({ code, task, ...listening.ears });
    const { page, module } = served;
    started = startRuntime(runtime, path, { page, module, software, toggles }, verbose);
    void started.ended.then(listening.ended);
    return await listening.judged;
  } finally {
    clearInterval(asking);
    listening.close();
    await started?.end();
    served?.close();
  }
}

function taskOf(
  { asked, sample, waivers = [], ...options }: JudgeInOptions,
  known: RuntimeTask['known'],
): RuntimeTask {
  const { judging, campaign, adapter, replay, endsEarly, shrinking } = options;
  return {
    ...{ judging, campaign, adapter, replay, endsEarly, shrinking, known },
    ...{ asked: asked.map(encodeCase), sample: sample.map(encodeCase) },
    waivers: waivers.map(({ matches: _, ...waiver }) => waiver),
  };
}

/** The most products for which a case may be silent, in units of a product's time limit, and the seconds for all else. */
const [PRODUCTS, ELSE] = [10, 60];

/** The seconds for which a runtime may be silent during a case of a kernel. */
const patienceIn =
  (catalog: KernelCatalog) =>
  (kernel?: string): number => {
    const spec = kernel === undefined ? undefined : catalog.external(kernel);
    return ELSE + PRODUCTS * (spec?.timeLimit ?? TIME_LIMIT);
  };

/**
 * Refuses kernels that only Node can open: programs, foreign libraries, and files that are neither modules nor shaders.
 * @throws ParanoiaError `not-in-runtime`
 */
function requirePortable(
  kernels: readonly string[],
  catalog: KernelCatalog,
  files: readonly FileOrigin[],
  { name: runtime }: Runtime,
): void {
  for (const kernel of kernels) {
    const spec = catalog.external(kernel);
    if (spec === undefined) continue;
    const file = files.findLast(({ name }) => name === kernel);
    const refuse = (why: string) => notInRuntime({ kernel, runtime, why });
    if (file !== undefined && !isPortable(file))
      throw refuse('only JavaScript, TypeScript and WGSL files run there');
    if ('program' in spec) throw refuse('it is a program, which only Node can start');
    if (clientKernels.includes(spec)) throw refuse('its library runs only in Node');
  }
}

/**
 * Finds the software driver of a runtime, if software is requested, or on Linux without a Vulkan driver; undefined if the runtime is to
 * choose.
 * @throws ParanoiaError `no-adapter` if software is requested and there is none
 */
export function softwareFor(runtime: Runtime, wanted: RuntimeTask['adapter']): StartOptions['software'] {
  const isAlone = wanted === undefined && process.platform === 'linux' && !hasVulkanDriver();
  if (wanted !== 'software' && !isAlone) return undefined;
  if (runtime.bringsSoftware) return 'own';
  const notes: string[] = [];
  const driver = bundledSwiftShader((why) => notes.push(why));
  if (driver === undefined && wanted === 'software') throw noAdapter({ wanted, found: [], notes });
  return driver;
}

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
