import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ParanoiaError } from '../../base/errors.ts';
import { fileReason } from '../../base/node/file-reason.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import { deadline, START_UP } from '../../kernels/deadline.ts';
import { asItIs, endingText, OWN_GROUP, watchOver } from '../../kernels/host/node/child.ts';
import { nodeOptions } from '../../kernels/host/node/open-external.ts';
import { formatCase } from '../../problem/case.ts';
import type { Baselines } from '../baselines.ts';
import { jobEnded, jobNotStarted } from '../messages.ts';
import type { Versions } from '../open-machine.ts';
import type { PlannedCase } from '../planned-case.ts';
import type { JudgeCases } from '../run-gate.ts';
import { productsOf } from '../spending.ts';

/** A case as another process is told it: its text, its place, and what its result is to show. */
export interface JobCase extends Required<Pick<PlannedCase, 'series' | 'detailed'>> {
  readonly at: number;
  readonly text: string;
  /** Those that are computed before it. */
  readonly after: readonly string[];
  readonly baseline?: Baselines['cases'][string] | undefined;
}

/** What a process is told: cases to judge, or to begin no other. */
export type ToJob = readonly JobCase[] | 'stop';

/** What it found beside results. */
export interface Aside {
  readonly versions: Versions;
  /** Sentences of the oracle. */
  readonly said: readonly string[];
}

/** What it answers: that it has its device; each result; that no case is left or to be begun; what ends the run. */
export type FromJob =
  | 'ready'
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

/** What they need beside the cases. */
interface JobsOptions extends Jobs {
  readonly baselines: Baselines;
  readonly stop: () => boolean;
  /** The result of a case whose process ended in it. */
  readonly lost: (value: PlannedCase, error: ParanoiaError) => Promise<CaseResult>;
  readonly onAside: (aside: Aside) => void;
}

/** No case of any campaign takes so many seconds on a device that works. */
const LIMIT = 900;
/** Seconds in which a process ends by itself when it is told to. */
const ENDING = 10;
/** Cases that a process is sent at once, at most: a budget is kept. */
const PIECE = 16;
/** Pieces of a campaign for each process, at least, so that none waits long for the others. */
const PIECES_EACH = 4;

/**
 * Judges cases in several processes, each with a device of its own. One that dies, or gives no answer, is replaced; the case
 * that it was at is inconclusive.
 * @throws ParanoiaError `job-not-started`, and what a process reports that is not of one case
 */
export function inProcesses(options: JobsOptions): JudgeCases {
  const { count, baselines, stop, lost } = options;
  return async (planned, tell, budget) => {
    const pieces = piecesOf(planned, count);
    const started: Job[] = [];
    // A device that is lost, and has no successor, ends the run.
    let deviceless = false;
    const ends = () => deviceless || stop();
    const jobCase = (at: number): JobCase => {
      const { series, detailed = false, after = [] } = planned[at];
      const text = formatCase(planned[at]);
      return { at, text, after: after.map(formatCase), series, detailed, baseline: baselines.cases[text] };
    };
    const work = async () => {
      let job: Job | undefined;
      for (let piece = nextOf(pieces); piece !== undefined; piece = nextOf(pieces, piece.kernel)) {
        const left = new Set(piece.places.filter((at) => budget.affords(planned[at])));
        let last = performance.now();
        const told = (at: number, result: CaseResult) => {
          const now = performance.now();
          left.delete(at);
          budget.spent([planned[at]], (now - last) / 1000);
          last = now;
          tell(at, result);
        };
        while (left.size > 0 && !ends()) {
          job ??= await startJob(options, started);
          last = performance.now();
          const why = await job.judge([...left].map(jobCase), told, ends);
          if (why === undefined) deviceless ||= left.size > 0 && !stop();
          else {
            job = undefined;
            const [at] = left;
            if (at === undefined) continue;
            told(at, await lost(planned[at], jobEnded({ case: formatCase(planned[at]), why })));
          }
        }
      }
      await job?.end();
    };
    try {
      await Promise.all(Array.from({ length: Math.min(count, pieces.length) }, work));
    } finally {
      for (const job of started) job.kill();
    }
    return ends();
  };
}

/** Cases of one kernel, by their places: a process compiles for few kernels, and not what another does. */
interface Piece {
  readonly kernel: string;
  readonly places: number[];
  /** Whether it is one product that takes long, which a budget may not afford. */
  readonly isLarge: boolean;
}

/** Multiplications from which a case is a piece by itself. */
const LARGE = 2 ** 22;

function piecesOf(planned: readonly PlannedCase[], jobs: number): Piece[] {
  const most = Math.min(PIECE, Math.ceil(planned.length / (PIECES_EACH * jobs)));
  const pieces: Piece[] = [];
  for (const [at, { kernel: name, problem }] of planned.entries()) {
    const kernel = `${name} ${problem.precision}`;
    const isLarge = productsOf(planned[at]) >= LARGE;
    const isOpen = (piece: Piece) =>
      !isLarge && !piece.isLarge && piece.kernel === kernel && piece.places.length < most;
    const open = pieces.find(isOpen);
    if (open === undefined) pieces.push({ kernel, places: [at], isLarge });
    else open.places.push(at);
  }
  return pieces;
}

/** The next piece, of the same kernel if one is left; it is taken out. */
function nextOf(pieces: Piece[], kernel?: string): Piece | undefined {
  const same = pieces.findIndex((piece) => piece.kernel === kernel);
  return pieces.splice(Math.max(0, same), 1)[0];
}

/** A process that judges. */
interface Job {
  /** @returns why the process ended, if it did: it was at the first case of which it has not told. */
  judge(
    cases: readonly JobCase[],
    tell: (at: number, result: CaseResult) => void,
    stop: () => boolean,
  ): Promise<string | undefined>;
  end(): Promise<void>;
  kill(): void;
}

/** @param started takes it before it is ready. @throws ParanoiaError `job-not-started` */
async function startJob({ module, args, limit = LIMIT, onAside }: JobsOptions, started: Job[]): Promise<Job> {
  const child = fork(fileURLToPath(module), [JSON.stringify(args)], {
    ...OWN_GROUP,
    execArgv: nodeOptions(),
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
  const job: Job = {
    judge(cases, tell, stop) {
      send(cases);
      return hear(limit, (answer) => {
        if (answer === 'ready' || 'error' in answer) return false;
        if ('aside' in answer) onAside(answer.aside);
        else {
          tell(answer.at, answer.result);
          if (stop()) send('stop');
        }
        return 'aside' in answer;
      });
    },
    async end() {
      const late = deadline(ENDING, kill);
      if (child.connected) child.disconnect();
      await ended;
      late.cancel();
    },
    kill,
  };
  started.push(job);
  const why = await hear(START_UP, (answer) => answer === 'ready');
  if (why !== undefined) throw jobNotStarted({ why });
  return job;
}

/** An error as it was in the other process: what the operating system refused there keeps its code. */
function errorOf({ code, exitCode, name, message }: JobError): Error {
  if (code !== undefined && exitCode !== undefined) return new ParanoiaError(code, exitCode, message);
  const error = name === 'RangeError' ? new RangeError(message) : new Error(message);
  return Object.assign(error, { code });
}
