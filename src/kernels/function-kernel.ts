import type { ParanoiaError } from '../base/errors.ts';
import type { Matrix } from '../matrix/dense.ts';
import { type Gemm, isPlain } from '../matrix/gemm.ts';
import { readsFactors, type Stacked } from '../matrix/members.ts';
import type { Entries } from '../matrix/operands.ts';
import { changedOf, type LaidOperands, layOutAll } from '../precision/laid-operands.ts';
import { precisions } from '../precision/precisions.ts';
import { type Asked, type AskedIn, readAnswer, versionsIn } from './answer.ts';
import { START_UP, TIME_LIMIT, within } from './deadline.ts';
import { type Factors, gemmOf, oneByOne, type Session } from './kernel.ts';
import { kernelHangs } from './messages.ts';
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
      const gemm = gemmOf(factors);
      const precision = precisions.find(kernel.precision ?? 'f32');
      const asked: AskedIn = { kernel: name, precision, shape: gemm };
      await ready(asked);
      const given = layOutAll(factors.operands, gemm, precision);
      const before = keptOf(given, factors.operands, gemm);
      const start = performance.now();
      const { a, b, c, d } = given;
      const answer = await answerOf(() => kernel.multiply(a, b, toldOf(gemm), c, d), asked);
      const seconds = (performance.now() - start) / 1000;
      const left = readAnswer(answer, asked, d);
      return { ...left, changed: changedOf(before, given), seconds };
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
