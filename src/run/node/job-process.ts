import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ParanoiaError } from '../../base/errors.ts';
import { fileReason } from '../../base/node/file-reason.ts';
import { runtimeName } from '../../base/node/runtime.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import type { Machine } from '../../gpu/device.ts';
import type { ProbeAnswer } from '../../gpu/probe/answer.ts';
import type { Inspection } from '../../inspect/inspection.ts';
import { deadline, START_UP } from '../../kernels/deadline.ts';
import { asItIs, endingText, OWN_GROUP, watchOver } from '../../kernels/host/node/child.ts';
import { nodeOptions } from '../../kernels/host/node/open-external.ts';
import type { Baselines } from '../baselines.ts';
import type { RoundFound, RoundPlace, RoundsPlan } from '../fuzz-round.ts';
import type { Inspected } from '../keeping.ts';
import type { Limit } from '../limit.ts';
import { jobNotStarted } from '../messages.ts';
import type { Versions } from '../open-machine.ts';
import type { PlannedCase } from '../planned-case.ts';

/** A case as another process is told it: its text, its place, and what its result is to show. */
export interface JobCase extends Required<Pick<PlannedCase, 'series' | 'detailed'>> {
  readonly at: number;
  readonly text: string;
  /** Those that are computed before it. */
  readonly after: readonly string[];
  readonly baseline?: Baselines['cases'][string] | undefined;
}

/** A round of drawn cases, of a campaign with a seed. */
export interface Round {
  readonly plan: RoundsPlan;
  readonly place: RoundPlace;
  readonly seed: number;
}

/**
 * What a process is told: cases to judge, within the budget of each kernel where one holds; a round to draw and judge; a kernel
 * to inspect; to begin no other case.
 */
export type ToJob =
  | {
      readonly cases: readonly JobCase[];
      readonly budget?: Limit | undefined;
      /** Seconds of it that are spent. @defaultValue none */
      readonly spent?: number | undefined;
    }
  | { readonly inspect: Inspected; readonly budget?: Limit | undefined }
  | { readonly round: Round }
  /** To make the result of a case that ended so many processes. */
  | { readonly lost: JobCase; readonly count: number }
  | 'stop';

/** What a process judges on. */
export interface JobMachine extends Pick<Machine, 'fingerprint' | 'arithmetic' | 'chosenBecause'> {
  /** The arithmetic of a device, question by question; absent where it is not to be told. */
  readonly probe?: readonly ProbeAnswer[];
  /** Sentences on what is not the same for everybody with this machine; absent where they are not to be told. */
  readonly notes?: readonly string[];
}

/** What it found beside results. */
export interface Aside {
  readonly versions: Versions;
  /** Sentences of the oracle. */
  readonly said: readonly string[];
  /** Whether a device was lost that has no successor, so that cases are left. */
  readonly interrupted: boolean;
}

/**
 * Its answers: the adapter, when it is ready; each result; that no case is left or to be begun; what an inspection found,
 * or what ended it, and that it goes on; what ends the run.
 */
export type FromJob =
  | { readonly ready: JobMachine }
  | 'busy'
  | { readonly inspection: Inspection }
  | { readonly uninspected: string }
  | { readonly round: RoundFound; readonly aside: Aside }
  | { readonly at: number; readonly result: CaseResult }
  | { readonly aside: Aside }
  | { readonly error: JobError };

/** An error of another process: a fault of this program, unless it has a code. */
interface JobError {
  readonly code?: string | undefined;
  readonly exitCode?: number | undefined;
  readonly name?: string | undefined;
  readonly message: string;
}

/** What processes are started with. */
export interface Jobs {
  readonly count: number;
  /** The module that they run, which judges as `args` say. */
  readonly module: URL;
  /** Whatever JSON holds. */
  readonly args: unknown;
  /** Seconds that a case may take before its process is given up. @defaultValue {@link LIMIT} */
  readonly limit?: number;
}

/** No case of any campaign takes so many seconds on a device that works. */
const LIMIT = 900;
/** Seconds in which a process ends by itself when it is told to. */
const ENDING = 10;

/** Who hears what comes of cases. */
export interface Hearing {
  readonly tell: (at: number, result: CaseResult) => void;
  readonly onAside: (aside: Aside) => void;
  /** Asked after each result: true begins no other. */
  readonly stop: () => boolean;
  /** Seconds without a result after which the process is given up. @defaultValue that of all cases */
  readonly limit?: number | undefined;
  /** The seconds of their kernel in each process, and those that are spent. @defaultValue those of the process */
  readonly budget?: { readonly seconds: number; readonly spent: number } | undefined;
}

/**
 * What gives new objects more room, in megabytes: most of what a case makes is gone after it. Measured on an H200 with 16 cores, the
 * default gate in four processes: 62.9 s of processor time with Node's 16, 54.3 with 32. Other runtimes have options of their own.
 */
