import { loadPart } from '../../base/part.ts';
import type { PlannedCase } from '../planned-case.ts';
import { type CaseBudget, callsOf } from '../spending.ts';

export interface CaseQueueOptions {
  /** Knows the measured speed of each kernel. */
  readonly budget: Pick<CaseBudget, 'speedOf'>;
  /** True if the order of a kernel's cases follows its speed. @defaultValue cases stay in their order */
  readonly followsSpeed?: ((kernel: string) => boolean) | undefined;
}

/** The cases of a kernel in one precision, by their places in the plan. */
export interface Lane {
  readonly key: string;
  readonly kernel: string;
  /** Cases that have not started, in their order, and those that have. */
  readonly left: number[];
  readonly started: number[];
}

/** Started cases before the first order by a measured speed. Each later order comes after twice as many. */
export const FIRST = 6;

/**
 * The cases of a run that have not started. Kernels take turns as planned. The cases of a kernel are in their planned order, which assumes
 * a usual speed, until its first products show another one: then those that show more faults for its time come first.
 */
export class CaseQueue {
  private readonly planned: readonly PlannedCase[];
  private readonly options: CaseQueueOptions;
  private readonly byKey = new Map<string, Lane>();
  private readonly turns: Lane[];
  private turn = 0;
  /** For each lane, the number of started cases before its next order. */
  private readonly orders = new Map<Lane, number>();

  constructor(planned: readonly PlannedCase[], options: CaseQueueOptions) {
    this.planned = planned;
    this.options = options;
    this.turns = planned.map((value, at) => {
      const lane = this.laneOf(value);
      lane.left.push(at);
      return lane;
    });
    for (const lane of this.lanes) putQuickFirst(lane, planned);
  }

  private laneOf({ kernel, problem: { precision } }: PlannedCase): Lane {
    const key = `${kernel} ${precision}`;
    const lane = this.byKey.get(key) ?? { key, kernel, left: [], started: [] };
    this.byKey.set(key, lane);
    return lane;
  }

  /** The lanes, with or without cases left. */
  get lanes(): readonly Lane[] {
    return [...this.byKey.values()];
  }

  /** Takes the next case of the kernel whose turn it is. @returns its place, or undefined after the last */
  async next(): Promise<number | undefined> {
    const lane = this.turns[this.turn];
    if (lane === undefined) return undefined;
    this.turn++;
    return (await this.take(lane, (left) => left.slice(0, 1)))[0];
  }

  /** Takes some of the cases that are left in a lane. @returns their places */
  async take(lane: Lane, choose: (left: readonly number[]) => readonly number[]): Promise<readonly number[]> {
    await this.order(lane);
    const chosen = choose(lane.left);
    const isChosen = new Set(chosen);
    lane.left.splice(0, lane.left.length, ...lane.left.filter((at) => !isChosen.has(at)));
    lane.started.push(...chosen);
    return chosen;
  }

  /** Returns the next cases, without taking them. */
  ahead(count: number): PlannedCase[] {
    const seen = new Map<Lane, number>();
    return this.turns.slice(this.turn, this.turn + count).map((lane) => {
      const at = seen.get(lane) ?? 0;
      seen.set(lane, at + 1);
      return this.planned[lane.left[at]];
    });
  }

  /** Orders the cases left by the measured speed of the kernel, at times. */
  private async order(lane: Lane): Promise<void> {
    const { budget, followsSpeed } = this.options;
    const due = this.orders.get(lane) ?? FIRST;
    if (lane.started.length < due || followsSpeed?.(lane.kernel) !== true) return;
    this.orders.set(lane, 2 * due);
    const { orderBySpeed } = await loadPart('orders cases', () => import('./order-by-speed.ts'));
    const casesOf = (places: readonly number[]) => places.map((at) => this.planned[at]);
    const left = [...lane.left];
    const ranks = orderBySpeed(casesOf(left), budget.speedOf(lane.kernel), casesOf(lane.started));
    if (ranks !== undefined) lane.left.splice(0, lane.left.length, ...ranks.map((at) => left[at]));
  }
}

/**
 * Puts the first two cases of a single product first. The first of them starts the process of the kernel, and the time of the second is
 * that of a call.
 */
function putQuickFirst({ left }: Lane, planned: readonly PlannedCase[]): void {
  const isQuick = (at: number) => callsOf(planned[at]) === 1 && (planned[at].after ?? []).length === 0;
  const quick = left.filter(isQuick).slice(0, 2);
  left.splice(0, left.length, ...quick, ...left.filter((at) => !quick.includes(at)));
}
