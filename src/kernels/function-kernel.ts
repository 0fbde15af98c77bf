import type { ParanoiaError } from '../base/errors.ts';
import type { Product } from '../gpu/runner/product.ts';
import type { Matrix } from '../matrix/dense.ts';
import { tensorsOf } from '../matrix/epilogue-call.ts';
import { type Gemm, isPlain } from '../matrix/gemm.ts';
import { readsFactors, type StackedOperands } from '../matrix/members.ts';
import { type Entries, entriesChanged } from '../matrix/operands.ts';
import type { Operand } from '../precision/coding/coding.ts';
import { countChanges, mapFactorLists, type OperandMemory } from '../precision/operand-memory.ts';
import { precisions } from '../precision/precisions.ts';
import { type ProductRequest, readAnswer, type TypedProductRequest, versionsIn } from './answer.ts';
import { Pace, START_UP, TIME_LIMIT, waitWithin } from './deadline.ts';
import { AnswerKeeper } from './given-answers.ts';
import { gemmOfInput, type KernelSession, listOf, type ProductInput, runInSequence } from './kernel.ts';
import { callBlaming, toKernelError } from './kernel-error.ts';
import { kernelAnswer, kernelChangesAnswer, kernelHangs, kernelWritesLate } from './messages.ts';
import {
  copyDescription,
  copyOperandViews,
  listArrays,
  type PreviousMemory,
  placeOperands,
  privateView,
  rememberMemory,
} from './place-operands.ts';

import type { FunctionKernel } from './user-kernel.ts';

/** Calls of an untrusted kernel: it gets private views, and its answers are read several times. */
export interface UntrustedCalls {
  /** Waits before an answer is read again. */
  settle(): Promise<void>;
  /**
   * Calls a function without code of this package on its stack.
   * @param returned receives the answer before any other code runs.
   */
  call(work: () => unknown, returned: (answer: unknown) => void): Promise<void>;
}

/** The most entries of an answer that is read again after the next products, for an untrusted kernel. */
const READ_AGAIN = 2 ** 16;

/**
 * Opens a function kernel in this process. It gets copies of A, B and C in the layout requested; changes outside D, padding included, are
 * counted. Its `prepare` is called before the first product; if it fails, every product fails with the same error. After a failed product
 * it is released and prepared again. Other state, as in variables of its module, remains; only a process of its own would end it.
 *
 * The time limit ends the wait for a promise. A function that does not return cannot be stopped within its own process: where that
 * matters, open it in another one.
 * @param wary calls for an untrusted kernel.
 * @defaultValue calls for a trusted one
 */
