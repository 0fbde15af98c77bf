import type { Case } from '../problem/case.ts';

/** Multiplications from which the time of a case tells how long larger ones take. */
const TELLING = 2 ** 18;
/** The part of a budget that one case may take at most, unless it takes less than so many seconds. */
const SHARE = 1 / 6;
const ALWAYS = 2;

/** What says whether a case can be begun, and is told what cases took. */
export type Budget = Pick<Spending, 'affords' | 'spent'>;

/** What the cases of a kernel have taken. */
interface Spent {
  seconds: number;
  /** Multiplications of the largest that was timed, and the seconds of one in it. */
  products: number;
  rate: number;
}

/**
 * The seconds that each kernel has, as they are spent: what its largest product took so far says what a larger one will. Several
 * processes at once have them each.
 */
export class Spending {
  private readonly seconds: number;
  private readonly processes: number;
  private readonly kernels = new Map<string, Spent>();

  /** @param seconds of each kernel, in each of so many processes. */
  constructor(seconds: number, processes = 1) {
    this.seconds = seconds;
    this.processes = processes;
  }

  /** Whether a case can be begun: time is left, and as far as is known it will do. */
  affords(value: Case): boolean {
    const { seconds, rate } = this.of(value.kernel);
    const left = this.seconds - seconds / this.processes;
    return left > 0 && rate * productsOf(value) <= Math.min(left, Math.max(ALWAYS, SHARE * this.seconds));
  }

  /** Takes note of what cases of one kernel took together. */
  spent(values: readonly Case[], seconds: number): void {
    if (values.length === 0) return;
    const own = this.of(values[0].kernel);
    own.seconds += seconds;
    const products = values.reduce((sum, value) => sum + productsOf(value), 0);
    // Small products say what calls cost, and what compiling does.
    if (products < TELLING || 2 * products < own.products) return;
    own.products = Math.max(products, own.products);
    own.rate = seconds / products;
  }

  /** The same seconds anew, with what is known of how long products take. */
  renewed(): Spending {
    const anew = new Spending(this.seconds, this.processes);
    for (const [kernel, own] of this.kernels) anew.kernels.set(kernel, { ...own, seconds: 0 });
    return anew;
  }

  private of(kernel: string): Spent {
    const own = this.kernels.get(kernel) ?? { seconds: 0, products: 0, rate: 0 };
    this.kernels.set(kernel, own);
    return own;
  }
}

/** Multiplications of a case, recursion or not. */
export const productsOf = ({ problem: { m, k, n, batch, repeats } }: Case): number =>
  m * k * n * batch * repeats;
