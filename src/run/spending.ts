import { type Clock, wallClock } from '../base/time.ts';
import { isLongLife } from '../evidence/long-life.ts';
import type { Case } from '../problem/case.ts';
import type { PlannedCase } from './planned-case.ts';

/** Multiplications from which the time of a case predicts that of larger ones. */
const TELLING = 2 ** 18;
/** Multiplications that take about as long as one entry, which is drawn, sent, read and compared. */
const ENTRY = 16;
/** Largest share of a budget for one case, unless the case takes less than the seconds of `ALWAYS`. */
const SHARE = 1 / 6;
const ALWAYS = 2;
/** Limits in budgets: for the cases, the last of which is ended between two of its products; and for all work including that after them. */
const [WITH_LAST, WITH_ALL] = [1.1, 1.3];
/** Approximate number of products of a whole program. */
const PROGRAM = 150;
/** Approximate work of a product of a sweep. */
const SWEPT = 2 ** 14;
/** Seconds up to which a sweep starts without regard to what a pass needs. Beside load, the time for that is overestimated at first. */
const BRIEF = 1;
/** Seconds from which a call predicts the time of many. A shorter one is mostly the time of judging it. */
const SLOW = 0.1;

export interface SpendingOptions {
  /** Processes that judge at once. They have the seconds each. @defaultValue 1 */
  readonly processes?: number | undefined;
  /** Clock that counts the seconds. @defaultValue this machine's */
  readonly clock?: Clock | undefined;
  /** Most expected seconds of a case, if less than a sixth of the budget. @defaultValue unlimited */
  readonly most?: number | undefined;
  /** Seconds up to which cases that a pass needs start. @defaultValue unlimited: slowness decides no verdict */
  readonly longest?: number | undefined;
}

/** Limits of a case: the seconds of its kernel up to which it starts, and its most expected seconds. */
interface Limits {
  readonly seconds: number;
  readonly most: number;
}

/** The budget of cases. It decides if a case can start, and receives the times of cases. */
export type CaseBudget = Pick<
  Spending,
  'affords' | 'expects' | 'spent' | 'begin' | 'isOver' | 'state' | 'leaveOut' | 'reserve' | 'speedOf'
>;

/** The measured seconds of a kernel and its judge: least of a call, and of a unit of work; and the kernel's least for a product. */
export interface MeasuredSpeed {
  readonly call: number;
  readonly work: number;
  readonly product?: number | undefined;
}

/** Spent time of the cases of a kernel. */
interface Spent {
  seconds: number;
  /** Work of the largest timed case, and its seconds per unit of work. */
  work: number;
  rate: number;
  /** Least seconds of a call, and of a product without its message and its judge. */
  call: number;
  product: number;
  /** Cases that a pass needs and that have not started. */
  readonly owed: Set<Case>;
}

/** The work that was started last: its limit, and both clocks at its start. */
interface Current {
  readonly of: Spent;
  readonly until: number;
  readonly start: number;
  readonly started: number;
}

/**
 * The running account of each kernel's seconds. The time of its largest product so far predicts larger ones, and the least time of a
 * call predicts many calls. Several processes at once have the seconds each.
 */
export class Spending {
  private readonly seconds: number;
  private readonly options: SpendingOptions;
  private readonly processes: number;
  private readonly clock: Clock;
  private readonly kernels = new Map<string, Spent>();
  private current: Current | undefined;

  /** @param seconds seconds of each kernel, in each process. */
  constructor(seconds: number, options: SpendingOptions = {}) {
    this.seconds = seconds;
    this.options = options;
    this.processes = options.processes ?? 1;
    this.clock = options.clock ?? wallClock;
  }

  /** Reserves the time of the cases that a pass needs: other cases start only if their time leaves enough for these. */
  reserve(planned: readonly PlannedCase[]): void {
    for (const value of planned) if (isNeeded(value)) this.of(value.kernel).owed.add(value);
  }

  /** Returns the measured speed of a kernel. Seconds are 0 where nothing was measured. */
  speedOf(kernel: string): MeasuredSpeed {
    const { call, rate, product } = this.of(kernel);
    return { call, work: rate, product };
  }

  /** Returns the expected seconds of a case; 0 while the kernel's speed is not known, and for a case that takes too long to start. */
  expects(value: PlannedCase | Case): number {
    const of = this.of(value.kernel);
    const seconds = Math.max(this.expected(of, value), of.call * callsOf(value));
    return seconds <= this.limitsOf(value).most ? seconds : 0;
  }

  /** True if a case can start: a pass needs it, or time is left and its expected time fits. */
  affords(value: PlannedCase | Case): boolean {
    const of = this.of(value.kernel);
    const all = this.limitsOf(value);
    const left = all.seconds - of.seconds / this.processes;
    if (isNeeded(value)) return left > 0;
    if (value.problem.sweep > 0 && this.expected(of, value) <= BRIEF) return left > BRIEF;
    const reserved = [...of.owed].reduce((sum, one) => sum + this.expected(of, one), 0) / this.processes;
    return left > reserved && this.expected(of, value) <= Math.min(left - reserved, all.most);
  }

  /** Returns the expected seconds of a case; 0 for a single call of unknown time, which starts wherever there is time. */
  private expected({ rate, call, product }: Spent, value: Case): number {
    const { sweep } = value.problem;
    if (sweep > 0) return Math.max(rate * estimateWork(value), product * sweep);
    const calls = this.options.most !== undefined && isLongLife(value) ? 1 : callsOf(value);
    return Math.max(rate * estimateWork(value), calls > 1 && call > SLOW ? call * calls : 0);
  }

