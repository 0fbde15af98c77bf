import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ParanoiaError } from '../../base/errors.ts';
import { fileReason } from '../../base/node/read-file.ts';
import { judgeOptions } from '../../base/node/v8-options.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import type { SpentTime } from '../../evidence/timing.ts';
import type { Machine } from '../../gpu/device.ts';
import type { ProbeAnswer } from '../../gpu/probe/question.ts';
import type { Inspection } from '../../inspect/inspection.ts';
import { START_UP, startDeadline } from '../../kernels/deadline.ts';
import { endingText, OWN_GROUP, passOutput, watchProcessTree } from '../../kernels/host/node/child.ts';
import { nodeOptions } from '../../kernels/host/node/open-in-host.ts';
import type { Baselines } from '../baselines.ts';
import type { RunLimit } from '../budget.ts';
import type { RoundFindings, RoundPlace, RoundsPlan } from '../fuzz-round.ts';
import type { PlannedInspection } from '../keeper.ts';
import { jobNotStarted } from '../messages.ts';
import type { Versions } from '../open-machine.ts';
import type { PlannedCase } from '../planned-case.ts';

/** A case in the form of a message to another process: its text, its place, and what its result must show. */
export interface JobCase extends Required<Pick<PlannedCase, 'series' | 'detailed' | 'needed'>> {
  readonly at: number;
  readonly text: string;
  /** Cases that are computed before it. */
  readonly after: readonly string[];
  readonly baseline?: Baselines['cases'][string] | undefined;
}

/** A round of drawn cases, of a campaign with a seed. */
export interface DrawRound {
  readonly plan: RoundsPlan;
  readonly place: RoundPlace;
  readonly seed: number;
}

/**
 * A message to a process: cases to judge, within the budget of each kernel if there is one; a round to draw and judge; a kernel to
 * inspect; or a stop before the next case.
 */
export type JobRequest =
  | {
      readonly cases: readonly JobCase[];
      readonly budget?: RunLimit | undefined;
      /** Spent seconds of the budget. @defaultValue none */
      readonly spent?: number | undefined;
    }
  | { readonly inspect: PlannedInspection; readonly budget?: RunLimit | undefined }
  | { readonly round: DrawRound }
  /** Asks for the result of a case that crashed this many processes. */
  | { readonly lost: JobCase; readonly count: number }
  | 'stop';

/** The machine of a judging process. */
export interface JobMachine extends Pick<Machine, 'fingerprint' | 'arithmetic' | 'chosenBecause'> {
  /** The probed arithmetic of a device, question by question. Absent where it must not be reported. */
  readonly probe?: readonly ProbeAnswer[];
  /** Sentences on settings of this machine that differ between users. Absent where they must not be reported. */
  readonly notes?: readonly string[];
}

/** Findings of a process besides results. */
export interface ProcessReport {
  readonly versions: Versions;
  /** Sentences of the oracle. */
  readonly said: readonly string[];
  /** True if a lost device could not be replaced, so that cases remain. */
  readonly interrupted: boolean;
  /** Seconds by phase since the last report. @defaultValue none */
  readonly spent?: SpentTime | undefined;
}

/**
 * A message from a process: the adapter, once it is ready; each result; the end of the cases; an inspection, or the error that ended
 * it; a sign that it is still busy; or the error that ends the run.
 */
export type JobMessage =
  | { readonly ready: JobMachine }
  | 'busy'
  | { readonly inspection: Inspection }
  | { readonly uninspected: string }
  | { readonly round: RoundFindings; readonly aside: ProcessReport }
  | { readonly at: number; readonly result: CaseResult; readonly seconds: number }
  | { readonly aside: ProcessReport }
  | { readonly error: JobError };

/** An error of another process. Without a code it is a bug of this program. */
interface JobError {
  readonly code?: string | undefined;
  readonly exitCode?: number | undefined;
  readonly name?: string | undefined;
  readonly message: string;
}

/** Options for starting processes. */
export interface JobOptions {
  readonly count: number;
  /** The module that they run. It judges as `args` say. */
  readonly module: URL;
  /** Arguments of the module: any JSON value. */
  readonly args: unknown;
  /** Seconds for a case before its process is ended. @defaultValue {@link LIMIT} */
  readonly limit?: number;
}

/** Seconds that no case of any campaign exceeds on a working device. */
const LIMIT = 900;
/** Seconds for a process to end by itself after a request. */
const ENDING = 10;

