import { dirname } from 'node:path';
import { ParanoiaError } from '../../base/errors.ts';
import { requireFile } from '../../base/node/import-file.ts';
import { ownScript } from '../../base/node/invocation.ts';
import { builtinCaseItems } from '../../kernels/case-items.ts';
import { checkKernel } from '../../kernels/check-kernel.ts';
import type { FileOrigin } from '../../kernels/files/file-origin.ts';
import { blasKernel } from '../../kernels/files/node/blas-kernel.ts';
import { findPython, pythonKernel } from '../../kernels/files/node/python-kernel.ts';
import { wgslFile } from '../../kernels/files/node/wgsl-file.ts';
import type { KernelSandbox } from '../../kernels/host/node/launch.ts';
import { askInHost, openInHost } from '../../kernels/host/node/open-in-host.ts';
import { openProgram } from '../../kernels/host/node/open-program.ts';
import type { KernelSession } from '../../kernels/kernel.ts';
import { describeThrown } from '../../kernels/kernel-error.ts';
import { kernelUnfit, libraryUnusable, noKernelIn, noPython } from '../../kernels/messages.ts';
import { readDescription, withoutNarrow } from '../../kernels/read-description.ts';
import type { FunctionKernel, ProgramKernel, UserKernel } from '../../kernels/user-kernel.ts';
import { badKernel } from '../../precision/messages.ts';
import { NOT_HELD } from '../../sandbox/node/isolation.ts';
import { libraryNeeds, moduleNeeds, pythonNeeds } from '../../sandbox/node/system.ts';
import type { RunRequest } from '../command-options.ts';
import type { FileKernel } from './file-kernels.ts';
import type { KernelOrigin } from './locate-kernel.ts';
import { addMentionedTables } from './mentioned-tables.ts';
import { openUntrustedJudge, type UntrustedJudge } from './untrusted-judge.ts';

export interface UntrustedFiles {
  readonly referee: UntrustedJudge;
  /** Sentences on the sandbox. */
  readonly notes: readonly string[];
  /** Describes the kernel of a file. @throws ParanoiaError as {@link untrustedKernel} does */
  readonly describe: (origin: FileOrigin) => Promise<FileKernel>;
  /** Opens the kernel in a sandboxed process of its own. */
  readonly open: (kernel: UserKernel, file: FileOrigin, place: Place) => KernelSession;
}

/** Sets up access to untrusted files. @throws ParanoiaError those of the options, and `no-sandbox` */
export async function untrustedFiles(request: RunRequest): Promise<UntrustedFiles> {
  const referee = await openUntrustedJudge(request);
  return {
    referee,
    notes: [describeSandbox(referee)],
    describe: (origin) => untrustedKernel(origin, referee),
    open: (kernel, file, place) => openUntrusted(kernel, file, referee, place),
  };
}

/** Describes in a sentence what the sandbox restricts. */
function describeSandbox({ confinement: { holds } }: UntrustedJudge): string {
  const all = Object.keys(holds) as (keyof typeof holds)[];
  const open = all.filter((what) => holds[what].startsWith(NOT_HELD));
  const closed = all.filter((what) => !open.includes(what));
  const not = open.length === 0 ? '' : `; it does not restrict ${open.join(', ')}`;
  return `The sandbox of untrusted kernels restricts ${closed.join(', ')}${not}.`;
}

/** A description of an untrusted kernel, made without running its code in this process. */
type Untrusted = Required<Pick<FileKernel, 'kernel' | 'notes'>>;

type Described = (origin: FileOrigin, referee: UntrustedJudge) => Promise<Untrusted>;

/** A kind of file. */
interface Lane {
  readonly ends: RegExp;
  readonly described: Described;
  /** The files that their processes read. @defaultValue those of a JavaScript module */
  readonly needs?: (path: string) => readonly string[];
}

/** Kinds of files, by their extensions. */
const lanes: readonly Lane[] = [
  { ends: /\.([cm]?[jt]s|wasm)$/, described: inOurHost },
  { ends: /\.py$/, described: inPython },
  { ends: /\.wgsl$/, described: asText },
  { ends: /./, described: asLibrary, needs: libraryNeeds },
];

/**
 * Describes a kernel in an untrusted file: its own sandboxed process reports on it, or the file is read as data.
 * @throws ParanoiaError `kernel-unfit`, and those of missing files
 */
export async function untrustedKernel(origin: FileOrigin, referee: UntrustedJudge): Promise<FileKernel> {
  const { name, file, path } = origin;
  requireFile(path, (why, cause) => noKernelIn({ file, why: `cannot be read: ${why}` }, cause));
  try {
    const { kernel, notes } = await laneOf(origin).described(origin, referee);
    const items = await addMentionedTables(builtinCaseItems, [kernel]);
    return { origin, kernel: checkKernel(kernel, items), notes };
  } catch (error) {
    if (!(error instanceof ParanoiaError) || !OF_THE_FILE.includes(error.code)) throw error;
    throw kernelUnfit({ kernel: name, why: error.message.replace(/\.$/, '') }, error);
  }
}

