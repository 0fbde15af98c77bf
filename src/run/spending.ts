import type { Case } from '../problem/case.ts';

/** Multiplications from which the time of a case tells how long larger ones take. */
const TELLING = 2 ** 18;
/** Multiplications that take about as long as one entry does, which is drawn, sent, read and compared. */
const ENTRY = 16;
/** The part of a budget that one case may take at most, unless it takes less than so many seconds. */
const SHARE = 1 / 6;
const ALWAYS = 2;

/** What says whether a case can be begun, and is told what cases took. */
export type Budget = Pick<Spending, 'affords' | 'spent'>;

/** What the cases of a kernel have taken. */
interface Spent {
  seconds: number;
  /** Work of the largest that was timed, and the seconds of a unit of it. */
  work: number;
  rate: number;
}

/**
 * The seconds that each kernel has, as they are spent: what its largest product took so far says what a larger one will. Several
 * processes at once have them each.
 */
export class Spending {
  private readonly seconds: number;
  private readonly processes: number;
  private readonly most: number;
  private readonly kernels = new Map<string, Spent>();

  /**
   * @param seconds of each kernel, in each of so many processes.
   * @param most seconds that a case may be thought to take, whatever there is.
   */
  constructor(seconds: number, processes = 1, most = Number.POSITIVE_INFINITY) {
    this.seconds = seconds;
    this.processes = processes;
    this.most = most;
  }

  /** Whether a case can be begun: time is left, and as far as is known it will do. */
  affords(value: Case): boolean {
    const { seconds, rate } = this.of(value.kernel);
    const left = this.seconds - seconds / this.processes;
    return (
      left > 0 && rate * workOf(value) <= Math.min(left, this.most, Math.max(ALWAYS, SHARE * this.seconds))
    );
  }

  /**
   * Takes note of what cases of one kernel took together.
   * @param tells whether it says how long others will take: what a process takes to begin, or a long life, does not.
   */
  spent(values: readonly Case[], seconds: number, tells = true): void {
    if (values.length === 0) return;
    const own = this.of(values[0].kernel);
    own.seconds += seconds;
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
    const anew = new Spending(this.seconds, this.processes, this.most);
    for (const [kernel, own] of this.kernels) anew.kernels.set(kernel, { ...own, seconds: 0 });
    return anew;
  }

  private of(kernel: string): Spent {
    const own = this.kernels.get(kernel) ?? { seconds: 0, work: 0, rate: 0 };
    this.kernels.set(kernel, own);
    return own;
  }
}

/** Multiplications of a case, recursion or not. */
export const productsOf = ({ problem: { m, k, n, batch, repeats } }: Case): number =>
  m * k * n * batch * repeats;

/** Multiplications of a case, and what its entries take beside: in thin products these are as many. */
export const workOf = (value: Case): number => {
  const { m, k, n, batch, repeats } = value.problem;
  return productsOf(value) + ENTRY * (m * k + k * n + m * n) * batch * repeats;
};
