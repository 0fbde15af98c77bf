import type { Timing } from '../../gpu/time-program.ts';
import type { Matrix } from '../../matrix/dense.ts';
import { Problem } from '../../problems.ts';
import { noAnswer } from '../answer.ts';
import { type Deadline, deadline, START_UP, TIME_LIMIT } from '../deadline.ts';
import { inTurn } from '../in-turn.ts';
import type { OwnTimes } from '../kernel.ts';
import type { Session } from '../session.ts';
import type { Call, ProgramKernel } from '../user-kernel.ts';
import { dumpOperands, parseProduct } from './npy-exchange.ts';
import { askedOf, type ProgramOptions } from './program.ts';
import { startWorker, type Worker } from './worker.ts';

/** Workers in a row that may be waited for although none of them has said anything. */
const PATIENCE = 2;

/**
 * A program that is started once and then asked for one product after the other (see {@link Request}). After anything but
 * an answer, or an error that it reports itself, it is ended, and another one is started for the next product. Until it
 * has said its first line it may take {@link START_UP} longer than the time limit, unless the workers before it have used
 * that to say nothing. The seconds of a product include what it takes to send the operands and to receive C.
 * @param startUp seconds that may pass until it says that it is ready, unless its time limit is longer.
 */
export function openWorkerSession(
  kernel: ProgramKernel,
  options: ProgramOptions,
  { startUp = START_UP }: { readonly startUp?: number } = {},
): Session {
  const { timeLimit = TIME_LIMIT } = kernel;
  let worker: Worker | undefined;
  let versions: Readonly<Record<string, string>> = {};
  let silent = 0;
  let limit: Deadline | undefined;
  let allowed = timeLimit;
  let asking: Timing | undefined;

  const start = () => {
    silent++;
    return startWorker(kernel, options, (ready, said) => {
      silent = 0;
      if (!ready) return;
      versions = said;
      allowed = timeLimit + (asking?.most ?? 0);
      limit?.restart(allowed);
    });
  };

  const multiply = async (a: Matrix, b: Matrix, call: Call, timing?: Timing): Promise<OwnTimes> => {
    const asked = askedOf(kernel, call);
    const operands = dumpOperands(a, b, asked, call);
    const fresh = worker?.alive() !== true;
    const trials = timing && { trials: timing.trials, warmUp: timing.warmUp, most: timing.most };
    asking = timing;
    const own = timeLimit + (timing?.most ?? 0);
    allowed = fresh && silent < PATIENCE ? Math.max(startUp, timeLimit) + own : own;
    const begin = performance.now();
    try {
      if (worker === undefined || fresh) worker = start();
      const late = new Promise<never>((_, reject) => {
        limit = deadline(allowed, () => reject(noAnswer(asked, allowed)));
      });
      const { bytes, own: times } = await Promise.race([worker.ask(asked, operands, trials), late]);
      const seconds = (performance.now() - begin) / 1000;
      const c = parseProduct(bytes, asked);
      return { c, unwritten: 0, guardsTouched: 0, operandsChanged: 0, seconds, own: times };
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'kernel-threw') {
        worker?.kill();
        worker = undefined;
      }
      throw error;
    } finally {
      limit?.cancel();
    }
  };

  const next = inTurn();
  return {
    multiply: (a, b, call) => next(() => multiply(a, b, call)),
    time: (...product) => next(() => multiply(...product)),
    versions: async () => versions,
    close: () =>
      next(async () => {
        await worker?.close();
        worker = undefined;
      }),
  };
}