const youngSpace = (): string[] => (runtimeName().startsWith('node ') ? ['--max-semi-space-size=32'] : []);

/** A process that judges. */
export interface Job {
  readonly machine: JobMachine;
  /** @returns why the process ended, if it did: it was at the first case of which it has not told. */
  judge(cases: readonly JobCase[], hearing: Hearing): Promise<string | undefined>;
  /**
   * Asks it for something, and hears answers until one is the last.
   * @returns why the process ended, if it did.
   */
  ask(words: ToJob, isLast: (answer: FromJob) => boolean): Promise<string | undefined>;
  /** Asks it to begin no other case. */
  stop(): void;
  end(): Promise<void>;
  kill(): void;
}

/**
 * Starts a process that judges; it ends when this one does, or lets go of it.
 * @param started takes what ends it before it is ready.
 * @throws ParanoiaError `job-not-started`
 */
export async function startJob(
  { module, args, limit = LIMIT }: Omit<Jobs, 'count'>,
  started: Pick<Job, 'kill'>[] = [],
): Promise<Job> {
  const child = fork(fileURLToPath(module), [JSON.stringify(args)], {
    ...OWN_GROUP,
    execArgv: [...youngSpace(), ...nodeOptions()],
    stdio: ['ignore', 2, 'pipe', 'ipc'],
    // Results hold numbers that JSON changes: a zero's sign is lost, and Deno reads large whole ones as BigInt.
    serialization: 'advanced',
  });
  const { kill, lastWords, ...watched } = watchOver(child, asItIs);
  let hung: string | undefined;
  const ended = watched.ended.then((ending) => hung ?? `ended: ${endingText(ending, lastWords())}`);
  const send = (words: ToJob) =>
    child.send(words, (error) => {
      if (error === null) return;
      hung = `cannot be spoken with: ${fileReason(error)}`;
      kill();
    });
  /** Hears answers until one is the last; or until the process ends, and why. */
  const hear = async (seconds: number, isLast: (answer: FromJob) => boolean) => {
    const late = deadline(seconds, () => {
      hung = `gave no answer for ${seconds} s`;
      kill();
    });
    let onMessage = (_: FromJob) => {};
    const last = new Promise<undefined>((resolve, reject) => {
      onMessage = (answer) => {
        late.restart(seconds);
        if (typeof answer === 'object' && 'error' in answer) reject(errorOf(answer.error));
        else if (isLast(answer)) resolve(undefined);
      };
    });
    child.on('message', onMessage);
    try {
      return await Promise.race([last, ended]);
    } finally {
      late.cancel();
      child.off('message', onMessage);
    }
  };
  const ask = (words: ToJob, isLast: (answer: FromJob) => boolean, most = limit) => {
    send(words);
    return hear(Math.min(most, limit), isLast);
  };
  started.push({ kill });
  let machine: JobMachine | undefined;
  const why = await hear(START_UP, (answer) => {
    if (typeof answer === 'object' && 'ready' in answer) machine = answer.ready;
    return machine !== undefined;
  });
  if (machine === undefined) throw jobNotStarted({ why: why ?? '' });
  return {
    machine,
    ask: (words, isLast) => ask(words, isLast),
    judge: (cases, { tell, onAside, stop, limit: most, budget }) => {
      const isLast = (answer: FromJob) => {
        if (typeof answer !== 'object') return false;
        if ('aside' in answer) onAside(answer.aside);
        else if ('at' in answer) {
          tell(answer.at, answer.result);
          if (stop()) send('stop');
        }
        return 'aside' in answer;
      };
      return ask({ cases, budget: budget?.seconds, spent: budget?.spent }, isLast, most);
    },
    stop: () => send('stop'),
    async end() {
      const late = deadline(ENDING, kill);
      if (child.connected) child.disconnect();
      await ended;
      late.cancel();
    },
    kill,
  };
}

/** Processes that judge. */
export interface StartedJobs extends Pick<Jobs, 'count'> {
  /** One that nobody has, or a new one. @throws ParanoiaError `job-not-started` */
  next(): Promise<Job>;
  kill(): void;
}

/** Starts processes that judge, all at once: each opens a device of its own, which takes long. */
export function startJobs(jobs: Jobs): StartedJobs {
  const started: Pick<Job, 'kill'>[] = [];
  const start = () => startJob(jobs, started);
  const waiting = Array.from({ length: jobs.count }, start);
  // Why one did not start, hears who wants it.
  for (const job of waiting) job.catch(() => {});
  return {
    count: jobs.count,
    next: () => waiting.shift() ?? start(),
    kill() {
      for (const job of started) job.kill();
    },
  };
}

/** An error as it was in the other process: what the operating system refused there keeps its code. */
function errorOf({ code, exitCode, name, message }: JobError): Error {
  if (code !== undefined && exitCode !== undefined) return new ParanoiaError(code, exitCode, message);
  const error = name === 'RangeError' ? new RangeError(message) : new Error(message);
  return Object.assign(error, { code });
}
