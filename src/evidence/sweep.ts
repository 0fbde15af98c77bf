import { catchParanoiaError, catchParanoiaErrorAsync, ParanoiaError } from '../base/errors.ts';
import { createRandom } from '../base/random.ts';
import type { Product } from '../gpu/runner/product.ts';
import type { Kernel, KernelJob } from '../kernels/kernel.ts';
import { kernelErrsInSweep, kernelHangs, kernelIsSlow } from '../kernels/messages.ts';
import { matrix, type Shape } from '../matrix/dense.ts';
import { isPlain, plainGemm } from '../matrix/gemm.ts';
import { cutEntries, joinEntries } from '../matrix/members.ts';
import { type Case, changeCase } from '../problem/case.ts';
import { sweptShapes } from '../problem/special-shapes.ts';
import { defaultThresholds } from './checks/check.ts';
import type { ProductJob } from './evidence.ts';
import type { JudgingItems } from './items.ts';
import { prepareJob } from './prepare.ts';
import { quantizedJob } from './quantized-operands.ts';
import { WrongSweptProduct } from './sweep-fault.ts';
import { analysisOf, weigh } from './weigh.ts';

/**
 * Sweeps: many products of small sizes, each of a size that no other has. A kernel that is wrong at one size in a thousand is found by
 * number alone. One message sends many of them, and most are compared by the exact product of whole numbers, so that each costs little.
 */

/** A random stream that no family draws from, and the seeds of products. */
const [STREAM, MOST_SEED] = [3007, 999_999];

/** Seconds of the kernel for one message, and the most products in it. */
const [MESSAGE, MOST] = [0.1, 512];
/** Factor by which the number of products in a message grows at most: the first is asked alone. */
const GROWTH = 4;

/** Yields the cases of the products of a sweep, in their order, as many as there are sizes. */
function* sweptCases(value: Case, { claims, plan }: Pick<Kernel, 'claims' | 'plan'>): Generator<Case> {
  const { seed } = value.problem;
  const random = createRandom(seed, STREAM);
  for (const shape of sweptShapes(seed)) {
    const { levels } = typeof claims?.levels === 'function' ? plan(shape, value.method) : value.method;
    yield changeCase(value, { ...shape, levels, seed: random.int(1, MOST_SEED), sweep: 0 });
  }
}

/** Computes a product, or several in one message. @throws ParanoiaError */
type Ask = (job: KernelJob) => Promise<Product>;

/** A product of a sweep, with its own case. */
type SweptJob = ProductJob & { readonly case: Case };

/** Yields the products of a sweep that the kernel accepts. */
function* sweptJobs(value: Case, kernel: Kernel, items: JudgingItems): Generator<SweptJob> {
  let left = value.problem.sweep;
  for (const product of sweptCases(value, kernel)) {
    if (left === 0) return;
    const job = catchParanoiaError(() => prepareJob(product, kernel, items));
    if (job instanceof ParanoiaError) continue;
    left--;
    yield { ...job, case: product };
  }
}

/**
 * Computes the products of a sweep, as many in one message as the measured pace of the kernel allows.
 * @throws ParanoiaError `kernel-errs-in-sweep` for the first wrong product, with a {@link WrongSweptProduct} as its cause, and any error of
 * `ask` that does not blame the kernel
 */
export async function runSweep(
  { kernel }: ProductJob,
  value: Case,
  items: JudgingItems,
  ask: Ask,
): Promise<void> {
  const jobs = sweptJobs(value, kernel, items);
  let [count, made] = [1, 0];
  for (let some = take(jobs, count); some.length > 0; some = take(jobs, count)) {
    const start = performance.now();
    const found = some.length > 1 ? await askTogether(some, ask) : undefined;
    const seconds = (performance.now() - start) / 1000;
    const products = Array.isArray(found) ? found : undefined;
    const wrong = products ? firstWrong(some, products, items) : await firstWrongAlone(some, items, ask);
    if (wrong !== undefined)
      throw new WrongSweptProduct(wrong.job.case, made + 1 + some.indexOf(wrong.job), wrong.why).errorOf();
    if (typeof found === 'string') {
      const which = `one of the products ${made + 1} to ${made + some.length}`;
      throw kernelErrsInSweep({ kernel: kernel.name, which, why: found, isRightAlone: true });
    }
    made += some.length;
    count = isSentTogether(some[0]) ? nextCount(some.length, seconds) : 1;
  }
}

function take<T>(items: Iterator<T>, count: number): T[] {
  const taken: T[] = [];
  while (taken.length < count) {
    const next = items.next();
    if (next.done === true) break;
    taken.push(next.value);
  }
  return taken;
}

