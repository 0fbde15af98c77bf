import { createRandom, pickRandom } from '../../base/random.ts';
import type { Product } from '../../gpu/runner/product.ts';
import { fillMatrix } from '../../inputs/fitted.ts';
import { type DraftMatrix, makeDraft } from '../../inputs/wild/table.ts';
import type { KernelJob, MemoryPlacement } from '../../kernels/kernel.ts';
import { kernelErrsInProgram } from '../../kernels/messages.ts';
import { describeGemm, type Gemm } from '../../matrix/gemm.ts';
import { type Case, formatCase } from '../../problem/case.ts';
import { toGemm } from '../../problem/gemm-of.ts';
import { notServed } from '../../problem/messages.ts';
import { plainStorage, type Storage } from '../../problem/problem.ts';
import { type Check, defaultThresholds } from '../checks/check.ts';
import { complete } from '../checks/complete.ts';
import { exceptions } from '../checks/exceptions.ts';
import { projections } from '../checks/projections.ts';
import { runningBound } from '../checks/running-bound.ts';
import type { ProductJob, WeighingInput } from '../evidence.ts';
import { isLarge } from '../is-large.ts';
import { weighLarge } from '../large.ts';
import { quantizedJob } from '../quantized-operands.ts';
import { analysisOf, weigh } from '../weigh.ts';
import { generateProgram, type ProgramStep } from './program.ts';
import { type RequestedProduct, whyNoPrograms } from './routine.ts';
import { mapEntries, stackTables, takeRows } from './tables.ts';

/** Callbacks that multiply and renew. */
export interface SessionCallbacks {
  ask(job: KernelJob): Promise<Product>;
  /** Lets the kernel forget its earlier computations. */
  renew(): Promise<void>;
}

/** A random stream that no family draws from. */
const HABITS = 3004;

/** The storage of all matrices of a program. */
interface Habits {
  readonly order: Storage['order'];
  readonly memory: MemoryPlacement | undefined;
}

const MEMORIES: readonly Habits['memory'][] = [undefined, undefined, undefined, 'again', 'heap', 'strewn'];

/** A product of a program, as requested from the kernel. */
interface AskedStep {
  readonly job: KernelJob & Pick<WeighingInput, 'operands'>;
  readonly gemm: Gemm;
}

/** Limits of the size of operands. Smaller entries become zero, so that no product is subnormal; larger ones are clamped. */
const [LEAST, MOST] = [2 ** -60, 2 ** 40];
const tame = (x: number) => (Math.abs(x) < LEAST ? 0 : Math.min(MOST, Math.max(-MOST, x)));

/**
 * Computes the first products of the program that a case draws, one after the other, in a kernel that has computed nothing yet. Each is
 * judged before the next is requested, since its answer decides that.
 * @throws ParanoiaError `kernel-errs-in-program` for the first wrong answer, `not-served`, and any error that `ask` throws
 */
export async function runProgram(job: ProductJob, value: Case, asking: SessionCallbacks): Promise<void> {
  const { seed, program: count } = value.problem;
  const why = whyNoPrograms(job.kernel.precision);
  if (why !== undefined) throw notServed({ given: formatCase(value), why: `in programs ${why}` });
  const random = createRandom(seed, HABITS);
  const habits: Habits = {
    order: random.int(0, 3) === 0 ? 'column' : 'row',
    memory: job.kernel.session.isCalled === true ? pickRandom(random, MEMORIES) : undefined,
  };
  await asking.renew();
  const asked: AskedStep[] = [];
  const answer = async (wanted: RequestedProduct, routine: string): Promise<DraftMatrix> => {
    const one = askedFor(wanted, job, value, habits, seed + asked.length);
    if (one === undefined) return simplified(wanted, (simpler) => answer(simpler, routine));
    asked.push(one);
    const product = await asking.ask(one.job);
    const wrong = describeStepFault(one.job, product);
    if (wrong !== undefined) {
      const after = await fewestBefore(asked, asking);
      throw kernelErrsInProgram({
        ...{ kernel: job.kernel.name, shape: describeGemm(one.gemm), routine, why: wrong },
        ...{ number: asked.length, after },
      });
    }
    const { rows, cols, data } = product.c;
    return { rows, cols, data: Float64Array.from(data) };
  };
  const program = generateProgram(seed);
  for (let next = program.next(), made = 0; made < count && next.done !== true; made++) {
    const { wanted, routine }: ProgramStep = next.value;
    next = program.next(await answer(wanted, routine));
  }
}

