import { catchParanoiaError, ParanoiaError } from '../base/errors.ts';
import { createRandom, type Random } from '../base/random.ts';
import type { KernelJob, MemoryPlacement } from '../kernels/kernel.ts';
import { type Matrix, matrix, type Shape } from '../matrix/dense.ts';
import { plainGemm, requestedGemm } from '../matrix/gemm.ts';
import { takeSpecials } from '../precision/operand-encoding.ts';
import { type Case, changeCase } from '../problem/case.ts';
import { fitStructure } from '../problem/fit-structure.ts';
import type { ProductJob } from './evidence.ts';
import type { JudgingItems } from './items.ts';
import { prepareJob } from './prepare.ts';
import { chainProduct, drawCallSequence, type ProgramContext } from './programs.ts';

export interface Repetition {
  /** The product, with the products in flight beside it. */
  readonly job: ProductJob;
  /** Products computed before, one after the other, without comparison. */
  readonly before: readonly KernelJob[];
  /** Description, as in "after a product of 3×4×5"; empty where the product stands alone. */
  readonly when: string;
}

/** A random stream that no family draws from. */
const STREAM = 3001;

/** The most products of a batch that is computed beside another product. */
const MOST_BESIDE = 3;

/** The products from which company is chosen. */
interface Around extends ProgramContext {
  readonly twins: Twins;
}

/** Products with changed operands: `similar` ones differ a little, and `poisonous` has NaN all over A if the format has one. */
interface Twins {
  readonly similar: readonly KernelJob[];
  readonly poisonous: KernelJob;
}

/** Adds company to a repetition of a product, before it or in flight with it; undefined where that is not possible. */
type Company = (around: Around) => Repetition | undefined;

const after = (job: ProductJob, other: KernelJob | undefined): Repetition | undefined =>
  other && { job, before: [other], when: `after a product of ${shapeOf(other)}` };

function inFlight(
  job: ProductJob,
  before: readonly KernelJob[],
  after: readonly KernelJob[] = [],
): Repetition | undefined {
  const others = [...before, ...after];
  if (others.length === 0 || job.kernel.session.isCalled !== true) return undefined;
  const [one] = others;
  const which =
    others.length === 1 ? `a product of ${shapeOf(one)} was` : `${others.length} other products were`;
  return { job: { ...job, inFlight: { before, after } }, before: [], when: `while ${which} in flight` };
}

/** Places a product in certain memory, for kernels that get their memory from the caller. */
const lying = (
  job: ProductJob,
  memory: MemoryPlacement,
  when: string,
  before: readonly KernelJob[] = [],
): Repetition | undefined =>
  job.kernel.session.isCalled === true ? { job: { ...job, memory }, before, when } : undefined;

function shapeOf({ plan: { shape }, gemm = plainGemm(shape) }: KernelJob): string {
  const { m, k, n } = requestedGemm(gemm);
  return `${m}×${k}×${n}`;
}

/** The most by which each size of a larger product exceeds the original. */
const MORE = 9;

const larger = ({ m, k, n }: Shape, random: Random): Shape => {
  const more = () => random.int(1, MORE);
  return { m: m + more(), k: k + more(), n: n + more() };
};
/** The most columns of a wider product. */
const WIDE = 256;
const wider = ({ m, k, n }: Shape, random: Random): Shape => ({
  ...{ m, k },
  n: n + Math.round(WIDE ** random.uniform(0, 1)),
});
const halved = ({ m, k, n }: Shape): Shape => ({
  m: Math.ceil(m / 2),
  k: Math.ceil(k / 2),
  n: Math.ceil(n / 2),
});
const turned = ({ m, k, n }: Shape): Shape => ({ m: n, k, n: m });
const similar = ({ m, k, n }: Shape): Shape => ({ m: m + 1, k, n: n + 1 });

/** Makes two products of the same A by other matrices, as with queries, keys and values. */
function sharing({ case: _, ...job }: ProductJob, other: Around['other'], shape: Shape): KernelJob[] {
  return [other(shape), other(shape)].flatMap((one) =>
    one === undefined || one.operands.b.rows !== job.operands.b.rows
      ? []
      : [{ ...job, operands: { ...job.operands, b: one.operands.b } }],
  );
}

/** The most products between two that are alike. */
const MOST_BETWEEN = 6;

const listed = (job: KernelJob | undefined): KernelJob[] => (job === undefined ? [] : [job]);