/** Returns the number of products in the next message, from the seconds of the last one. */
const nextCount = (count: number, seconds: number): number =>
  Math.max(1, Math.min(MOST, GROWTH * count, Math.floor((count * MESSAGE) / seconds)));

/** A wrong product: why, as a sentence, or its error where it was asked alone. */
interface WrongProduct {
  readonly job: SweptJob;
  readonly why: string | ParanoiaError;
}

/** True if a message may send a product with others: A·B of dense matrices of numbers. */
const isSentTogether = ({ kernel, gemm, operands }: ProductJob): boolean =>
  kernel.session.asksApart === true &&
  gemm !== undefined &&
  isPlain(gemm) &&
  gemm.entries === undefined &&
  gemm.complex === undefined &&
  operands.coded === undefined;

/**
 * Computes products in one message.
 * @returns the products; else a sentence on a fault that may be of any of them; undefined where they were too slow together
 */
async function askTogether(jobs: readonly SweptJob[], ask: Ask): Promise<Product[] | string | undefined> {
  const [{ kernel, plan }] = jobs;
  const shapes = jobs.map((job) => job.plan.shape);
  const [a, b] = (['a', 'b'] as const).map((of) => {
    const data = joinEntries(jobs.map((job) => job.operands[of].data));
    return matrix(1, data.length, data);
  });
  const lengthOf = ({ m, n }: Shape) => m * n;
  const length = shapes.reduce((sum, shape) => sum + lengthOf(shape), 0);
  const gemm = plainGemm({ m: 1, k: 1, n: length });
  const found = await catchParanoiaErrorAsync(ask({ kernel, plan, gemm, apart: shapes, operands: { a, b } }));
  if (found instanceof ParanoiaError) {
    if (LATE.includes(found.code)) return undefined;
    if (found.blames === 'kernel') return found.message;
    throw found;
  }
  const { c, unwritten, overwritten, changed = 0 } = found;
  const touched = unwritten + overwritten + changed;
  if (touched > 0)
    return `${touched} entries that it must not change differ, or it left entries of D unwritten.`;
  const untouched = { unwritten: 0, overwritten: 0, changed: 0 };
  return cutEntries(c.data, shapes, lengthOf).map((data, at) => ({
    ...{ c: matrix(shapes[at].m, shapes[at].n, data), ...untouched },
  }));
}

/** The errors of messages that took too long. Each of their products has a time limit of its own. */
const LATE: readonly string[] = [kernelHangs.code, kernelIsSlow.code];

/** Asks products one by one, and returns the first that is wrong. */
async function firstWrongAlone(
  jobs: readonly SweptJob[],
  items: JudgingItems,
  ask: Ask,
): Promise<WrongProduct | undefined> {
  for (const job of jobs) {
    const found = await catchParanoiaErrorAsync(ask(job));
    if (found instanceof ParanoiaError && found.blames !== 'kernel') throw found;
    const why = found instanceof ParanoiaError ? found : describeFault(job, found, items);
    if (why !== undefined) return { job, why };
  }
  return undefined;
}

function firstWrong(
  jobs: readonly SweptJob[],
  products: readonly Product[],
  items: JudgingItems,
): WrongProduct | undefined {
  for (const [at, job] of jobs.entries()) {
    const why = describeFault(job, products[at], items);
    if (why !== undefined) return { job, why };
  }
  return undefined;
}

/** Describes a fault of a product in a sentence; undefined where no check fails. */
function describeFault(asked: ProductJob, product: Product, { checks }: JudgingItems): string | undefined {
  if (isExact(asked, product)) return undefined;
  const job = quantizedJob(asked);
  const evidence = weigh(job, [product], { analysis: analysisOf(job) });
  return checks.items
    .map((check) => check.judge(evidence, defaultThresholds))
    .find(({ status }) => status === 'fail')?.message;
}

/** True if a product is the exact one of whole numbers, rounded once: no check fails then. */
function isExact({ operands, kernel, gemm, plan: { shape } }: ProductJob, product: Product): boolean {
  const { family, staysExact, a, b } = operands;
  if (!isPlain(gemm ?? plainGemm(shape)) || family?.exactness !== 'integers' || staysExact === false)
    return false;
  if (product.unwritten + product.overwritten + (product.changed ?? 0) > 0) return false;
  const { m, k, n } = shape;
  const { round } = kernel.precision.d;
  const row = new Float64Array(n);
  for (let i = 0; i < m; i++) {
    row.fill(0);
    for (let p = 0; p < k; p++) {
      const x = a.data[i * k + p];
      for (let j = 0; j < n; j++) row[j] += x * b.data[p * n + j];
    }
    for (let j = 0; j < n; j++) {
      const found = product.c.data[i * n + j];
      if (found !== row[j] && found !== round(row[j])) return false;
    }
  }
  return true;
}
