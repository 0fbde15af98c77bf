import type { ParanoiaError } from '../base/errors.ts';
import type { Matrix } from '../matrix/dense.ts';
import { type Gemm, isPlain } from '../matrix/gemm.ts';
import { readsFactors, type Stacked } from '../matrix/members.ts';
import type { Entries } from '../matrix/operands.ts';
import { changedOf, type LaidOperands, layOutAll } from '../precision/laid-operands.ts';
import { precisions } from '../precision/precisions.ts';
import { type Asked, type AskedIn, readAnswer, versionsIn } from './answer.ts';
import { START_UP, TIME_LIMIT, within } from './deadline.ts';
import { type Factors, gemmOf, listOf, oneByOne, type Session } from './kernel.ts';
import { kernelAnswer, kernelHangs } from './messages.ts';
import { blaming, thrownBy } from './thrown.ts';
import type { FunctionKernel } from './user-kernel.ts';

/**
 * Opens a kernel that is a function, in this process. It gets copies of A, B and C laid out as asked for; what it
 * changes beside D, padding included, is counted. Its `prepare` is called before the first product, once: where it
 * fails, every product fails with the same problem.
 *
 * The time limit ends the waiting for a promise. A function that does not return cannot be stopped from within its own
 * process: where that matters, open it in another one.
 */
export function openFunctionKernel(kernel: FunctionKernel): Session<Factors> {
  const { name, timeLimit = TIME_LIMIT } = kernel;
  let preparing: Promise<void> | undefined;
  let late: ParanoiaError | undefined;
  const prepared = () => {
    preparing ??= blaming(name, () => kernel.prepare?.());
    return preparing;
  };
  let isReady = false;
  const ready = async (asked: Asked) => {
    if (late !== undefined) throw late;
    if (isReady) return;
    const seconds = Math.max(START_UP, timeLimit);
    await within(seconds, prepared(), () => {
      late = kernelHangs({ ...asked, seconds });
      return late;
    });
    isReady = true;
  };
  /** Where there is no promise, there is nothing to wait for. */
  const answerOf = async (work: () => unknown, asked: Asked): Promise<unknown> => {
    try {
      const answer = work();
      if (typeof (answer as PromiseLike<unknown> | undefined)?.then !== 'function') return answer;
      return await within(timeLimit, Promise.resolve(answer), () =>
        kernelHangs({ ...asked, seconds: timeLimit }),
      );
    } catch (error) {
      throw thrownBy(name, error);
    }
  };
  const ended = (shape: string, work: () => unknown) =>
    within(timeLimit, blaming(name, work), () => kernelHangs({ kernel: name, shape, seconds: timeLimit }));
  return {
    run: oneByOne(async (factors) => {
      const precision = precisions.find(kernel.precision ?? 'f32');
      const list = listOf(factors);
      const all = list.map((one) => givenTo(one, { kernel: name, precision }));
      const own = all[list.indexOf(factors)];
      await ready(own.asked);
      const start = performance.now();
      const answer = await answerOf(() => multiplyAll(kernel, all), own.asked);
      const seconds = (performance.now() - start) / 1000;
      const answers = all.length === 1 ? [answer] : answersIn(answer, all.length, own.asked);
      const left = all.map(({ asked, given, before }, at) => ({
        ...readAnswer(answers[at], asked, given.d),
        changed: changedOf(before, given),
      }));
      const sum = (of: 'unwritten' | 'overwritten' | 'changed') =>
        left.reduce((all, one) => all + one[of], 0);
      const { c } = left[list.indexOf(factors)];
      return {
        ...{ c, seconds },
        ...{ unwritten: sum('unwritten'), overwritten: sum('overwritten'), changed: sum('changed') },
      };
    }),
    start: prepared,
    async versions() {
      return versionsIn(await ended('its versions', () => kernel.versions?.()));
    },
    async close() {
      if (preparing === undefined) return;
      // What was multiplied is judged already: a release that fails changes none of it.
      await ended('its release', () => kernel.release?.()).catch(() => {});
    },
  };
}

/** A product as the function gets it, and what its operands are compared with afterwards. */
interface Given {
  readonly asked: AskedIn;
  readonly given: LaidOperands;
  readonly before: LaidOperands;
}

function givenTo(factors: Factors, about: Pick<AskedIn, 'kernel' | 'precision'>): Given {
  const gemm = gemmOf(factors);
  const given = layOutAll(factors.operands, gemm, about.precision);
  return { asked: { ...about, shape: gemm }, given, before: keptOf(given, factors.operands, gemm) };
}

/** One product as `multiply` computes it, several as `multiplyGroup` does. */
function multiplyAll(kernel: FunctionKernel, all: readonly Given[]): unknown {
  const products = all.map(({ asked, given }) => ({ ...given, gemm: toldOf(asked.shape) }));
  if (products.length > 1) return kernel.multiplyGroup?.(products);
  const [{ a, b, gemm, c, d }] = products;
  return kernel.multiply(a, b, gemm, c, d);
}

/** @throws ParanoiaError `kernel-answer` for anything but a list of so many. */
function answersIn(answer: unknown, count: number, asked: AskedIn): readonly unknown[] {
  if (Array.isArray(answer) && answer.length === count) return answer;
  const found = Array.isArray(answer) ? `a list of ${answer.length}` : `no list`;
  throw kernelAnswer({
    ...asked,
    why: `its multiplyGroup returned ${found}, where ${count} products were asked`,
  });
}

/** What operands are compared with afterwards: their own entries, where the copy that was given away is of the same bits. */
function keptOf(given: LaidOperands, { a, b }: Stacked, gemm: Gemm): LaidOperands {
  const kept = (mine: Entries, { data }: Matrix) =>
    isPlain(gemm) && readsFactors(gemm) && data.constructor === mine.constructor
      ? (data as Entries)
      : mine.slice();
  const { c, d } = given;
  return { a: kept(given.a, a), b: kept(given.b, b), c: c === d ? c : c.slice(), d };
}

/** A copy of what is asked, for the kernel to keep. */
function toldOf(gemm: Gemm): Gemm {
  const [a, b, c] = [{ ...gemm.a }, { ...gemm.b }, { ...gemm.c }];
  return { ...gemm, a, b, c, d: gemm.c === gemm.d ? c : { ...gemm.d } };
}