/** The largest size of such products, which are many rather than long. */
const SMALL = 12;

function severalOthers(
  { m, k, n }: Shape,
  { other, random }: Pick<Around, 'other' | 'random'>,
  count = random.int(1, MOST_BETWEEN),
): KernelJob[] {
  const size = (most: number) => random.int(1, Math.max(1, Math.min(most, SMALL)));
  return Array.from({ length: count }, () => other({ m: size(m), k: size(k), n: size(n) })).flatMap(
    (one) => one ?? [],
  );
}

/** Draws a random program before and beside a product. */
function inProgram(around: Around): Repetition {
  // The answers of structured products are no operands of others.
  const isStructured = requestedGemm(around.job.gemm ?? plainGemm(around.shape)).structure !== undefined;
  if (isStructured) return { job: around.job, before: [], when: '' };
  const { job, before } = drawCallSequence(around);
  const { before: earlier = [], after: later = [] } = job.inFlight ?? {};
  const [ahead, beside] = [before.length, earlier.length + later.length];
  const others = (count: number) => (count === 1 ? 'another product' : `${count} other products`);
  const texts = [
    ...(ahead > 0 ? [`after ${others(ahead)}`] : []),
    ...(beside > 0 ? [`while ${others(beside)} ${beside === 1 ? 'was' : 'were'} in flight`] : []),
    ...(job.memory === undefined ? [] : ['in memory reused as programs do']),
  ];
  return { job, before, when: texts.join(', ') };
}

/** The company of a product from its second repetition on, in turn. */
const companies: readonly Company[] = [
  ({ job }) => ({ job, before: [], when: '' }),
  ({ job, shape, other, random }) => after(job, other(larger(shape, random))),
  ({ job, twins: { similar } }) =>
    lying(job, 'again', 'in memory that just held other operands of its shape', [similar[0]]),
  ({ job, shape, other }) => inFlight(job, [], listed(other(similar(shape)))),
  ({ job }) => lying(job, 'strewn', 'in views of larger memory, with numbers instead of NaN in the gaps'),
  ({ job, shape, other }) => after(job, other(halved(shape))),
  ({ job, twins: { poisonous } }) => ({ job, before: [poisonous], when: 'after a product of NaN' }),
  // A vector that follows a matrix may read what its buffers still hold.
  ({ job, shape, other, random }) => {
    const one = poisonedB(other(wider(shape, random)));
    return one && { job, before: [one], when: `after a product of ${shapeOf(one)} with NaN in B` };
  },
  ({ job, twins: { similar } }) => inFlight(job, similar.slice(-1)),
  ({ job, shape, other }) => after(job, other(turned(shape))),
  ({ job, shape, other }) => {
    const visit = after(job, chainProduct({ job, other, shape }));
    return visit && { ...visit, job: { ...visit.job, memory: 'chained' } };
  },
  ({ job }) => lying(job, 'heap', 'with all matrices in one buffer'),
  ({ job, twins: { similar } }) =>
    lying(job, 'same-b', 'after a product of the same B with another A', [similar[1]]),
  // The product begun last is the one that is compared.
  ({ job, shape, ...around }) => inFlight(job, severalOthers(shape, around, MOST_BETWEEN)),
  ({ job, shape, other }) => ({
    job,
    before: sharing(job, other, shape),
    when: 'after products of the same A with other matrices B',
  }),
  ({ job, shape: { m, k, n }, other }) => ({
    job,
    before: [other({ m, k: n, n: k }), other({ m: n, k: m, n: k })].flatMap((one) => one ?? []),
    when: `after products of ${m}×${n}×${k} and ${n}×${m}×${k}`,
  }),
  ({ job, shape, other, twins }) => inFlight(job, listed(other(similar(shape))), [twins.similar[0]]),
  ({ job, shape, twins, ...around }) => ({
    job,
    before: [twins.similar[0], ...severalOthers(shape, around)],
    when: 'after a product of its shape with other operands, then others',
  }),
  inProgram,
];

/**
 * Further company for untrusted kernels: all other operands had just been at the product's addresses, so that a result cached by address
 * is wrong.
 */
const ofReferee: readonly Company[] = [
  ({ job, twins: { similar } }) =>
    lying(job, 'again', 'in memory that just held another B of its shape', [similar[2]]),
  ({ job, shape, other }) =>
    lying(job, 'again', 'in memory that just held other operands', listed(other(shape))),
];

