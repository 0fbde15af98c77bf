import { totalmem } from 'node:os';

/** A process to start, without a shell. */
export interface ProcessCommand {
  readonly file: string;
  readonly words: readonly string[];
  /** Its whole environment; a confined process gets only the allowed variables of it. */
  readonly env: NodeJS.ProcessEnv;
  /** The working folder. @defaultValue ours; for a confined process its private folder */
  readonly cwd?: string | undefined;
}

/** Resources that an untrusted process needs in addition to the system's libraries, its interpreter and this package. */
export interface SandboxAllowance {
  /** Files and folders that it may read and execute. */
  readonly reads: readonly string[];
  /** Folders that it may write to, in addition to its private one. @defaultValue none */
  readonly writes?: readonly string[] | undefined;
  /** Variables that it gets in addition to the generally allowed ones, as a config names them. @defaultValue none */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** True if it computes on a GPU and needs its devices and drivers. */
  readonly gpu: boolean;
  /** Process ids that its PID namespace, if any, uses up before it starts. @defaultValue none */
  readonly processes?: number | undefined;
}

/** Resource limits of a kernel: of all its processes together unless stated otherwise. */
export interface ResourceLimits {
  /** Resident bytes. @defaultValue 8 GiB, or half of the machine's memory where that is less */
  readonly memoryBytes: number;
  /** Processes at a time. @defaultValue 256 */
  readonly processes: number;
  /** Bytes of its private folder, and of each file. @defaultValue 1 GiB */
  readonly fileBytes: number;
  /** Processor seconds of each of its processes. @defaultValue no limit but the time limit of its products */
  readonly cpuSeconds?: number | undefined;
}

export interface SandboxedCommand extends ProcessCommand {
  /** True if it reports a program ended by a signal with exit code 128 plus the signal's number. @defaultValue false */
  readonly tellsSignals?: boolean | undefined;
  /** Its private folder (HOME, TMPDIR and working folder), removed on release. */
  readonly folder: string;
  /**
   * Watches a started process (memory, processes, disk) until released.
   * @param breach called once, with a clause such as "it used 4.1 GiB of memory (limit 4 GiB)"; the caller ends the process
   */
  watch(pid: number, breach: (why: string) => void): void;
  release(): void;
}

/** Aspects that a sandbox isolates; `holds` states for each what isolates it. */
const isolatedResources = ['files', 'network', 'processes', 'memory', 'disk', 'environment'] as const;
export type IsolatedResource = (typeof isolatedResources)[number];

/** The sandbox for untrusted processes. */
export interface Sandbox {
  confine(start: ProcessCommand, allowance: SandboxAllowance): SandboxedCommand;
  /** The isolation in force for each aspect, as results and verdicts state it. */
  readonly holds: Readonly<Record<IsolatedResource, string>>;
}

const GIB = 2 ** 30;

export const defaultLimits = (): ResourceLimits => ({
  memoryBytes: Math.min(8 * GIB, Math.floor(totalmem() / 2)),
  processes: 256,
  fileBytes: GIB,
});

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Formats bytes: `4.1 GiB`. */
export function bytesText(bytes: number): string {
  const unit = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  return `${Number((bytes / 2 ** (10 * unit)).toPrecision(3))} ${UNITS[unit]}`;
}
