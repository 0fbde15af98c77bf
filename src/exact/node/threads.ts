import { Worker } from 'node:worker_threads';
import { askWorker } from '../../base/node/ask-worker.ts';
import { type Matrix, matrix, productShape } from '../../matrix/dense.ts';
import type { Engine } from '../engine.ts';
import type { ExactProduct } from '../exact.ts';
import { type Certificate, mergeCertificates } from '../exact-product.ts';
import { MAGNITUDE_BLOCK, readMagnitudeOperands } from '../magnitudes.ts';
import { referenceStopped } from '../messages.ts';
import { joinShares, type SharedOperands, type ShareWidths, shareMatrix } from '../operands.ts';
import { emptyLines } from '../profile.ts';
import { ReferenceFault } from '../rounded.ts';
import { keptMemory } from './kept-memory.ts';
import {
  type ExactTask,
  type ExactTaskReply,
  type SharedBlocks,
  type TouchTask,
  toMagnitudeMessage,
  toMessage,
  toProfileMessage,
  toRoundingMessage,
} from './task.ts';

/** Threads that compute parts of one product at a time. A failure ends all of them. */
export interface ExactThreads {
  /** Starts those that do not run. @returns the reason why that fails, if it does */
  start(): Promise<string | undefined>;
  /** Computes a product. @throws ReferenceFault, `reference-stopped` */
  share(a: Matrix, b: Matrix, hasMagnitudes: boolean): Promise<ExactProduct>;
  /** Returns zeros in shared memory. Threads touch its pages, where it is large, while the caller goes on. */
  zeros(entries: number): Float64Array;
  /** Finds the blocks of a product in shared memory that `findUnroundedBlocks` finds. @throws `reference-stopped` */
  findUnrounded(value: Float64Array, low: Float64Array): Promise<number[]>;
  close(): Promise<void>;
}

/** The sizes of the blocks that threads take. */
const LARGEST_BLOCK = { rows: 256, cols: 128 };
const SMALLEST_BLOCK = 16;
/** Bytes of shared memory kept for the next product: as much as one of 1290³ in f64 takes with its magnitudes and what is lent beside. */
const MOST_KEPT = 2 ** 27;
/** Below this many bytes the system gives pages as fast as threads touch them. */
const FEW_BYTES = 2 ** 25;
/** The least number of blocks for each thread, so that none waits long for the others. */
const BLOCKS_EACH = 8;

