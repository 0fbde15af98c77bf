import type { ParanoiaError } from '../../base/errors.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import { formatCase } from '../../problem/case.ts';
import type { Baselines } from '../baselines.ts';
import { jobEnded } from '../messages.ts';
import type { PlannedCase } from '../planned-case.ts';
import type { JudgeCases } from '../run-gate.ts';
import { productsOf } from '../spending.ts';
import { type Aside, type Job, type JobCase, type Jobs, startJob } from './job-process.ts';

/** What they need beside the cases. */
interface JobsOptions extends Jobs {
  readonly baselines: Baselines;
  readonly stop: () => boolean;
  /** The result of a case whose process ended in it. */
  readonly lost: (value: PlannedCase, error: ParanoiaError) => Promise<CaseResult>;
  readonly onAside: (aside: Aside) => void;
}

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
  const { count, baselines, stop, lost, onAside } = options;
  return async (planned, tell, budget) => {
    const pieces = piecesOf(planned, count);
    const started: Pick<Job, 'kill'>[] = [];
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
          job ??= await startJob(options, onAside, started);
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