export interface CaseCallbacks {
  /** Called with each result and the seconds that its case took of the budget. */
  readonly tell: (at: number, result: CaseResult, seconds: number) => void;
  readonly onAside: (aside: ProcessReport) => void;
  /** True if no other case may start. Asked after each result. */
  readonly stop: () => boolean;
  /** Seconds without a result before the process is ended. @defaultValue the limit of all cases */
  readonly limit?: number | undefined;
  /** Seconds of their kernel in each process, and the spent ones. @defaultValue those of the process */
  readonly budget?: { readonly seconds: number; readonly spent: number } | undefined;
}

export interface JobProcess {
  readonly machine: JobMachine;
  /** Judges cases. @returns the reason if the process ended: it was at the first case without a result. */
  judge(cases: readonly JobCase[], hearing: CaseCallbacks): Promise<string | undefined>;
  /**
   * Sends a message, and reads answers up to the last one.
   * @returns the reason if the process ended.
   */
  ask(words: JobRequest, isLast: (answer: JobMessage) => boolean): Promise<string | undefined>;
  /** Tells the process to start no other case. */
  stop(): void;
  end(): Promise<void>;
  kill(): void;
}

/**
 * Starts a process that judges. It ends with this process, or when it is released.
 * @param started receives the handle that ends it before it is ready.
 * @throws ParanoiaError `job-not-started`
 */
export async function startJob(
  { module, args, limit = LIMIT }: Omit<JobOptions, 'count'>,
  started: Pick<JobProcess, 'kill'>[] = [],
): Promise<JobProcess> {
  const child = fork(fileURLToPath(module), [JSON.stringify(args)], {
    ...OWN_GROUP,
    execArgv: [...judgeOptions(), ...nodeOptions()],
    stdio: ['ignore', 2, 'pipe', 'ipc'],
    // Results hold numbers that JSON changes: a zero loses its sign, and Deno reads large whole ones as BigInt.
    serialization: 'advanced',
  });
  const { kill, lastWords, ...watched } = watchProcessTree(child, passOutput);
  let hung: string | undefined;
  const ended = watched.ended.then((ending) => hung ?? `ended: ${endingText(ending, lastWords())}`);
  const send = (words: JobRequest) =>
    child.send(words, (error) => {
      if (error === null) return;
      hung = `cannot be reached: ${fileReason(error)}`;
      kill();
    });
  /** Reads answers up to the last one, or until the process ends, and returns the reason. */
  const hear = async (seconds: number, isLast: (answer: JobMessage) => boolean) => {
    const late = startDeadline(seconds, () => {
      hung = `did not answer for ${seconds} s`;
      kill();
    });
    let onMessage = (_: JobMessage) => {};
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
  const ask = (words: JobRequest, isLast: (answer: JobMessage) => boolean, most = limit) => {
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
      const isLast = (answer: JobMessage) => {
        if (typeof answer !== 'object') return false;
        if ('aside' in answer) onAside(answer.aside);
        else if ('at' in answer) {
          tell(answer.at, answer.result, answer.seconds);
          if (stop()) send('stop');
        }
        return 'aside' in answer;
      };
      return ask({ cases, budget: budget?.seconds, spent: budget?.spent }, isLast, most);
    },
    stop: () => send('stop'),
    async end() {
      const late = startDeadline(ENDING, kill);
      if (child.connected) child.disconnect();
      await ended;
      late.cancel();
    },
    kill,
  };
}

/** Processes that judge. */
export interface StartedJobs extends Pick<JobOptions, 'count'> {
  /** Returns an unused process, or a new one. @throws ParanoiaError `job-not-started` */
  next(): Promise<JobProcess>;
  kill(): void;
}

/** Starts the processes that judge, all at once: each opens a device of its own, which takes long. */
export function startJobs(jobs: JobOptions): StartedJobs {
  const started: Pick<JobProcess, 'kill'>[] = [];
  const start = () => startJob(jobs, started);
  const waiting = Array.from({ length: jobs.count }, start);
  // The caller that takes a process sees why it did not start.
  for (const job of waiting) job.catch(() => {});
  return {
    count: jobs.count,
    next: () => waiting.shift() ?? start(),
    kill() {
      for (const job of started) job.kill();
    },
  };
}

/** Rebuilds an error of the other process. An error of the operating system keeps its code. */
function errorOf({ code, exitCode, name, message }: JobError): Error {
  if (code !== undefined && exitCode !== undefined) return new ParanoiaError(code, exitCode, message);
  const error = name === 'RangeError' ? new RangeError(message) : new Error(message);
  return Object.assign(error, { code });
}