/** Describes threads, of which none runs yet. @param script their module */
export function exactThreads(script: URL, count: number, engine: Engine): ExactThreads {
  let workers: Worker[] = [];
  let memory = keptMemory(MOST_KEPT);

  const close = async () => {
    const ending = workers;
    workers = [];
    await Promise.all(ending.map((worker) => worker.terminate()));
  };

  const start = async () => {
    try {
      if (typeof SharedArrayBuffer === 'undefined') throw new Error('this runtime has no SharedArrayBuffer');
      while (workers.length < count) workers.push(new Worker(script));
      return undefined;
    } catch (error) {
      await close();
      return `threads cannot be started: ${error instanceof Error ? error.message : String(error)}`;
    }
  };

  /** Has the threads touch the pages of large memory, while the caller goes on. */
  const touching = (touched: SharedArrayBuffer) => {
    if (touched.byteLength >= FEW_BYTES)
      workers.forEach((worker, first) => {
        worker.postMessage({ touched, first, step: workers.length } satisfies TouchTask);
      });
    return touched;
  };

  const share = async (a: Matrix, b: Matrix, hasMagnitudes: boolean): Promise<ExactProduct> => {
    const shape = productShape(a, b);
    const { m, n } = shape;
    memory.takeBack();
    return stoppingAll(async () => {
      const handOut = (blocks: Pick<SharedBlocks, 'rows' | 'cols'>) => {
        const groups = Math.ceil(m / blocks.rows);
        return { ...blocks, start: 0, handedOut: new Int32Array(memory.take(4 * groups)).fill(0) };
      };
      const startOf = ({ handedOut }: SharedBlocks, worker: number) =>
        Math.floor((handedOut.length * worker) / workers.length);
      const results = () => new Float64Array(memory.take(8 * m * n));
      const take = (bytes: number) => touching(memory.take(bytes));
      const [x, y] = [shareMatrix(a, take), shareMatrix(b, take)];
      const unread: SharedOperands = {
        ...{ shape, a: x.data, b: y.data },
        ...{ rows: emptyLines(m, memory.take), cols: emptyLines(n, memory.take) },
      };
      const [value, low] = [results(), results()];
      const magnitudes = hasMagnitudes ? { sizes: results(), squares: results() } : undefined;
      const profiling = Promise.all(
        workers.map((worker, at) => {
          const share = { at, of: workers.length };
          return askWorker<ShareWidths>(worker, toProfileMessage({ operands: unread, share }));
        }),
      );
      if (magnitudes !== undefined) {
        const beside = {
          ...{ ...handOut({ rows: MAGNITUDE_BLOCK, cols: MAGNITUDE_BLOCK }), ...magnitudes },
          operands: readMagnitudeOperands({ shape, a: x.data, b: y.data }),
        };
        workers.forEach((worker, at) => {
          worker.postMessage(toMagnitudeMessage({ ...beside, start: startOf(beside, at) }));
        });
      }
      const operands = joinShares(unread, await profiling);
      const blocks = blocksFor(m, n, BLOCKS_EACH * count);
      const task: ExactTask = { ...handOut(blocks), operands, engine, value, low };
      const answering = Promise.all(
        workers.map((worker, at) =>
          askWorker<ExactTaskReply>(worker, toMessage({ ...task, start: startOf(task, at) })),
        ),
      );
      if (magnitudes !== undefined) {
        const certificate = mergeCertificates((await answering).map((answer) => certificateOf(answer, task)));
        const lend = (entries: number) => new Float64Array(memory.take(8 * entries));
        return { product: matrix(m, n, value), low, certificate, magnitudes, lend };
      }
      // Pages are touched while the threads compute, since the system allocates them at the first write.
      const own = Array.from({ length: 2 }, () => new Float64Array(m * n).fill(0));
      const certificate = mergeCertificates((await answering).map((answer) => certificateOf(answer, task)));
      const taken = (from: Float64Array, at: number) => {
        own[at].set(from);
        return own[at];
      };
      const product = { product: matrix(m, n, taken(value, 0)), low: taken(low, 1), certificate };
      memory.takeBack();
      return product;
    });
  };

  /** Does the work of all threads. After a failure, none goes on. */
  const stoppingAll = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      memory = keptMemory(MOST_KEPT);
      await close();
      if (error instanceof ReferenceFault) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw referenceStopped({ workers: count, why }, error);
    }
  };

  return {
    ...{ start, share, close },
    zeros: (entries) => new Float64Array(touching(new SharedArrayBuffer(8 * entries))),
    async findUnrounded(value, low) {
      const found = await stoppingAll(() =>
        Promise.all(
          workers.map((worker, first) =>
            askWorker<number[]>(worker, toRoundingMessage({ value, low, first, step: workers.length })),
          ),
        ),
      );
      return found.flat();
    },
  };
}

/** Returns blocks of at most the largest size, halved until there are `least` of them. */
function blocksFor(m: number, n: number, least: number): { rows: number; cols: number } {
  const blocks = { ...LARGEST_BLOCK };
  const count = () => Math.ceil(m / blocks.rows) * Math.ceil(n / blocks.cols);
  for (const side of ['cols', 'rows', 'cols', 'rows', 'cols', 'rows'] as const) {
    if (count() < least && blocks[side] > SMALLEST_BLOCK) blocks[side] /= 2;
  }
  return blocks;
}

/** Returns the certificate of an answer. @throws ReferenceFault if the thread has found one. */
function certificateOf(answer: ExactTaskReply, { operands }: ExactTask): Certificate {
  if ('wrong' in answer) throw new ReferenceFault(operands.shape, answer.wrong);
  return answer.certificate;
}