export function openFunctionKernel(
  kernel: FunctionKernel,
  wary?: UntrustedCalls,
  precision = precisions.find(kernel.precision ?? 'f32'),
): KernelSession<ProductInput> {
  const { name, timeLimit = TIME_LIMIT } = kernel;
  let preparing: Promise<void> | undefined;
  let late: ParanoiaError | undefined;
  const prepared = () => {
    preparing ??= callBlaming(name, () => kernel.prepare?.());
    return preparing;
  };
  const pace = new Pace();
  let isReady = false;
  /** True if a product failed since the kernel was prepared. */
  let hasFailed = false;
  let last: PreviousMemory | undefined;
  const answers = new AnswerKeeper(wary && READ_AGAIN);
  const renew = async () => {
    if (!isReady) return;
    await released();
    [isReady, hasFailed, last, preparing] = [false, false, undefined, undefined];
  };
  const ready = async (asked: ProductRequest) => {
    if (late !== undefined) throw late;
    if (hasFailed) await renew();
    if (isReady) return;
    const seconds = Math.max(START_UP, timeLimit);
    await waitWithin(seconds, prepared(), () => {
      late = kernelHangs({ ...asked, seconds });
      return late;
    });
    isReady = true;
  };
  const answerOf = async (call: () => unknown, asked: ProductRequest): Promise<Answer> => {
    try {
      const late = () => pace.late(asked, timeLimit);
      if (wary === undefined) return { answer: await waitWithin(timeLimit, calledAlone(call), late) };
      const given = await unchanged(call, asked, wary);
      if (isGiven(given.answer)) return given;
      return { answer: await waitWithin(timeLimit, Promise.resolve(given.answer), late) };
    } catch (error) {
      throw toKernelError(name, error, asked.shape);
    }
  };
  /** Starts one product at once. */
  const multiply = async (factors: ProductInput, all: readonly Given[]): Promise<Product> => {
    const at = listOf(factors).indexOf(factors);
    const { asked } = all[at];
    const start = performance.now();
    const { answer } = await answerOf(callOf(kernel, all), asked);
    const seconds = (performance.now() - start) / 1000;
    pace.add(asked.shape, seconds);
    const returned = all.length === 1 ? [answer] : answersIn(answer, all.length, asked);
    const found = returned.map((value, at) => (value === all[at].handed.d ? all[at].given.d : value));
    const left = all.map(({ asked, given, before, tensors }, at) => ({
      ...readAnswer(found[at], asked, given.d),
      changed: tensors.before.reduce(
        (sum, one, t) => sum + entriesChanged(one, tensors.handed[t]),
        countChanges(before, given),
      ),
    }));
    const ago = answers.changed();
    if (ago !== undefined) throw kernelWritesLate({ ...asked, ago });
    if (wary === undefined) {
      for (const [at, { given }] of all.entries()) if (found[at] === given.d) answers.add(given.d);
    } else await readAgain(found as Entries[], all, wary);
    const sum = (of: 'unwritten' | 'overwritten' | 'changed') => left.reduce((all, one) => all + one[of], 0);
    return {
      ...{ c: left[at].c, seconds },
      ...{ unwritten: sum('unwritten'), overwritten: sum('overwritten'), changed: sum('changed') },
    };
  };
  /** Reads answers again. @throws ParanoiaError `kernel-changes-answer` */
  const readAgain = async (found: readonly Entries[], all: readonly Given[], { settle }: UntrustedCalls) => {
    const views = found.map(privateView);
    const copies = views.map((view) => view.slice() as Entries);
    await settle();
    for (const [at, view] of views.entries()) {
      if (entriesChanged(copies[at], view) > 0) throw kernelChangesAnswer(all[at].asked);
      answers.add(view, copies[at]);
    }
  };
  const ended = (shape: string, work: () => unknown) =>
    waitWithin(timeLimit, callBlaming(name, work), () =>
      kernelHangs({ kernel: name, shape, seconds: timeLimit }),
    );
  /** Releases the kernel. Its products are judged already, so a failing release does not matter. */
  const released = () => ended('its release', () => kernel.release?.()).catch(() => {});
  return {
    run: runInSequence(async (factors) => {
      const { before = [], after = [] } = factors.inFlight ?? {};
      const { scales } = kernel;
      const about = { kernel: name, precision, scales };
      const flight = [...before, factors, ...after].map((one) => ({
        factors: one,
        all: listOf(one).map((product) => givenTo(product, about, last, wary !== undefined)),
      }));
      const { all } = flight[before.length];
      for (const { given } of flight.flatMap((one) => one.all)) answers.forget(listArrays(given));
      last = rememberMemory(all[0]);
      await ready(all[0].asked);
      try {
        const products = await Promise.all(flight.map(({ factors, all }) => multiply(factors, all)));
        return products[before.length];
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }),
    isCalled: true,
    renew,
    start: prepared,
    async versions() {
      return versionsIn(await ended('its versions', () => kernel.versions?.()));
    },
    async close() {
      if (preparing !== undefined) await released();
    },
  };
}

/** An answer in a wrapper: a promise of the answer itself would call its `then`. */
interface Answer {
  readonly answer: unknown;
}

/** True if an answer is complete, whatever `then` it has. One that computes while it is awaited was not complete. */
const isGiven = (answer: unknown): boolean =>
  ArrayBuffer.isView(answer) ||
  Array.isArray(answer) ||
  typeof (answer as PromiseLike<unknown> | undefined)?.then !== 'function';

/** Calls work out of sight and returns its answer; numbers that change meanwhile were not complete. @throws ParanoiaError */
async function unchanged(
  work: () => unknown,
  asked: ProductRequest,
  { call }: UntrustedCalls,
): Promise<Answer> {
  const kept: { answer?: unknown; copy?: Entries } = {};
  await call(work, (answer) => {
    kept.answer = answer;
    if (ArrayBuffer.isView(answer)) kept.copy = privateView(answer as Entries).slice() as Entries;
  });
  const { answer, copy } = kept;
  if (copy !== undefined && entriesChanged(copy, privateView(answer as Entries)) > 0)
    throw kernelChangesAnswer(asked);
  return { answer };
}

/** A product as the function gets it, with the copies for comparing its operands afterwards. */
interface Given extends PreviousMemory {
  readonly asked: TypedProductRequest;
  /** The operands as the function sees them. */
  readonly handed: OperandMemory;
  readonly before: OperandMemory;
  /** The numbers of its epilogue, and those that the function sees. */
  readonly tensors: Readonly<Record<'before' | 'handed', readonly Entries[]>>;
}

function givenTo(
  factors: ProductInput,
  about: Pick<TypedProductRequest, 'kernel' | 'precision'> & Pick<FunctionKernel, 'scales'>,
  last: PreviousMemory | undefined,
  isWary: boolean,
): Given {
  const gemm = gemmOfInput(factors);
  const given = placeOperands(factors, about, last);
  const { epilogue } = factors.operands;
  const told = copyDescription(gemm, factors.memory, last, epilogue);
  const handed = isWary ? copyOperandViews(given) : given;
  const before = keptOf(given, factors.operands, gemm);
  const tensors = { before: tensorsOf(epilogue), handed: tensorsOf(told.epilogue).map(privateView) };
  return { asked: { ...about, shape: gemm }, given, handed, told, before, tensors };
}

/**
 * Returns the call of `multiply` for one product, of `multiplyGroup` for several. A bound function has no function of this package around
 * it.
 */
function callOf(kernel: FunctionKernel, all: readonly Given[]): () => unknown {
  const products = all.map(({ handed, told }) => ({ ...handed, gemm: told }));
  if (products.length > 1) return kernel.multiplyGroup?.bind(kernel, products) ?? (() => undefined);
  const [{ a, b, gemm, c, d, factors }] = products;
  return kernel.multiply.bind(kernel, a, b, gemm, c, d, factors);
}

/**
 * Calls without code of this package on the stack, neither as a caller nor as a waiting function, so that a kernel that inspects its stack
 * sees an ordinary program. Callbacks of a promise are not tracked as `await` would be.
 */
const calledAlone = (call: () => unknown): Promise<unknown> =>
  new Promise((resolve, reject) => {
    Promise.resolve()
      .then(call)
      .then(
        (answer) => resolve(answer),
        (error) => reject(error),
      );
  });

/** Returns a list of `count` answers. @throws ParanoiaError `kernel-answer` for anything else. */
function answersIn(answer: unknown, count: number, asked: TypedProductRequest): readonly unknown[] {
  if (Array.isArray(answer) && answer.length === count) return answer;
  const found = Array.isArray(answer) ? `a list of ${answer.length}` : `something other than a list`;
  throw kernelAnswer({
    ...asked,
    why: `its multiplyGroup returned ${found}, expected a list of ${count}`,
  });
}

/** Returns the entries with which operands are compared afterwards: the originals where the copy given away has the same bits. */
function keptOf(given: OperandMemory, { a, b }: StackedOperands, gemm: Gemm): OperandMemory {
  const factors = mapFactorLists(given.factors, (list) => list.slice() as Entries);
  const isGiven = isPlain(gemm) && gemm.entries === undefined && readsFactors(gemm);
  const kept = (mine: Entries, { data }: Matrix, of: Operand) =>
    factors[of] === undefined && isGiven && data.constructor === mine.constructor
      ? (data as Entries)
      : mine.slice();
  const { c, d } = given;
  return { a: kept(given.a, a, 'a'), b: kept(given.b, b, 'b'), c: c === d ? c : c.slice(), d, factors };
}
