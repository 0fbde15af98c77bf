import { dirname } from 'node:path';
import { Memo } from '../../base/memo.ts';
import { ownScript } from '../../base/node/invocation.ts';
import { clientKernels } from '../../kernels/clients/node/clients.ts';
import type { FileOrigin } from '../../kernels/files/file-origin.ts';
import { openInHost } from '../../kernels/host/node/open-in-host.ts';
import type { ProgramOptions } from '../../kernels/host/node/start-program.ts';
import type { KernelSession } from '../../kernels/kernel.ts';
import { flagOf } from '../../options/option.ts';
import type { DefinitionLookup } from '../../pages/live.ts';
import type { MachineOptions } from '../../run/open-machine.ts';
import { makeRunCatalog, type RunCatalog } from '../../run/run-catalog.ts';
import { kernelNames } from '../campaign-of.ts';
import type { RunRequest } from '../command-options.ts';
import type { NamedConfig } from '../config.ts';
import { badConfig } from '../messages.ts';
import { checkNames, mergeOptions, type RunOptions } from '../options.ts';
import { runOptions, thresholdOptions } from '../run-options.ts';
import type { WrongKernelHandler } from '../schema.ts';
import { type FileKernel, fileKernel, fileOrigin, fileWays, isFileReference } from './file-kernels.ts';
import { findConfig } from './find-config.ts';
import { findDefinitions } from './find-definitions.ts';
import type { LoadedConfig } from './load.ts';
import type { KernelOrigin } from './locate-kernel.ts';
import { addMentionedTables } from './mentioned-tables.ts';
import { builtinNodeItems, knownNames, type NodeItems } from './node-items.ts';
import { type KernelSource, sourcesOf } from './sources.ts';
import type { UntrustedFiles } from './untrusted-files.ts';
import type { UntrustedJudge } from './untrusted-judge.ts';

/** Options of a command, after the config and kernels have been read. */
export interface CommandOptions extends Pick<MachineOptions, 'sessionOf'> {
  readonly catalog: RunCatalog<NodeItems>;
  readonly options: RunOptions;
  /** Runs a function that reads an option of the config: its errors then name the config and the option. */
  readonly ofConfig: <T>(option: string, work: () => T) => T;
  /** Sentences on kernels in files, and on the referee. */
  readonly notes: readonly string[];
  /** Kernels that the command line names by a file, in its words: `matmul.py#matmul`. */
  readonly files: readonly string[];
  /** Places where kernels are defined: in files, or in the config. */
  readonly definedAt: DefinitionLookup;
  /** Files that define kernels: the config, and files of kernels. */
  readonly origins: { readonly config: string | undefined; readonly files: readonly FileOrigin[] };
  readonly referee?: UntrustedJudge | undefined;
  /** Everything visible that decides what kernels compute; read on demand. */
  readonly sources: () => KernelSource[];
}

/**
 * Returns the options of a command: those of its command line, else of the config, else the defaults. Kernels that can be named
 * are the built-in ones, the config's own, those of other libraries, and those in files. Kernels of files and those of `--kernel`
 * are both meant.
 * @param onWrongKernel called with each kernel of the config that has a wrong option, which is then left out; by default it is refused
 * @throws ParanoiaError config-unreadable, bad-config, bad-kernel, unknown-name, bad-number, missing-option, and those of files
 */
export async function optionsOf(
  request: RunRequest,
  onWrongKernel?: WrongKernelHandler,
): Promise<CommandOptions> {
  const untrusted =
    request.untrusted === true
      ? await (await import('./untrusted-files.ts')).untrustedFiles(request)
      : undefined;
  const referee = untrusted?.referee;
  // The kernel's author may have written the config too: it is not read.
  const {
    config,
    path,
    files = [],
    items: read,
  } = referee === undefined ? await readConfig(request, onWrongKernel) : withoutConfig;
  const ofConfig = <T>(option: string, work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (path === undefined) throw error;
      throw badConfig({ where: path, fault: `${option}: ${(error as Error).message}` }, error);
    }
  };
  const own = (config.kernels ?? []).filter((one) => typeof one !== 'string');
  const mentioned = await addMentionedTables(read, mentionedIn(request));
  const isKnown = (kernel: string) =>
    own.some(({ name }) => name === kernel) || knownNames(mentioned).kernels.includes(kernel);
  const named = await namedIn(request, isKnown, mentioned, untrusted);
  const items = await addMentionedTables(
    mentioned,
    named.files.map(({ kernel }) => kernel),
  );
  const inFiles = new Map(named.files.map(({ kernel }) => [kernel.name, kernel]));
  const others = own.filter(({ name }) => !inFiles.has(name));
  const catalog = ofConfig('kernels', () =>
    makeRunCatalog([...others, ...inFiles.values()], items, clientKernels),
  );
  const { names: kernels, inputs, reporters } = catalog;
  checkNames(named.request, { kernels, inputs: inputs.names, reporters: reporters.names });
  const said = {
    ...mergeOptions(config, named.request),
    ...(request.ours === true && named.request.kernels === undefined ? { kernels: undefined } : {}),
  };
  const options =
    referee === undefined
      ? said
      : { ...(said.cases === undefined ? { budget: 'quick' } : {}), ...said, seed: referee.secret };
  const { adapter, toggles } = options;
  const cwd = path === undefined ? process.cwd() : dirname(path);
  const verbose = request.verbose === true;
  const origins = [...files, ...named.files.map(({ origin }) => origin)];
  return {
    options,
    definedAt: findDefinitions(path, origins),
    origins: { config: path, files: origins },
    notes: [
      ...named.files.flatMap((one) => one.notes ?? []),
      ...(untrusted?.notes ?? []),
      ...(verbose ? replaced(config, request) : []),
    ],
    catalog,
    referee,
    ofConfig,
    files: named.texts,
    sources: () =>
      sourcesOf({ folder: cwd, config: path, files: origins, kernels: [...others, ...inFiles.values()] }),
    sessionOf: sessionsFor({ config: path, cwd, verbose, adapter, toggles }, origins, untrusted),
  };
}

