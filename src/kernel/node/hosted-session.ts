import { setTimeout } from 'node:timers/promises';
import type { Execution } from '../../gpu/execution.ts';
import { Problem, type ProblemCode } from '../../problems.ts';
import { noAnswer } from '../answer.ts';
import { START_UP, TIME_LIMIT, within } from '../deadline.ts';
import { inTurn } from '../in-turn.ts';
import type { Session } from '../session.ts';
import { type Guest, type Named, openGuest } from './guest.ts';
import type { Locator } from './host-messages.ts';

/** How a kernel is hosted. */
export interface HostedOptions {
  /** Seconds that one product may take. @defaultValue 60 */
  readonly timeLimit?: number | undefined;
  /** Seconds that may pass until it is ready for its first product, unless its time limit is longer. @defaultValue 120 */
  readonly startUp?: number;
}

/** Problems after which a process is not to be trusted with another product. */
const LASTING: readonly ProblemCode[] = ['kernel-hangs', 'kernel-died', 'device-lost'];

/** Milliseconds that a kernel may take to release what it holds. */
const FAREWELL = 2000;

/**
 * Opens a kernel in a process of its own, so that whatever it does there is a verdict on the product it does it to: an
 * endless loop, `process.exit`, a crash. The process starts with the first product and is replaced, for the next one,
 * when it has ended or had to be ended. Neither the time until a kernel is ready is its
 * product's, nor that in which the operands travel.
 * @param locator where that process finds the kernel.
 */
export function openHostedSession(
  name: string,
  locator: Locator,
  { timeLimit = TIME_LIMIT, startUp = START_UP }: HostedOptions = {},
): Session {
  const patience = Math.max(startUp, timeLimit);
  let guest: Guest | undefined;
  let versions: Readonly<Record<string, string>> | undefined;
  const next = inTurn();

  /** A guest that is ready. */
  const ready = async (asked: Named): Promise<Guest> => {
    if (guest?.alive() === true) return guest;
    guest = openGuest(name, locator);
    versions ??= {};
    versions = await within(patience, guest.opened(asked), () => noAnswer(asked, patience));
    return guest;
  };

  /** Does something with a guest, which is not kept where that shows that it is not to be trusted. */
  const visit = async <T>(asked: Named, work: (found: Guest) => Promise<T>): Promise<T> => {
    let found: Guest | undefined;
    try {
      found = await ready(asked);
      found.hold(true);
      return await work(found);
    } catch (error) {
      if (found === undefined || !(error instanceof Problem) || LASTING.includes(error.code)) {
        guest?.kill();
        guest = undefined;
      }
      throw error;
    } finally {
      found?.hold(false);
    }
  };

  return {
    multiply(a, b, call): Promise<Execution> {
      const { m, k, n } = call;
      const asked: Named = { kernel: name, shape: { m, k, n } };
      return next(() =>
        visit(asked, async (found) => {
          const answer = await within(patience, found.begin({ a, b, call }, asked), () =>
            noAnswer(asked, patience),
          );
          return within(timeLimit, answer(), () => noAnswer(asked, timeLimit));
        }),
      );
    },
    versions: () =>
      next(async () => {
        const nothing: Named = { kernel: name, shape: { m: 0, k: 0, n: 0 } };
        if (versions === undefined) await visit(nothing, async () => {});
        return versions ?? {};
      }),
    close: () =>
      next(async () => {
        const leaving = guest;
        guest = undefined;
        if (leaving === undefined) return;
        leaving.hold(true);
        await Promise.race([leaving.close(), setTimeout(FAREWELL, undefined, { ref: false })]);
        leaving.kill();
      }),
  };
}
