import { pickRandom, type Random } from '../base/random.ts';
import type { KernelJob, MemoryPlacement } from '../kernels/kernel.ts';
import { type Matrix, matrix, type Shape } from '../matrix/dense.ts';
import { isScaled, requestedGemm } from '../matrix/gemm.ts';
import type { ProductJob } from './evidence.ts';

/**
 * Random programs: the calls before a product and beside it are drawn step by step. No list of sequences exists, so none is known to be
 * left out.
 */

/** The context in which a program is drawn. */
export interface ProgramContext {
  readonly job: ProductJob;
  readonly shape: Shape;
  readonly random: Random;
  /** Makes a product of another shape; undefined where the kernel does not accept it. */
  readonly other: (shape: Shape) => KernelJob | undefined;
}

/** A product at the end of a program, with the products before it. */
export interface CallSequence {
  readonly job: ProductJob;
  readonly before: readonly KernelJob[];
}

/** The most steps before a product, and the most products in flight with it. */
const [MOST, MOST_AT_ONCE] = [9, 5];
/** Multiplications and entries that a step may have even where its product has fewer. */
const ROOM = 2 ** 14;

/** One program in eight ends with an operand that was an answer. */
const ANSWERED = 8;

/** Draws a number from 0 to `most`, small ones more often than large ones. */
const fewOf = (random: Random, most: number) => Math.floor(2 ** random.uniform(0, Math.log2(most + 2))) - 1;

const MEMORIES: readonly (MemoryPlacement | undefined)[] = [
  ...[undefined, undefined, undefined],
  ...(['again', 'again', 'same-b', 'chained', 'heap', 'strewn'] as const),
];

/** Ways to choose the sizes of the next step from those of the last. */
const nextShapes: readonly ((shape: Shape, random: Random) => Shape)[] = [
  (shape) => shape,
  (shape) => shape,
  ({ m, k, n }, random) => {
    const order = random.permutation(3);
    const [own, inner, other] = [...order].map((at) => [m, k, n][at]);
    return { m: own, k: inner, n: other };
  },
  (shape, random) => ({ ...shape, [pickRandom(random, ['m', 'k', 'n'])]: random.int(1, 64) }),
  ({ m, k, n }, random) => {
    const beside = (size: number) => Math.max(1, size + random.int(-1, 1));
    return { m: beside(m), k: beside(k), n: beside(n) };
  },
  ({ m, k, n }, random) => {
    const part = 2 ** random.int(-2, 1);
    const scaled = (size: number) => Math.max(1, Math.round(size * part));
    return { m: scaled(m), k: scaled(k), n: scaled(n) };
  },
  // A factor for the last answer.
  ({ m, n }, random) => ({ m, k: n, n: random.int(1, 64) }),
];

const weightOf = ({ m, k, n }: Shape) => Math.max(m * k * n, m * k, k * n, m * n);

/** Returns a copy with few entries, a line, or all replaced: by zeros, by another entry, or with their signs changed. */
function changedIn({ rows, cols, data }: Matrix, random: Random): Matrix {
  const copy = data.slice();
  const count = copy.length;
  if (count === 0) return matrix(rows, cols, copy);
  const [from, length] = [random.int(0, count - 1), pickRandom(random, [1, 1, cols, count])];
  const kind = random.int(0, 2);
  const other = copy[random.int(0, count - 1)];
  for (let at = from; at < Math.min(count, from + length); at++)
    copy[at] = kind === 0 ? 0 : kind === 1 ? -copy[at] : other;
  return matrix(rows, cols, copy);
}

/** The most inner indices at which a product by a permutation costs little. */
const MOST_INNER = 64;

/**
 * Makes a product whose answer is A of another, which then takes the answer as a factor, as in powers and in layers of networks. It
 * multiplies A, with its columns rotated by one, by the matrix that rotates them back, so that no operand equals the answer. Returns
 * undefined for complex matrices and structured products.
 */
export function chainProduct({ job, other, shape }: Omit<ProgramContext, 'random'>): KernelJob | undefined {
  const { m, k } = shape;
  const { precision } = job.kernel;
  const isGeneral = job.gemm === undefined || requestedGemm(job.gemm).structure === undefined;
  if (!isGeneral || k > MOST_INNER || precision.multiplied !== precision.a || precision.complex === true)
    return undefined;
  const made = other({ m, k, n: k });
  if (made === undefined) return undefined;
  const { gemm } = made;
  if (gemm !== undefined && (isScaled(gemm) || gemm.batch !== 1)) return undefined;
  const { a } = job.operands;
  const [moved, back] = [a.data.slice(), made.operands.b.data.slice()];
  for (let e = 0; e < moved.length; e++) moved[e] = a.data[e - (e % k) + (((e % k) + 1) % k)];
  for (let e = 0; e < back.length; e++) back[e] = Number((Math.floor(e / k) + 1) % k === e % k);
  return {
    ...made,
    operands: { ...made.operands, a: matrix(a.rows, k, moved), b: matrix(made.operands.b.rows, k, back) },
  };
}

/** Returns a product of the same shape, with operands that are partly the same. */
function relatives({ job, shape, other, random }: ProgramContext): KernelJob | undefined {
  const { case: _, ...own } = job;
  const { a, b } = job.operands;
  const withOperands = (change: Partial<Pick<ProductJob['operands'], 'a' | 'b'>>): KernelJob => ({
    ...own,
    operands: { ...job.operands, ...change },
  });
  const stranger = other(shape)?.operands;
  const fits = (one: Matrix | undefined, like: Matrix) => one?.rows === like.rows && one.cols === like.cols;
  return pickRandom<() => KernelJob | undefined>(random, [
    () => withOperands({}),
    () => withOperands({ a: changedIn(a, random) }),
    () => withOperands({ b: changedIn(b, random) }),
    () => (fits(stranger?.a, a) ? withOperands({ a: stranger?.a as Matrix }) : undefined),
    () => (fits(stranger?.b, b) ? withOperands({ b: stranger?.b as Matrix }) : undefined),
  ])();
}

/** Draws a program, with the product at its end in drawn memory and any number of others in flight. */
export function drawCallSequence(around: ProgramContext): CallSequence {
  const { job, shape, random, other } = around;
  const isCalled = job.kernel.session.isCalled === true;
  const most = Math.max(ROOM, 2 * weightOf(shape));
  let last = shape;
  const step = (): KernelJob | undefined => {
    if (random.int(0, 2) === 0) return relatives(around);
    const next = pickRandom(random, nextShapes)(last, random);
    last = weightOf(next) <= most ? next : shape;
    return other(last);
  };
  const several = (count: number) => Array.from({ length: count }, step).flatMap((one) => one ?? []);
  const lying = <J extends KernelJob>(one: J): J => {
    if (!isCalled) return one;
    const [isAlone, memory] = [random.int(0, 3) > 0, pickRandom(random, MEMORIES)];
    const at = isAlone ? 0 : fewOf(random, MOST_AT_ONCE);
    const inFlight = isAlone ? {} : { inFlight: { before: several(at), after: several(fewOf(random, 2)) } };
    return { ...one, ...(memory === undefined ? {} : { memory }), ...inFlight };
  };
  const answer = random.int(1, ANSWERED) === 1 ? chainProduct(around) : undefined;
  const before = [...several(fewOf(random, MOST)), ...(answer ? [answer] : [])].map(lying);
  return { job: lying(job), before };
}
