import type { ParanoiaError } from '../base/errors.ts';
import type { Matrix } from '../matrix/dense.ts';
import { type Entries, entriesChanged, layOut } from '../matrix/operands.ts';
import { precisions } from '../precision/precisions.ts';
import { type Asked, type AskedIn, readAnswer, versionsIn } from './answer.ts';
import { START_UP, TIME_LIMIT, within } from './deadline.ts';
import { callOf, type Factors, oneByOne, type Session } from './kernel.ts';
import { kernelHangs } from './messages.ts';
import { blaming, thrownBy } from './thrown.ts';
import type { FunctionKernel } from './user-kernel.ts';

/**
 * Opens a kernel that is a function, in this process. It gets copies of A and B in the layout asked for; what it
 * changes in them, padding included, is counted. Its `prepare` is called before the first product, once: where it
 * fails, every product fails with the same problem.
 *
 * The time limit ends the waiting for a promise. A function that does not return cannot be stopped from within its own
 * process: where that matters, open it in another one.
 */
export function openFunctionKernel(kernel: FunctionKernel): Session<Factors> {
  const { name, timeLimit = TIME_LIMIT, precision = 'f32' } = kernel;
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
      const { a, b } = factors.operands;
      const { layout, ...shape } = callOf(factors);
      const asked: AskedIn = { kernel: name, precision: precisions.find(precision), shape };
      await ready(asked);
      const { transposeA, transposeB, pad } = layout;
      const givenA = layOut(a, asked.precision.a, transposeA, pad);
      const givenB = layOut(b, asked.precision.b, transposeB, pad);
      const before = [original(a, givenA, transposeA, pad), original(b, givenB, transposeB, pad)];
      const start = performance.now();
      const answer = await answerOf(
        () => kernel.multiply(givenA, givenB, { ...shape, layout: { ...layout } }),
        asked,
      );
      const seconds = (performance.now() - start) / 1000;
      // A function returns an array of its own: which entries it never wrote cannot be seen, nor what it wrote elsewhere.
      return {
        c: readAnswer(answer, asked),
        unwritten: 0,
        overwritten: 0,
        changed: entriesChanged(before[0], givenA) + entriesChanged(before[1], givenB),
        seconds,
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

/** What an operand is compared with afterwards: its own entries, where the copy that was given away is of the same bits. */
function original({ data }: Matrix, given: Entries, transposed: boolean, pad: number): Entries {
  return !transposed && pad === 0 && data.constructor === given.constructor ? data : given.slice();
}
