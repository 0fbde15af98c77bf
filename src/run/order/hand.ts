import type { PlannedCase } from '../planned-case.ts';
import { type CaseBudget, countCaseProducts } from '../spending.ts';
import { CaseQueue, type CaseQueueOptions, type Lane } from './case-queue.ts';

export interface HandOptions extends CaseQueueOptions {
  readonly budget: Pick<CaseBudget, 'speedOf' | 'expects'>;
}

/** Cases of one kernel, by their places. */
export interface Piece {
  readonly lane: Lane;
  readonly places: readonly number[];
}

/** Most cases that are sent to a process at once, so that a budget is kept. */
const PIECE = 16;
/** Fewest pieces of a campaign for each process, so that no process waits long for the others. */
const PIECES_EACH = 4;
/**
 * Processes for which the expected time of a long case is taken as it is. Small cases predict it too low, up to eight times as measured. A
 * case that starts too early takes the place of others in one process, which matters less the more there are.
 */
const CAREFUL = 4;
/** Multiplications from which a case is sent alone: a budget may not afford it. */
const LARGE = 2 ** 22;

/**
 * Hands out cases of one kernel, a few together, each once. A process so compiles for few kernels, and does not repeat another's work. It
 * gets more of its last kernel if any is left. Else it gets some of the kernel with the most cases for each process at work on it. A case
 * that takes as long as all others in the other processes starts at once: started last, it would run alone. One process at a time does so.
 */
export class Hand {
  private readonly planned: readonly PlannedCase[];
  private readonly queue: CaseQueue;
  private readonly processes: number;
  private readonly budget: HandOptions['budget'];
  private readonly most: number;
  private readonly atWork: Lane[] = [];
  /** The piece of the long case that is judged now. */
  private longAtWork: Piece | undefined;

  constructor(planned: readonly PlannedCase[], processes: number, options: HandOptions) {
    this.planned = planned;
    this.queue = new CaseQueue(planned, options);
    this.processes = processes;
    this.budget = options.budget;
    this.most = Math.min(PIECE, Math.ceil(planned.length / (PIECES_EACH * processes)));
  }

  /** Takes the next cases for a process. @param last its last kernel. @returns undefined if none are left */
  async next(last?: Piece): Promise<Piece | undefined> {
    if (last !== undefined) this.atWork.splice(this.atWork.indexOf(last.lane), 1);
    if (last !== undefined && last === this.longAtWork) this.longAtWork = undefined;
    const long = this.long();
    if (long !== undefined) this.longAtWork = long;
    const lane = long?.lane ?? this.choose(last?.lane);
    if (lane === undefined) return undefined;
    this.atWork.push(lane);
    // Another process may have taken the long case while the queue loaded its order.
    const isLeft = (left: readonly number[]) => long?.places.every((at) => left.includes(at)) === true;
    const places = await this.queue.take(lane, (left) =>
      long !== undefined && isLeft(left) ? long.places : this.pieceOf(left),
    );
    const piece = { lane, places };
    if (long !== undefined) this.longAtWork = places === long.places ? piece : undefined;
    return piece;
  }

  private choose(last: Lane | undefined): Lane | undefined {
    const open = this.queue.lanes.filter(({ left }) => left.length > 0);
    if (last !== undefined && open.includes(last)) return last;
    const share = (lane: Lane) =>
      this.piecesIn(lane) / (1 + this.atWork.filter((one) => one === lane).length);
    return open.toSorted((one, other) => share(other) - share(one))[0];
  }

  private piecesIn({ left }: Lane): number {
    const large = left.filter((at) => this.isLarge(at)).length;
    return large + Math.ceil((left.length - large) / this.most);
  }

  /** Returns the first cases that are left: a large one alone, or some others. */
  private pieceOf(left: readonly number[]): readonly number[] {
    return left.length > 0 && this.isLarge(left[0])
      ? left.slice(0, 1)
      : left.filter((at) => !this.isLarge(at)).slice(0, this.most);
  }

  private isLarge(at: number): boolean {
    return countCaseProducts(this.planned[at]) >= LARGE;
  }

  /** Returns the longest case that is left, if it takes as long as all others in the other processes. */
  private long(): Piece | undefined {
    if (this.processes === 1 || this.longAtWork !== undefined) return undefined;
    let [all, longest]: [number, { lane: Lane; at: number; seconds: number } | undefined] = [0, undefined];
    for (const lane of this.queue.lanes) {
      for (const at of lane.left) {
        const seconds = this.budget.expects(this.planned[at]);
        all += seconds;
        if (this.isLarge(at) && seconds > (longest?.seconds ?? 0)) longest = { lane, at, seconds };
      }
    }
    if (longest === undefined) return undefined;
    const { lane, at, seconds } = longest;
    const isLong = (this.processes / CAREFUL) * seconds * (this.processes - 1) > all - seconds;
    return isLong ? { lane, places: [at] } : undefined;
  }
}
