import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { askWorker } from '../../base/node/ask-worker.ts';
import { ownScript } from '../../base/node/invocation.ts';
import { referenceStopped } from '../../exact/messages.ts';
import { ReferenceFault } from '../../exact/rounded.ts';
import type { GivenArithmetic, LargeCrew } from '../given-product.ts';
import { type AskPieces, answerPieces, type LargePiece } from '../large.ts';
import type { LargeProduct } from '../projection.ts';
import { type LargeReply, type SentProduct, sendMatrix } from './large-task.ts';

/** Threads that judge pieces of large products. */
export interface OpenCrew {
  /**
   * Answers pieces on all threads, or in this one where that takes less time. Their number changes no answer.
   * @throws ParanoiaError `reference-stopped` if a thread ends before its work; ReferenceFault if an exact product is wrong
   */
  readonly judge: LargeCrew;
  /** Ends the threads. */
  close(): Promise<void>;
}

/** Below this many entries of operands and product, starting threads takes longer than judging. */
const SMALL = 2 ** 24;

/** Opens a crew. Its threads start with the first product that is large enough, and keep the process alive only while they work. */
export function openLargeCrew(count = availableParallelism(), smallest = SMALL): OpenCrew {
  let workers: Worker[] = [];
  const close = async () => {
    const ending = workers;
    workers = [];
    await Promise.all(ending.map((worker) => worker.terminate()));
  };

  const judge = (product: LargeProduct, arithmetic: GivenArithmetic): AskPieces => {
    const { a, b } = product.operands;
    const entries = a.data.length + b.data.length + product.computed.data.length;
    if (count === 1 || entries < smallest) {
      const answer = answerPieces(product);
      return async (pieces) => pieces.map(answer);
    }
    const script = ownScript('./large-worker', import.meta.url);
    while (workers.length < count) workers.push(new Worker(script));
    const sent = sendProduct(product, arithmetic);
    for (const worker of workers) worker.postMessage({ product: sent });
    return async (pieces) => {
      try {
        return await answerAll(workers, pieces);
      } catch (error) {
        await close();
        if (error instanceof ReferenceFault) throw error;
        const why = error instanceof Error ? error.message : String(error);
        throw referenceStopped({ workers: count, why }, error);
      }
    };
  };
  return { judge, close };
}

/** Hands out pieces, each to the first worker that is free. */
async function answerAll(workers: readonly Worker[], pieces: readonly LargePiece[]): Promise<unknown[]> {
  const answers: unknown[] = Array.from(pieces);
  let next = 0;
  const work = async (worker: Worker) => {
    while (next < pieces.length) {
      const at = next++;
      const reply = await askWorker<LargeReply>(worker, { piece: pieces[at] });
      if ('wrong' in reply) throw new ReferenceFault(reply.shape, reply.wrong);
      answers[at] = reply.answer;
    }
  };
  await Promise.all(workers.map(work));
  return answers;
}

function sendProduct(
  { operands, computed, tasks, ...rest }: LargeProduct,
  arithmetic: GivenArithmetic,
): SentProduct {
  const { a, b, c, seed } = operands;
  const matrices = { a: sendMatrix(a), b: sendMatrix(b), c: c && sendMatrix(c), d: sendMatrix(computed) };
  return { ...rest, ...matrices, seed, arithmetic, tasks: tasks.map(({ fast }) => ({ fast })) };
}
