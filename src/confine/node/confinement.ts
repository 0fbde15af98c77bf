/** A process to start: without a shell. */
export interface Start {
  readonly file: string;
  readonly words: readonly string[];
  /** Its whole environment; one that is confined gets of it what is allowed. */
  readonly env: NodeJS.ProcessEnv;
  /** The folder it runs in. @defaultValue ours; that of a confined process is its private folder */
  readonly cwd?: string | undefined;
}

/** What a process that is not trusted needs beside the system's libraries, its interpreter and this package. */
export interface Allowance {
  /** Files and folders that it may read (and execute). */
  readonly reads: readonly string[];
  /** Folders beside its private one in which it may write. @defaultValue none */
  readonly writes?: readonly string[] | undefined;
  /** Variables that it gets beside those that are allowed to all, as a config names them. @defaultValue none */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Whether it computes on a GPU: its devices and drivers. */
  readonly gpu: boolean;
  /** Processes that its namespace of processes, if it has one, is to have had before it. @defaultValue none */
  readonly processes?: number | undefined;
}

/** What a kernel may use, all of its processes together where nothing else is said. */
export interface Limits {
  /** Resident bytes. @defaultValue 8 GiB, or half of the machine's memory where that is less */
  readonly memoryBytes: number;
  /** Processes at a time. @defaultValue 256 */
  readonly processes: number;
  /** Bytes of its private folder, and of each file. @defaultValue 1 GiB */
  readonly fileBytes: number;
  /** Processor seconds of each of its processes. @defaultValue no limit but the time limit of its products */
  readonly cpuSeconds?: number | undefined;
}

/** A process that is started so that it is held. */
export interface Confined extends Start {
  /** Whether it tells that a signal has ended the program by the exit code 128 and the signal's number. @defaultValue false */
  readonly tellsSignals?: boolean | undefined;
  /** Its private folder: HOME, TMPDIR and working folder; gone when released. */
  readonly folder: string;
  /**
   * Watches a started process (memory, processes, disk) until released.
   * @param breach called once, with a clause such as "it used 4.1 GiB of memory, where 4 GiB are allowed": who started the
   *   process ends it.
   */
  watch(pid: number, breach: (why: string) => void): void;
  release(): void;
}

/** What a confinement is asked to hold; `holds` says of each what does. */
export const held = ['files', 'network', 'processes', 'memory', 'disk', 'environment'] as const;
export type Held = (typeof held)[number];

/** What holds processes that are not trusted. */
export interface Confinement {
  confine(start: Start, allowance: Allowance): Confined;
  /** What holds here, by what it concerns, as results and verdicts state it. */
  readonly holds: Readonly<Record<Held, string>>;
}