/**
 * Returns the repetitions of a case. The first follows products of the same shape whose operands differ a little, so that an answer cached
 * by only a part of them is wrong. The others come alone and in changing company.
 * @param wary true if the kernel is untrusted: its company is then drawn at random.
 */
export function listRepetitions(
  job: ProductJob,
  value: Case,
  items: JudgingItems,
  wary = false,
): Repetition[] {
  const random = createRandom(value.problem.seed, STREAM);
  const other: Around['other'] = (shape) => {
    const batch = Math.min(value.problem.batch, MOST_BESIDE);
    const change = {
      ...shape,
      batch,
      input: 'uniform',
      edit: 'none',
      seed: random.bits(),
      group: 1,
      repeats: 1,
    };
    const beside = changeCase(value, change);
    const fitted = { ...beside, problem: fitStructure(beside.problem) };
    const made = catchParanoiaError(() => prepareJob(fitted, job.kernel, items));
    return made instanceof ParanoiaError ? undefined : made;
  };
  const twins = twinsOf(job);
  const { m, k, n } = value.problem;
  const around = { job, shape: { m, k, n }, random, other, twins };
  const alone: Repetition = { job, before: [], when: '' };
  if (isUndesigned(value)) return Array.from({ length: value.problem.repeats }, () => inProgram(around));
  const [some, first] = wary ? [shuffled(random), 0] : [companies, firstOf(value)];
  const again = Array.from({ length: value.problem.repeats - 1 }, (_, at) => {
    return some[(first + at) % some.length](around) ?? alone;
  });
  const begin = wary ? (lying(job, 'again', '', twins.similar) ?? alone) : alone;
  return [{ ...begin, before: twins.similar }, ...again];
}

/** True if a case's company is drawn rather than designed. */
const isUndesigned = ({ problem: { input } }: Case): boolean => input.startsWith('wild');

/** Shuffles all companies of an untrusted kernel; those made for such kernels occur twice. */
function shuffled(random: Random): Company[] {
  const all = [...companies, ...ofReferee, ...ofReferee];
  return [...random.permutation(all.length)].map((at) => all[at]);
}

/** Returns the company with which a case begins, so that cases of few repetitions differ in theirs. */
function firstOf({ problem: { m, k, n, seed, repeats } }: Case): number {
  if (repeats >= companies.length) return 0;
  return createRandom(seed, STREAM + 1 + ((m * 31 + k) * 31 + n)).int(0, companies.length - 1);
}

/**
 * Makes products that differ little from a product: the last row of A is zero, or is swapped with the one before, which keeps the first
 * entries and the sum; the last column of B is zero.
 */
function twinsOf({ case: _, ...job }: ProductJob): Twins {
  const { a, b } = job.operands;
  const withOperands = (change: Partial<Pick<ProductJob['operands'], 'a' | 'b'>>): KernelJob => ({
    ...job,
    operands: { ...job.operands, ...change },
  });
  const similar = [
    withOperands({ a: copied(a, ({ data }) => data.fill(0, -a.cols)) }),
    withOperands({ a: copied(a, lastTraded) }),
    withOperands({ b: copied(b, withoutLastColumn) }),
  ];
  return { similar, poisonous: withOperands({ a: copied(a, poisonFor(job)) }) };
}

/** Returns the change that fills a matrix with NaN, or with 0 in a format without NaN. */
function poisonFor({ kernel }: KernelJob): (copy: Matrix) => void {
  const poison = takeSpecials(kernel.precision) ? Number.NaN : 0;
  return ({ data }) => data.fill(poison);
}

const poisonedB = (job: KernelJob | undefined): KernelJob | undefined =>
  job && { ...job, operands: { ...job.operands, b: copied(job.operands.b, poisonFor(job)) } };

function copied(from: Matrix, change: (copy: Matrix) => void): Matrix {
  const copy = matrix(from.rows, from.cols, from.data.slice());
  change(copy);
  return copy;
}

function withoutLastColumn({ rows, cols, data }: Matrix): void {
  for (let row = 1; row <= rows; row++) data[row * cols - 1] = 0;
}

/** Swaps the last two rows, or the last two entries of a single row. */
function lastTraded({ rows, cols, data }: Matrix): void {
  const count = rows > 1 ? cols : 1;
  const end = data.length;
  if (end < 2 * count) return;
  const last = data.slice(end - count);
  data.copyWithin(end - count, end - 2 * count, end - count);
  data.set(last as never, end - 2 * count);
}
