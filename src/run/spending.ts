import { isLongLife } from '../evidence/long-life.ts';
import type { Case } from '../problem/case.ts';

/** Multiplications from which the time of a case tells how long larger ones take. */
const TELLING = 2 ** 18;
/** Multiplications that take about as long as one entry does, which is drawn, sent, read and compared. */
const ENTRY = 16;
/** The part of a budget that one case may take at most, unless it takes less than so many seconds. */
const SHARE = 1 / 6;
const ALWAYS = 2;
/** Budgets that cases take at most, the last of which is ended between two of its products; and with all that comes behind them. */
const [WITH_LAST, WITH_ALL] = [1.1, 1.3];
/** Products of a whole program, about. */
const PROGRAM = 150;
/** Seconds from which a call says what many take: of a shorter one most is what judging it takes. */
const SLOW = 0.1;

/** A budget of a kernel that is not trusted: it lives long where another is asked for a product again and again. */
interface Wary {
  /** Seconds that a case may be thought to take, whatever there is. */
  readonly most: number;
  /** What cases have instead which a verdict needs: a kernel is not inconclusive for being slow. */
  readonly longer?: (Longer & { readonly needs: (value: Case) => boolean }) | undefined;
}

/** Seconds until which cases are begun, and that one may be thought to take. */
interface Longer {
  readonly seconds: number;
  readonly most: number;
}

/** What says whether a case can be begun, and is told what cases took. */
export type Budget = Pick<Spending, 'affords' | 'spent' | 'begin' | 'isOver' | 'state' | 'leaveOut'>;

/** What the cases of a kernel have taken. */
interface Spent {
  seconds: number;
  /** Work of the largest that was timed, and the seconds of a unit of it. */
  work: number;
  rate: number;
  /** The least seconds of a call. */
  call: number;
}

/**
 * The seconds that each kernel has, as they are spent: what its largest product took so far says what a larger one will, and what a
 * call took at least, what many will. Several processes at once have them each.
 */
export class Spending {
  private readonly seconds: number;
  private readonly processes: number;
  private readonly wary: Wary | undefined;
  private readonly kernels = new Map<string, Spent>();
  private current: { readonly of: Spent; readonly start: number; readonly until: number } | undefined;

  /** @param seconds of each kernel, in each of so many processes. */
  constructor(seconds: number, processes = 1, wary?: Wary) {
    this.seconds = seconds;
    this.processes = processes;
    this.wary = wary;
  }

  /** Whether a case can be begun: time is left, and as far as is known it will do. */
  affords(value: Case): boolean {
    const { seconds, rate, call } = this.of(value.kernel);
    const all = this.limitsOf(value);
    const left = all.seconds - seconds / this.processes;
    const calls = this.wary !== undefined && isLongLife(value) ? 1 : callsOf(value);
    // One call is begun wherever there is time.
    const expected = Math.max(rate * workOf(value), calls > 1 && call > SLOW ? call * calls : 0);
    return left > 0 && expected <= Math.min(left, all.most);
  }

  private limitsOf(value: Case): Longer {
    const { most = Number.POSITIVE_INFINITY, longer } = this.wary ?? {};
    if (longer?.needs(value) === true && longer.seconds > this.seconds) return longer;
    return { seconds: this.seconds, most: Math.min(most, Math.max(ALWAYS, SHARE * this.seconds)) };
  }

  /** Takes note that the products of a case are asked for from now on. */
  begin(value: Case, now = performance.now()): void {
    const of = this.of(value.kernel);
    // Of the first product, whatever it takes, a verdict says more than of none.
    const share = of.seconds === 0 && callsOf(value) === 1 ? Number.POSITIVE_INFINITY : WITH_LAST;
    this.current = { of, start: now, until: share * this.limitsOf(value).seconds };
  }

  /** Takes note that products of a kernel are asked for from now on for what comes behind its cases. */
  beginBehind(kernel: string, now = performance.now()): void {
    this.current = { of: this.of(kernel), start: now, until: WITH_ALL * this.seconds };
  }

  /** True where what was begun last is to end: no other product is asked for, whatever for. */
  isOver(now = performance.now()): boolean {
    if (this.current === undefined) return false;
    const { of, start, until } = this.current;
    return of.seconds / this.processes + (now - start) / 1000 > until;
  }

  /** The seconds that a kernel has in all, those that each process has spent, and those that cases which were begun still have. */
  state(kernel: string): { readonly seconds: number; readonly spent: number; readonly left: number } {
    const spent = this.of(kernel).seconds / this.processes;
    return { seconds: this.seconds, spent, left: Math.max(0, WITH_LAST * this.seconds - spent) };
  }

  /** Takes note of a case that was begun and is not judged; whoever counts those that are left out overrides it. */
  leaveOut(_: Case): void {}

  /** Takes note that so much of a kernel's seconds was spent elsewhere. */
  spentBefore(kernel: string, seconds: number): void {
    this.of(kernel).seconds = seconds;
  }

  /**
   * Takes note of what cases of one kernel took together.
   * @param tells whether it says how long others will take: what a process takes to begin, or a long life, does not.
   */
  spent(values: readonly Case[], seconds: number, tells = true): void {
    if (values.length === 0) return;
    const own = this.of(values[0].kernel);
    own.seconds += seconds;
    this.current = undefined;
    const calls = values.reduce((sum, value) => sum + callsOf(value), 0);
    if (tells) own.call = Math.min(seconds / calls, own.call || Number.POSITIVE_INFINITY);
    // What a program asks for says nothing of larger products.
    if (!tells || values.some(({ problem }) => problem.program > 0)) return;
    const sumOf = (of: (value: Case) => number) => values.reduce((sum, value) => sum + of(value), 0);
    const work = sumOf(workOf);
    // Small products say what calls cost, and what compiling does.
    if (sumOf(productsOf) < TELLING || 2 * work < own.work) return;
    const rate = seconds / work;
    // Of cases that are alike, what took longer waited for something else: a compiler, or other programs.
    own.rate = work < 2 * own.work ? Math.min(rate, own.rate) : rate;
    own.work = Math.max(work, own.work);
  }

  /** The same seconds anew, with what is known of how long products take. */
  renewed(): Spending {
    const anew = new Spending(this.seconds, this.processes, this.wary);
    for (const [kernel, own] of this.kernels) anew.kernels.set(kernel, { ...own, seconds: 0 });
    return anew;
  }

  private of(kernel: string): Spent {
    const own = this.kernels.get(kernel) ?? { seconds: 0, work: 0, rate: 0, call: 0 };
    this.kernels.set(kernel, own);
    return own;
  }
}

/** Calls that a case asks for, at least. */
export const callsOf = ({ problem: { repeats, program } }: Case): number =>
  repeats + (program > 0 ? PROGRAM : 0);

/** Multiplications of a case, recursion or not. */
export const productsOf = ({ problem: { m, k, n, batch, repeats } }: Case): number =>
  m * k * n * batch * repeats;

/** Multiplications of a case, and what its entries take beside: in thin products these are as many. */
export const workOf = (value: Case): number => {
  const { m, k, n, batch, repeats } = value.problem;
  return productsOf(value) + ENTRY * (m * k + k * n + m * n) * batch * repeats;
};