/** Makes the request for a product: stored as programs usually do, else plainly; undefined where the kernel accepts neither. */
function askedFor(
  wanted: RequestedProduct,
  { kernel }: ProductJob,
  value: Case,
  { order, memory }: Habits,
  seed: number,
): AskedStep | undefined {
  const { a, b, c, batch = 1, turned } = wanted;
  const shape = { m: a.rows / batch, k: a.cols, n: b.cols };
  const pad = wanted.isBlock === true ? shape.n : 0;
  const isTurned = (of: 'a' | 'b') => turned === of || turned === 'both';
  const ways: readonly Storage[][] = [
    (['a', 'b'] as const).map((of) => ({ ...plainStorage, op: isTurned(of) ? 't' : 'n', order, pad })),
    [plainStorage, plainStorage],
  ];
  const { round } = kernel.precision.accumulated;
  const { alpha = 1, beta = c === undefined ? 0 : 1 } = wanted;
  const factors = { alpha: round(alpha), beta: round(beta) };
  for (const [ofA, ofB] of ways) {
    const laid = { a: ofA, b: ofB, c: { ...ofA, op: 'n' as const }, d: undefined };
    const gemm = toGemm({ ...value.problem, ...shape, ...factors, ...laid, batch, group: 1 });
    if (kernel.refuses?.(gemm) !== undefined) continue;
    const { a: formatA, b: formatB, c: formatC } = kernel.precision;
    const filled = (one: DraftMatrix, format = formatA) =>
      fillMatrix(one.rows, one.cols, (i, j) => tame(one.data[i * one.cols + j]), format);
    const addend = c === undefined ? {} : { c: filled(c, formatC) };
    const operands = { a: filled(a), b: filled(b, formatB), ...addend, seed };
    const plan = kernel.plan(shape, value.method, factors);
    return { gemm, job: { kernel, plan, gemm, operands, memory } };
  }
  return undefined;
}

/**
 * Computes a product that the kernel does not accept in simpler ones: batches one by one, alpha and C separately. The rest is computed
 * here.
 */
async function simplified(
  wanted: RequestedProduct,
  answer: (simpler: RequestedProduct) => Promise<DraftMatrix>,
): Promise<DraftMatrix> {
  const { a, b, c, batch = 1, alpha = 1, beta = 1, turned } = wanted;
  if (batch > 1) {
    const all: DraftMatrix[] = [];
    const of = (one: DraftMatrix, p: number) => takeRows(one, (p * one.rows) / batch, one.rows / batch);
    for (let p = 0; p < batch; p++)
      all.push(await answer({ ...wanted, a: of(a, p), b: of(b, p), c: c && of(c, p), batch: 1 }));
    return stackTables(all);
  }
  if (alpha !== 1 || c !== undefined) {
    const product = await answer({ a, b, turned });
    return mapEntries(
      product,
      (x, i, j) => alpha * x + (c === undefined ? 0 : beta * c.data[i * c.cols + j]),
    );
  }
  return makeDraft(a.rows, b.cols, (i, j) => {
    let sum = 0;
    for (let p = 0; p < a.cols; p++) sum += a.data[i * a.cols + p] * b.data[p * b.cols + j];
    return sum;
  });
}

/**
 * Returns how many of the products just before a wrong one make it wrong again, by powers of two: 0 where it is wrong alone, undefined
 * where it never is.
 */
async function fewestBefore(
  asked: readonly AskedStep[],
  { ask, renew }: SessionCallbacks,
): Promise<number | undefined> {
  const last = asked[asked.length - 1].job;
  for (let count = 0; ; count = Math.max(1, 2 * count)) {
    const before = Math.min(count, asked.length - 1);
    await renew();
    for (const { job } of asked.slice(asked.length - 1 - before, -1)) await ask(job);
    const isWrong = describeStepFault(last, await ask(last)) !== undefined;
    await renew();
    if (isWrong) return before;
    if (before === asked.length - 1) return undefined;
  }
}

/** Checks that apply to every product, whatever its operands. */
const CHECKS: readonly Check[] = [complete, exceptions, runningBound, projections];

/** The number of multiplications from which entries are added up instead of compared one by one, since there are many products. */
const EFFORT = { projected: 2 ** 17 };

/** Describes a fault of a product in a sentence; undefined where no check fails. */
function describeStepFault(asked: WeighingInput, product: Product): string | undefined {
  const job = quantizedJob(asked);
  const evidence = isLarge(job, EFFORT)
    ? weighLarge(job, [product])
    : weigh(job, [product], { analysis: analysisOf(job) });
  for (const check of CHECKS) {
    const { status, message } = check.judge(evidence, defaultThresholds);
    if (status === 'fail') return message;
  }
  return undefined;
}
