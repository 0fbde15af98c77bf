import type { Case } from '../problem/case.ts';

/** Multiplications from which the time of a case tells how long larger ones take. */
const TELLING = 2 ** 18;
/** The part of a budget that one case may take at most, unless it takes less than so many seconds. */
const SHARE = 1 / 6;
const ALWAYS = 2;

/** A budget as it is spent: what kernels have needed for their largest products so far says what larger ones need. */
export class Spending {
  private readonly seconds: number;
  private readonly end: number;
  /** Of each kernel the largest product that was timed, and the seconds of a multiplication in it. */
  private readonly rates = new Map<string, { products: number; rate: number }>();

  /** @param seconds from now on. */
  constructor(seconds: number) {
    this.seconds = seconds;
    this.end = performance.now() + 1000 * seconds;
  }

  get isOver(): boolean {
    return performance.now() >= this.end;
  }

  /** Whether a case can be begun: time is left, and as far as is known it will do. */
  affords(value: Case): boolean {
    const left = (this.end - performance.now()) / 1000;
    if (left <= 0) return false;
    const { rate } = this.rates.get(value.kernel) ?? { rate: 0 };
    const expected = rate * productsOf(value);
    return expected <= Math.min(left, Math.max(ALWAYS, SHARE * this.seconds));
  }

  /** Takes note of what cases of one kernel took together. */
  spent(values: readonly Case[], seconds: number): void {
    const products = values.reduce((sum, value) => sum + productsOf(value), 0);
    for (const { kernel } of values.slice(0, 1)) {
      const before = this.rates.get(kernel)?.products ?? 0;
      // Small products say what calls cost, and what compiling does.
      if (products < TELLING || 2 * products < before) continue;
      this.rates.set(kernel, { products: Math.max(products, before), rate: seconds / products });
    }
  }
}

/** Multiplications of a case, recursion or not. */
export const productsOf = ({ problem: { m, k, n, batch } }: Case): number => m * k * n * batch;
