import type { ParanoiaError } from '../../base/errors.ts';
import { lookUp } from '../../base/look-up.ts';
import { SHARE } from '../../base/node/processor-clock.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import { TIME_LIMIT } from '../../kernels/deadline.ts';
import { formatCase } from '../../problem/case.ts';
import type { Baselines } from '../baselines.ts';
import { jobEnded } from '../messages.ts';
import type { PlannedCase } from '../planned-case.ts';
import type { JudgeCases } from '../run-gate.ts';
import { countCaseProducts } from '../spending.ts';
import type { CaseCallbacks, JobCase, JobProcess, StartedJobs } from './job-process.ts';

/** Options of judging in processes. */
interface JobsOptions extends Omit<CaseCallbacks, 'tell'> {
  readonly jobs: StartedJobs;
  readonly baselines: Baselines;
  /** Returns the result of a case whose process ended in it. */
  readonly lost: (value: PlannedCase, error: ParanoiaError) => Promise<CaseResult>;
}

/** Most cases that are sent to a process at once, so that a budget is kept. */
const PIECE = 16;
/** Fewest pieces of a campaign for each process, so that no process waits long for the others. */
const PIECES_EACH = 4;

/**
 * Judges cases in several processes, each with a device of its own. A process that dies or does not answer is replaced, and its current
 * case is inconclusive.
 * @throws ParanoiaError `job-not-started`, and errors of a process that do not concern one case
 */
export function judgeInProcesses(options: JobsOptions): JudgeCases {
  const { jobs, baselines, stop, lost, onAside } = options;
  return async (planned, tell, budget) => {
    const pieces = piecesOf(planned, jobs.count);
    const next = handingOut(pieces);
    // A lost device without a replacement ends the run.
    let deviceless = false;
    const ends = () => deviceless || stop();
    const jobCase = (at: number): JobCase => {
      const { series, detailed = false, needed = false, after = [] } = planned[at];
      const text = formatCase(planned[at]);
      return {
        at,
        text,
        after: after.map(formatCase),
        series,
        detailed,
        needed,
        baseline: lookUp(baselines.cases, text),
      };
    };
    const work = async () => {
      let job: JobProcess | undefined;
      for (let piece = next(); piece !== undefined; piece = next(piece.kernel)) {
        const left = new Set(piece.places.filter((at) => budget.affords(planned[at])));
        const told = (at: number, result: CaseResult, seconds: number) => {
          left.delete(at);
          budget.spent([planned[at]], seconds);
          tell(at, result);
        };
        // Cases that the budget did not afford in the process, or cut off, are not judged.
        const leaveOut = () => {
          for (const at of left) budget.leaveOut(planned[at]);
          left.clear();
        };
        while (left.size > 0 && !ends()) {
          job ??= await jobs.next();
          const sent = performance.now();
          const { seconds, spent, left: most } = budget.state(planned[piece.places[0]].kernel);
          const why = await job.judge([...left].map(jobCase), {
            ...{ tell: told, stop: ends, limit: TIME_LIMIT + most / SHARE },
            budget: Number.isFinite(seconds) ? { seconds, spent } : undefined,
            onAside(aside) {
              deviceless ||= aside.interrupted && left.size > 0 && !stop();
              onAside(aside);
            },
          });
          if (why !== undefined) job = undefined;
          const [at] = left;
          if (at === undefined || ends()) continue;
          // A process that ended did not say what it spent.
          if (why !== undefined) budget.spent([planned[at]], (performance.now() - sent) / 1000, false);
          const isAfforded = why !== undefined && [...left].some((one) => budget.affords(planned[one]));
          if (isAfforded)
            told(at, await lost(planned[at], jobEnded({ case: formatCase(planned[at]), why })), 0);
          else leaveOut();
        }
      }
      await job?.end();
    };
    try {
      await Promise.all(Array.from({ length: Math.min(jobs.count, pieces.length) }, work));
    } finally {
      jobs.kill();
    }
    return ends();
  };
}

/** Cases of one kernel, by their places. A process so compiles for few kernels, and does not repeat another's work. */
interface Piece {
  readonly kernel: string;
  readonly places: number[];
  /** True if it is one slow product, which a budget may not afford. */
  readonly isLarge: boolean;
}

/** Multiplications from which a case is a piece of its own. */
const LARGE = 2 ** 22;

function piecesOf(planned: readonly PlannedCase[], jobs: number): Piece[] {
  const most = Math.min(PIECE, Math.ceil(planned.length / (PIECES_EACH * jobs)));
  const pieces: Piece[] = [];
  for (const [at, { kernel: name, problem }] of planned.entries()) {
    const kernel = `${name} ${problem.precision}`;
    const isLarge = countCaseProducts(planned[at]) >= LARGE;
    const isOpen = (piece: Piece) =>
      !isLarge && !piece.isLarge && piece.kernel === kernel && piece.places.length < most;
    const open = pieces.find(isOpen);
    if (open === undefined) pieces.push({ kernel, places: [at], isLarge });
    else open.places.push(at);
  }
  return pieces;
}

/**
 * Hands out pieces, each once. A process gets another piece of its last kernel if any is left. Else it gets one of the kernel with the
 * most pieces for each process at work on it, so that few processes compile for the same kernel.
 */
function handingOut(pieces: Piece[]): (last?: string) => Piece | undefined {
  const at: string[] = [];
  return (last) => {
    if (last !== undefined) at.splice(at.indexOf(last), 1);
    const left = new Map<string, number>();
    for (const { kernel } of pieces) left.set(kernel, (left.get(kernel) ?? 0) + 1);
    const share = (kernel: string) =>
      (left.get(kernel) as number) / (1 + at.filter((one) => one === kernel).length);
    const shares = [...left.keys()].sort((one, other) => share(other) - share(one));
    const kernel = shares.find((one) => one === last) ?? shares[0];
    if (kernel === undefined) return undefined;
    at.push(kernel);
    return pieces.splice(
      pieces.findIndex((piece) => piece.kernel === kernel),
      1,
    )[0];
  };
}