const laneOf = ({ path }: FileOrigin) => lanes.find(({ ends }) => ends.test(path)) as Lane;

/** Errors that are the fault of the file's author, not of the user who has it judged. */
const OF_THE_FILE = [noKernelIn.code, libraryUnusable.code, badKernel.code];

/** The module that opens a kernel by its origin, in a process of its own. */
const LOCATOR = ownScript('./locate-kernel', import.meta.url).href;

/** The adapter and toggles of a kernel, in addition to its file. */
type Place = Pick<KernelOrigin, 'adapter' | 'toggles'>;

const locatorOf = (file: FileOrigin, { terms }: UntrustedJudge, place: Partial<Place> = {}) => {
  const { adapter, toggles } = place;
  const args = { name: file.name, config: undefined, file, adapter, toggles, terms } satisfies KernelOrigin;
  return { module: LOCATOR, args };
};

/** The sandbox of a kernel: it may read the files that its kind needs and those that the referee allows. */
function heldBy(
  file: FileOrigin,
  { confinement, reads }: UntrustedJudge,
  own = (laneOf(file).needs ?? moduleNeeds)(file.path),
): KernelSandbox {
  return { confinement, reads: [...own, ...reads] };
}

async function inOurHost(origin: FileOrigin, referee: UntrustedJudge): Promise<Untrusted> {
  const { name } = origin;
  const said = await askInHost(name, locatorOf(origin, referee), heldBy(origin, referee));
  const { accepts, grouped, notes } = readDescription(name, said, referee.terms);
  const kernel: FunctionKernel = {
    ...{ ...referee.terms, name, accepts, multiply: elsewhere },
    ...(grouped ? { multiplyGroup: elsewhere } : {}),
  };
  return { kernel, notes };
}

/** Replaces the kernel's function here; only its own process has it. */
function elsewhere(): never {
  throw new Error('An untrusted kernel runs only in a process of its own.');
}

async function inPython(origin: FileOrigin, referee: UntrustedJudge): Promise<Untrusted> {
  const { terms } = referee;
  const { name, file, path } = origin;
  const { python, reads } = await pythonOf(findPython(file, origin.ways.python), origin);
  const ways = { ...origin.ways, python, precision: terms.precision };
  const by = heldBy(origin, referee, reads);
  const { accepts: said, claims, precision, program } = await pythonKernel({ ...origin, path, ways }, by);
  const { accepts, notes } = readDescription(
    name,
    { accepts: said, precision, claims: claims !== undefined },
    terms,
  );
  return { kernel: { ...terms, name, accepts, program }, notes };
}

/** Files that interpreters read, by the interpreters' paths. */
const readsOf = new Map<string, readonly string[]>();

/** An interpreter and the files that it reads. @throws ParanoiaError `no-python` if it does not start */
async function pythonOf(named: string, { file, path }: FileOrigin) {
  try {
    const { file: python, reads } = await pythonNeeds(named, path);
    readsOf.set(python, reads);
    return { python, reads };
  } catch (error) {
    throw noPython({ file, why: `${named} did not report its path (${describeThrown(error)})` }, error);
  }
}

async function asText(origin: FileOrigin, { terms }: UntrustedJudge): Promise<Untrusted> {
  const { name, precision = 'f32', claims, accepts, ...kernel } = await wgslFile(origin);
  if (precision !== terms.precision) {
    const why = `its arrays are ${precision}, but it is judged in ${terms.precision}. Give --precision ${precision}`;
    throw kernelUnfit({ kernel: name, why });
  }
  const { notes } = readDescription(name, { claims: claims !== undefined }, terms);
  return { kernel: { ...kernel, ...terms, name, accepts: withoutNarrow(accepts) }, notes };
}

/** Describes a function of a shared library: its name gives the precision, and the request names the function. */
async function asLibrary(origin: FileOrigin, { terms }: UntrustedJudge): Promise<Untrusted> {
  const { precision = terms.precision, accepts, name, multiply } = await blasKernel(origin);
  return { kernel: { ...terms, name, precision, accepts, multiply }, notes: [] };
}

/** Opens an untrusted kernel in a sandboxed process of its own. */
function openUntrusted(
  kernel: UserKernel,
  file: FileOrigin,
  referee: UntrustedJudge,
  place: Place,
): KernelSession {
  if ('program' in kernel) return openHeldProgram(kernel, file, referee);
  const by = { ...heldBy(file, referee), gpu: 'wgsl' in kernel };
  const own = {
    ...referee,
    terms: { ...referee.terms, precision: kernel.precision ?? referee.terms.precision },
  };
  return openInHost(kernel, locatorOf(file, own, place), by);
}

/** Opens the program of a kernel: the interpreter, which listed the files that it reads when the file was described. */
function openHeldProgram(kernel: ProgramKernel, file: FileOrigin, referee: UntrustedJudge): KernelSession {
  const reads = readsOf.get(kernel.program.command[0]) ?? [];
  return openProgram(kernel, { ...heldBy(file, referee, [file.path, ...reads]), cwd: dirname(file.path) });
}
