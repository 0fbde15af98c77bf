import { addToMessage, ParanoiaError } from '../base/errors.ts';
import { loadPart } from '../base/part.ts';
import { type Product, type ProductOutcome, requireProduct } from '../gpu/runner/product.ts';
import { type KernelJob, runJobs } from '../kernels/kernel.ts';
import { clockAndPidOf } from '../kernels/simulated-clock-and-pid.ts';
import { type Case, changeCase, formatCase } from '../problem/case.ts';
import type { Evidence, ProductJob, RepeatedProduct } from './evidence.ts';
import type { JudgingItems } from './items.ts';
import { canLiveLong, isLongLife, type LifeSpan } from './long-life.ts';
import { timeIsOver } from './messages.ts';
import { isRepeated } from './prepare.ts';
import type { Timing } from './timing.ts';

/** The number of repetitions of a case that cannot be a long life. */
const INSTEAD = 3;

interface ProductCallOptions {
  readonly items: JudgingItems;
  readonly timing: Timing;
  /** True if kernels are untrusted. */
  readonly wary: boolean;
  /** True if products are only timed: each is then computed once. */
  readonly timed: boolean;
  readonly life: LifeSpan;
  /** Called before every product; true ends the run. */
  readonly ends: () => boolean;
}

/** Calls kernels: for one product of a job, or for as many, and after as many others, as its case requires. */
export class ProductCalls {
  private readonly options: ProductCallOptions;
  /** The number of products of each long life, by the text of its case. */
  private readonly lives = new Map<string, number>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(options: ProductCallOptions) {
    this.options = options;
  }

  /** Returns the function that computes products in the surroundings of a job. */
  multiplier(job: ProductJob) {
    const around = this.surroundings(job);
    return (meanwhile?: () => void) => async (asked: KernelJob) =>
      requireProduct((await this.run([{ ...asked, ...around }], meanwhile))[0]);
  }

  /** Computes the product as often as its case requires. */
  async asked(
    job: ProductJob,
    multiply: (asked: KernelJob) => Promise<Product>,
  ): Promise<[Product, ...RepeatedProduct[]]> {
    const { case: value } = job;
    const { items, timed, wary } = this.options;
    if (value !== undefined && value.problem.program > 0) await this.walked(job, value, multiply);
    if (value !== undefined && value.problem.sweep > 0) {
      const { runSweep } = await loadPart('sweeps small sizes', () => import('./sweep.ts'));
      await runSweep(job, value, items, multiply);
    }
    if (value === undefined || timed || value.problem.repeats === 1) {
      const product = await multiply(job);
      return this.repeats(job) ? [product, await multiply(job)] : [product];
    }
    if (wary && canLiveLong(job)) return this.lived(job, value, multiply);
    const asOften = wary && isLongLife(value) ? changeCase(value, { repeats: INSTEAD }) : value;
    const { listRepetitions } = await loadPart('asks for products again', () => import('./repetitions.ts'));
    const products: RepeatedProduct[] = [];
    const mayDiffer = job.kernel.claims?.deterministic === false;
    for (const { job: own, before, when } of listRepetitions(job, asOften, items, wary)) {
      for (const other of before) await amongRepetitions(value, multiply(other));
      const product = { ...(await multiply(own)), when };
      // Where all answers must be the same, the first and one that differs are enough. Elsewhere only equal ones are dropped.
      if (mayDiffer && products.length > 1 && harmOf(product) === 0 && isSame(products[0], product)) continue;
      if (!mayDiffer) products.splice(1);
      products.push(product);
      if (!mayDiffer && products.length > 1 && !isSame(products[0], products[1])) break;
    }
    return products as [Product, ...RepeatedProduct[]];
  }

  /** Runs a program before the product; a failure ends the kernel's process, and all state with it. */
  private async walked(
    job: ProductJob,
    value: Case,
    multiply: (asked: KernelJob) => Promise<Product>,
  ): Promise<void> {
    const { runProgram } = await loadPart(
      'asks for whole programs',
      () => import('./whole-programs/walk.ts'),
    );
    const { session } = job.kernel;
    const renew = async () => session.renew?.();
    await runProgram(job, value, { ask: multiply, renew });
  }

  /** Computes the product before and after very many small ones. A repetition takes as many as the first run did. */
  private async lived(
    job: ProductJob,
    value: Case,
    multiply: (asked: KernelJob) => Promise<Product>,
  ): Promise<[Product, RepeatedProduct]> {
    const { liveLong } = await loadPart('asks for very many products', () => import('./live-long.ts'));
    const text = formatCase(value);
    const first = await multiply(job);
    const told = (made: number) => this.lives.set(text, made);
    try {
      const known = this.lives.get(text);
      const span = known === undefined ? this.options.life : { count: known };
      const count = await liveLong(job, value, span, { ask: multiply, told });
      return [first, { ...(await multiply(job)), when: `after ${count} small products` }];
    } catch (error) {
      // The kernel's own count ends with its process, and so does the recorded one.
      await job.kernel.session.renew?.();
      throw error;
    }
  }

  /** Returns the simulated surroundings of an untrusted kernel, the same for every call that belongs to a case. */
  private surroundings({ case: value }: ProductJob): Pick<KernelJob, 'surroundings'> {
    return this.options.wary && value !== undefined
      ? { surroundings: clockAndPidOf(value.problem.seed) }
      : {};
  }

  /** True if a second run of a product shows whether its kernel repeats itself. */
  repeats({ case: value, kernel }: ProductJob): boolean {
    return !this.options.timed && value !== undefined && isRepeated(value, kernel);
  }

  /** Runs products one after the other, since error scopes are a stack of the device. @throws ParanoiaError `time-is-over` */
  run(jobs: readonly ProductJob[], meanwhile?: () => void): Promise<ProductOutcome[]> {
    const result = this.last.then(() => {
      if (this.options.ends()) throw timeIsOver();
      return this.options.timing.wait('device', () => runJobs(jobs, meanwhile));
    });
    this.last = result.catch(() => {});
    return result;
  }
}

/** Finds the first answer of a product, and one that differs from it; the last where none differs. */
export function findDifferingAnswers([first, ...others]: readonly [Product, ...RepeatedProduct[]]): [
  Product,
  RepeatedProduct?,
] {
  const other = others.find((one) => !isSame(first, one)) ?? others.at(-1);
  return other === undefined ? [first] : [first, other];
}

/** Awaits a product that a case computes between its repetitions. An error of its kernel then names both products. */
async function amongRepetitions({ problem }: Case, product: Promise<Product>): Promise<void> {
  try {
    await product;
  } catch (error) {
    if (!(error instanceof ParanoiaError) || error.blames !== 'kernel') throw error;
    const { m, k, n } = problem;
    throw addToMessage(error, `This product is one of those between the repetitions of ${m}×${k}×${n}.`);
  }
}

/** True if two products have the same bits; NaN bit patterns are not told apart. */
const isSame = ({ c: { data } }: Product, { c: { data: other } }: Product): boolean =>
  data.every((x, e) => Object.is(x, other[e]));

/** Returns the number of entries that a product did not write, or wrote outside its result. */
const harmOf = ({ unwritten, overwritten, changed = 0 }: Product): number =>
  unwritten + overwritten + changed;

/**
 * True if `one` is worse than `other`. Harm to memory counts before any error. NaN or an infinity in place of a number counts as the
 * largest error.
 */
export const isWorse = (one: Evidence, other: Evidence): boolean => {
  const harm = harmOf(one.outcomes[0]) - harmOf(other.outcomes[0]);
  return harm === 0 ? one.errors.exact.max > other.errors.exact.max : harm > 0;
};
