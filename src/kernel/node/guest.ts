import type { Execution } from '../../gpu/execution.ts';
import { type Problem, problem } from '../../problems.ts';
import { type Asked, shapeText } from '../answer.ts';
import { type Ending, endingText } from './child.ts';
import { forkHost, type Host } from './fork-host.ts';
import { type FromHost, type Locator, readWritten, type ToHost } from './host-messages.ts';

/** A kernel in a process of its own. */
export interface Guest {
  /**
   * Opens it. @returns its versions
   * @throws Problem that its locator throws, `kernel-died`
   */
  opened(asked: Named): Promise<Readonly<Record<string, string>>>;
  /**
   * Hands over the operands of a product; settles when they have arrived.
   * @returns what waits for the product
   * @throws Problem of its session, `kernel-died`
   */
  begin(product: Product, asked: Named): Promise<() => Promise<Execution>>;
  /** Whether it can be asked. */
  alive(): boolean;
  kill(): void;
  /** Tells it to end; settles when it has. */
  close(): Promise<void>;
  hold(alive: boolean): void;
}

/** Operands, and what is asked of them. */
export type Product = Omit<Extract<ToHost, { tell: 'multiply' }>, 'tell' | 'id'>;

/** Whose product is asked for. */
export type Named = Pick<Asked, 'kernel' | 'shape'>;

interface Waiter {
  onMessage(message: FromHost): void;
  onEnd(ending: Ending): void;
}

export function openGuest(name: string, locator: Locator): Guest {
  const host = forkHost();
  const { process: child } = host;
  let uncaught: string | undefined;
  let over: Ending | undefined;
  // Who waits is forgotten when they have what they waited for: products are large.
  const waiting = new Set<Waiter>();
  child.on('message', (message: FromHost | null) => {
    // A kernel may send what it likes.
    if (message === null) return;
    if (message.tell === 'uncaught') uncaught = message.why;
    for (const waiter of waiting) waiter.onMessage(message);
  });
  void goneFrom(host).then((ending) => {
    over = ending;
    for (const waiter of waiting) waiter.onEnd(ending);
  });
  // It may have ended, which is heard of otherwise.
  const tell = (message: ToHost) => void child.send(message, () => {});

  /** The first message that says something to the point; what `take` throws is thrown. */
  const hear = <T>(asked: Named, take: (message: FromHost) => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const waiter: Waiter = {
        onMessage(message) {
          try {
            const taken = take(message);
            if (taken === undefined) return;
            resolve(taken);
          } catch (error) {
            reject(error);
          }
          waiting.delete(waiter);
        },
        onEnd(ending) {
          waiting.delete(waiter);
          reject(died(asked, ending, host, uncaught));
        },
      };
      waiting.add(waiter);
      if (over !== undefined) waiter.onEnd(over);
    });

  let id = 0;
  return {
    async opened(asked) {
      const ready = hear(asked, (message) => {
        if (message.tell === 'unopened') throw readWritten(message.problem);
        return message.tell === 'ready' ? message.versions : undefined;
      });
      tell({ tell: 'open', name, locator });
      return ready;
    },
    async begin(product, asked) {
      const own = ++id;
      const answer = hear(asked, (message) => {
        if (message.tell === 'problem' && message.id === own) throw readWritten(message.problem);
        return message.tell === 'product' && message.id === own ? message.execution : undefined;
      });
      answer.catch(() => {});
      const begun = hear(asked, (message) => {
        return message.tell === 'begun' && message.id === own ? true : undefined;
      });
      tell({ tell: 'multiply', id: own, ...product });
      await begun;
      return () => answer;
    },
    alive: () => child.connected && host.ending() === undefined,
    kill: host.kill,
    async close() {
      tell({ tell: 'close' });
      await host.ended;
    },
    hold: host.hold,
  };
}

/** Settles when a host has ended and all is heard that it had to say. */
async function goneFrom({ ended, process: child }: Host): Promise<Ending> {
  const ending = await ended;
  if (child.connected) await new Promise((resolve) => child.once('disconnect', resolve));
  return ending;
}

function died({ kernel, shape }: Named, ending: Ending, host: Host, uncaught: string | undefined): Problem {
  const why =
    uncaught === undefined
      ? endingText(ending, host.lastWords())
      : `an error that nothing caught ended it: ${uncaught}`;
  return problem('kernel-died', { kernel, shape: shapeText(shape), why });
}