const withoutConfig: LoadedConfig = { config: {}, items: builtinNodeItems };

/** Reads the config that a request names, or the nearest one. Where there is none, the code that reads configs is not loaded. */
async function readConfig(request: RunRequest, onWrongKernel?: WrongKernelHandler): Promise<LoadedConfig> {
  const path = request.config ?? findConfig(process.cwd());
  if (path === undefined) return withoutConfig;
  const { loadConfig } = await import('./load.ts');
  return loadConfig({ path, ways: fileWays(request), onWrongKernel });
}

/** Kernels and algorithms that a request mentions; some may be of tables of the collection. */
const mentionedIn = ({ kernels = [], algorithm }: RunRequest): readonly unknown[] => [
  ...kernelNames(kernels),
  algorithm,
];

/** Sentences on options of the config that the command line overrides. */
function replaced(config: NamedConfig, request: RunRequest): string[] {
  const { sigmas, drift } = config.thresholds ?? {};
  const configured = { ...config, sigmas, drift };
  return Object.entries({ ...runOptions, ...thresholdOptions }).flatMap(([key, option]) => {
    const [before, now] = [configured, request].map(
      (one) => one[key as keyof typeof configured & keyof RunRequest],
    );
    if (before === undefined || now === undefined) return [];
    return [`${flagOf(option)} overrides ${key} of the config.`];
  });
}

/** Kernels that a command line names, those of them that are in files, and the request with their names. */
interface Named {
  readonly request: RunRequest;
  readonly texts: readonly string[];
  readonly files: readonly FileKernel[];
}

/** @param isKnown true for names of kernels that are in no file */
async function namedIn(
  request: RunRequest,
  isKnown: (kernel: string) => boolean,
  items: NodeItems,
  untrusted?: UntrustedFiles,
): Promise<Named> {
  const { files: given = [], kernels = [] } = request;
  const listed = kernelNames(kernels);
  const isInFile = (text: string) => isFileReference(text) && !isKnown(text);
  const texts = [...new Set([...given, ...listed.filter(isInFile)])];
  if (texts.length === 0) return { request, texts, files: [] };
  const files: FileKernel[] = [];
  const ways = fileWays(request, items.precisions);
  for (const text of texts) {
    const found =
      untrusted === undefined
        ? fileKernel(text, process.cwd(), ways, items)
        : untrusted.describe(fileOrigin(text, process.cwd(), ways));
    files.push(await found);
  }
  const names = [...files.map(({ kernel }) => kernel.name), ...listed.filter((text) => !isInFile(text))];
  return { request: { ...request, kernels: names }, texts, files };
}

/** The module that opens a kernel by its origin, in a process of its own. */
const LOCATOR = ownScript('./locate-kernel', import.meta.url);

/** The origin that sessions share, the working folder of programs, and whether output of programs is passed on. */
type Origin = Omit<KernelOrigin, 'name' | 'file'> & Pick<ProgramOptions, 'cwd' | 'verbose'>;

/** Opens kernels outside this process, which survives one that hangs or crashes. */
function sessionsFor(
  { cwd, verbose, ...origin }: Origin,
  files: readonly FileOrigin[],
  untrusted: UntrustedFiles | undefined,
): MachineOptions['sessionOf'] {
  const module = LOCATOR.href;
  const fileOf = (kernel: string) => files.findLast(({ name }) => name === kernel);
  if (untrusted !== undefined) {
    const sessions = new Memo<KernelSession>(files.length);
    return (spec) =>
      sessions.get(spec.name, () => untrusted.open(spec, fileOf(spec.name) as FileOrigin, origin));
  }
  return async (spec, _, precision) => {
    if ('program' in spec) {
      const { openProgram } = await import('../../kernels/host/node/open-program.ts');
      return openProgram(spec, { cwd, verbose }, precision);
    }
    const args = { ...origin, name: spec.name, file: fileOf(spec.name) };
    return openInHost(spec, { module, args }, {}, precision);
  };
}