  private limitsOf(value: PlannedCase | Case): Limits {
    const { most = Math.max(ALWAYS, SHARE * this.seconds), longest = Number.POSITIVE_INFINITY } =
      this.options;
    if (isNeeded(value)) return { seconds: Math.max(longest, this.seconds), most: Number.POSITIVE_INFINITY };
    return { seconds: this.seconds, most: Math.min(most, Math.max(ALWAYS, SHARE * this.seconds)) };
  }

  /** Records that the products of a case start now. */
  begin(value: PlannedCase | Case): void {
    const of = this.of(value.kernel);
    of.owed.delete(value);
    // A verdict on the first product, whatever its time, says more than none.
    const share = of.seconds === 0 && callsOf(value) === 1 ? Number.POSITIVE_INFINITY : WITH_LAST;
    this.start(of, share * this.limitsOf(value).seconds);
  }

  /** Records that products of a kernel start now for the work after its cases. */
  beginBehind(kernel: string): void {
    const of = this.of(kernel);
    const spent = Math.max(this.seconds, of.seconds / this.processes);
    this.start(of, spent + (WITH_ALL - 1) * this.seconds);
  }

  private start(of: Spent, until: number): void {
    this.current = { of, until, start: this.clock(), started: performance.now() };
  }

  /** True if the work that was started last must end: no other product is computed for it. */
  isOver(): boolean {
    if (this.current === undefined) return false;
    const { of, until, started } = this.current;
    const { mostPerMs } = this.clock;
    const left = until - of.seconds / this.processes;
    // It is asked after each product, so a slow clock is not read before it can have reached the limit.
    const canBeOver = mostPerMs === undefined || mostPerMs * (performance.now() - started) > 1000 * left;
    return canBeOver && this.sinceStart() > left;
  }

  /** Returns the seconds since the last start. */
  private sinceStart(): number {
    return this.current === undefined ? 0 : (this.clock() - this.current.start) / 1000;
  }

  /** Returns the seconds of a kernel in all, those that each process has spent, and those that remain for started cases. */
  state(kernel: string): { readonly seconds: number; readonly spent: number; readonly left: number } {
    const spent = this.of(kernel).seconds / this.processes;
    return { seconds: this.seconds, spent, left: Math.max(0, WITH_LAST * this.seconds - spent) };
  }

  /** Records a started case that is not judged. Subclasses that count omitted cases override it. */
  leaveOut(_: Case): void {}

  /** Records seconds of a kernel that were spent elsewhere. */
  spentBefore(kernel: string, seconds: number): void {
    this.of(kernel).seconds = seconds;
  }

  /**
   * Records the time of cases of one kernel together.
   * @param given seconds of a process that judged them. @defaultValue those since they began
   * @param tells true if it predicts other times. The start of a process, or a long life, does not.
   * @param product seconds of the kernel for a product of them. @defaultValue unknown
   */
  spent(values: readonly Case[], given?: number, tells = true, product?: number): void {
    if (values.length === 0) return;
    const own = this.of(values[0].kernel);
    if (product !== undefined) own.product = Math.min(product, own.product || Number.POSITIVE_INFINITY);
    for (const value of values) own.owed.delete(value);
    const seconds = given ?? this.sinceStart();
    // A clock of processor time moves in steps: no case took longer than by the clock on the wall.
    const elapsed = given ?? (performance.now() - (this.current?.started ?? 0)) / 1000;
    own.seconds += seconds;
    this.current = undefined;
    if (tells) predict(own, values, Math.min(seconds, elapsed));
  }

  /** Returns an account with the same seconds, none spent, that knows how long products take. */
  renewed(): Spending {
    const anew = new Spending(this.seconds, this.options);
    for (const [kernel, own] of this.kernels)
      anew.kernels.set(kernel, { ...own, seconds: 0, owed: new Set() });
    return anew;
  }

  private of(kernel: string): Spent {
    const own = this.kernels.get(kernel) ?? {
      seconds: 0,
      work: 0,
      rate: 0,
      call: 0,
      product: 0,
      owed: new Set(),
    };
    this.kernels.set(kernel, own);
    return own;
  }
}

const isNeeded = (value: PlannedCase | Case): boolean => 'needed' in value && value.needed === true;

/** Learns from the time of cases how long others take. */
function predict(own: Spent, values: readonly Case[], seconds: number): void {
  const sumOf = (of: (value: Case) => number) => values.reduce((sum, value) => sum + of(value), 0);
  // A message with many products is cheaper than as many calls.
  if (values.some(({ problem }) => problem.sweep > 0)) return;
  own.call = Math.min(seconds / sumOf(callsOf), own.call || Number.POSITIVE_INFINITY);
  // The products of a program do not predict larger ones.
  if (values.some(({ problem }) => problem.program > 0)) return;
  const work = sumOf(estimateWork);
  // Small products show the cost of calls and of compiling.
  if (sumOf(countCaseProducts) < TELLING || 2 * work < own.work) return;
  const rate = seconds / work;
  // Among similar cases, a slower one waited for something else: a compiler, or other programs.
  own.rate = work < 2 * own.work ? Math.min(rate, own.rate) : rate;
  own.work = Math.max(work, own.work);
}

/** Returns the least number of calls of a case. */
export const callsOf = ({ problem: { repeats, program, sweep } }: Case): number =>
  repeats + (program > 0 ? PROGRAM : 0) + sweep;

/** Returns the multiplications of a case, with or without recursion. */
export const countCaseProducts = ({ problem: { m, k, n, batch, repeats } }: Case): number =>
  m * k * n * batch * repeats;

/** Returns the work of a case: multiplications, plus the cost of entries, which is as large in thin products. */
export const estimateWork = (value: Case): number => {
  const { m, k, n, batch, repeats, sweep } = value.problem;
  return SWEPT * sweep + countCaseProducts(value) + ENTRY * (m * k + k * n + m * n) * batch * repeats;
};
