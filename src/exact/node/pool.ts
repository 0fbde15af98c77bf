import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { badNumber } from '../../base/messages.ts';
import { askWorker } from '../../base/node/ask-worker.ts';
import { ownScript } from '../../base/node/invocation.ts';
import { type Matrix, matrix, productShape } from '../../matrix/dense.ts';
import { type Engine, engineFor, engineHere } from '../engine.ts';
import { type ExactProduct, exactProduct } from '../exact.ts';
import { type Certificate, mergeCertificates } from '../exact-product.ts';
import { MAGNITUDE_BLOCK, readMagnitudeOperands } from '../magnitudes.ts';
import { referenceStopped } from '../messages.ts';
import { joinShares, type SharedOperands, type ShareWidths, shareMatrix } from '../operands.ts';
import { requireAllRounded, requireExact } from '../postcondition.ts';
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

/** A pool of threads that compute exact products together. */
export interface ExactPool {
  /**
   * Computes {@link exactProduct} on all threads; small products are computed on the calling thread. It computes one product at a time:
   * a second call waits for the first.
   * @throws ParanoiaError `shapes-differ`; `reference-stopped` if a thread ends before its work, which closes the pool. ReferenceFault
   * if the product is not exact.
   */
  readonly product: PooledProduct;
  /** Returns zeros in memory whose pages the threads touch, while the caller goes on: see {@link TouchTask}. */
  zeros(entries: number): Promise<Float64Array>;
  /**
   * Checks the rounding of every entry of a product that is computed elsewhere, on all threads if {@link zeros} gave its memory.
   * @throws ReferenceFault, `reference-stopped`
   */
  requireAllRounded(a: Matrix, b: Matrix, product: ExactProduct): Promise<void>;
  /** Returns the engine and threads of the last product; before the first one, those planned for large products. */
  how(): HowComputed;
  /** Ends the threads. */
  close(): Promise<void>;
}

/** A function that computes exact products. */
export interface PooledProduct {
  (a: Matrix, b: Matrix): Promise<ExactProduct>;
  /** Computes the magnitudes of the terms too, unless the product is small. Its arrays are lent: the next product overwrites them. */
  withMagnitudes(a: Matrix, b: Matrix): Promise<ExactProduct>;
}

/** The engine and threads that compute exact products. */
export interface HowComputed {
  readonly engine: Engine;
  /** The number of threads: 1, the calling one, for small products and if no others can be started. */
  readonly threads: number;
  /** The reason for a slower engine or fewer threads than requested, if the runtime lacks something. */
  readonly why?: string;
}

/** Options of a pool. */
export interface PoolOptions {
  /** The number of threads, at least 1. @defaultValue one for each processor core */
  readonly workers?: number;
  /** The threads' module, if a bundler has moved it from beside this one. */
  readonly script?: URL;
  /** The engine. @defaultValue the fastest here */
  readonly engine?: Engine;
}

/** Below this many products of entries, starting threads takes longer than computing. */
const SMALL = 2 ** 24;
/** Below this many entries one thread touches and checks them sooner. */
const FEW_ENTRIES = 2 ** 22;
/** The sizes of the blocks that threads take. */
const LARGEST_BLOCK = { rows: 256, cols: 128 };
const SMALLEST_BLOCK = 16;
/** Bytes of shared memory kept for the next product: as much as one of 1290³ in f64 takes with its magnitudes and what is lent beside. */
const MOST_KEPT = 2 ** 27;
/** The least number of blocks for each thread, so that none waits long for the others. */
const BLOCKS_EACH = 8;

/** Computes the exact product of A (m×k) and B (k×n) on threads that are started for it and ended after it. */
export async function exactProductParallel(
  a: Matrix,
  b: Matrix,
  options: PoolOptions = {},
): Promise<ExactProduct> {
  const pool = openExactPool(options);
  try {
    return await pool.product(a, b);
  } finally {
    await pool.close();
  }
}

/**
 * Opens a pool. Its threads start with the first product that is large enough for them, and keep the process
 * alive only while they compute.
 * @throws ParanoiaError `bad-number` unless `workers` is a whole number of at least 1.
 */
export function openExactPool(options: PoolOptions = {}): ExactPool {
  const count = options.workers ?? availableParallelism();
  if (!Number.isInteger(count) || count < 1) {
    throw badNumber({ what: 'workers', given: count, need: 'a whole number of at least 1' });
  }
  const script = options.script ?? ownScript('./worker', import.meta.url);
  const here = engineHere();
  const engine = options.engine ?? here.engine;
  const whyEngine = engine === here.engine ? here.why : undefined;
  let whyAlone: string | undefined;
  let how = howComputed(engine, count, whyEngine);
  let workers: Worker[] = [];
  let memory = keptMemory(MOST_KEPT);
  let last: Promise<unknown> = Promise.resolve();

  const close = async () => {
    const ending = workers;
    workers = [];
    await Promise.all(ending.map((worker) => worker.terminate()));
  };

  /** Starts the missing threads. If that fails, the calling thread computes alone. */
  const start = async () => {
    try {
      if (typeof SharedArrayBuffer === 'undefined') throw new Error('this runtime has no SharedArrayBuffer');
      while (workers.length < count) workers.push(new Worker(script));
    } catch (error) {
      await close();
      whyAlone = `threads cannot be started: ${error instanceof Error ? error.message : String(error)}`;
    }
  };

  const hasThreads = async () => {
    if (count > 1 && whyAlone === undefined) await start();
    return count > 1 && whyAlone === undefined;
  };

  const zeros = async (entries: number) => {
    if (entries < FEW_ENTRIES || !(await hasThreads())) return new Float64Array(entries);
    return new Float64Array(touching(new SharedArrayBuffer(8 * entries)));
  };

  /** Has the threads touch the pages of large memory, while the caller goes on. */
  const touching = (touched: SharedArrayBuffer) => {
    if (touched.byteLength >= 8 * FEW_ENTRIES)
      workers.forEach((worker, first) => {
        worker.postMessage({ touched, first, step: workers.length } satisfies TouchTask);
      });
    return touched;
  };

  const checkRounding = async (a: Matrix, b: Matrix, computed: ExactProduct) => {
    const { product, low } = computed;
    const isShared = [product.data, low].every(({ buffer }) => !(buffer instanceof ArrayBuffer));
    if (!isShared || !(await hasThreads())) return requireAllRounded(a, b, computed);
    const value = product.data as Float64Array;
    const found = await stoppingAll(() =>
      Promise.all(
        workers.map((worker, first) =>
          askWorker<number[]>(worker, toRoundingMessage({ value, low, first, step: workers.length })),
        ),
      ),
    );
    requireAllRounded(a, b, computed, found.flat());
  };

  const compute = async (a: Matrix, b: Matrix, hasMagnitudes: boolean): Promise<ExactProduct> => {
    const { m, k, n } = productShape(a, b);
    if (m * k * n < SMALL) {
      const fastest = options.engine ?? engineFor(m * k * n);
      how = howComputed(fastest, 1);
      return exactProduct(a, b, fastest);
    }
    if (!(await hasThreads())) {
      how = howComputed(engine, 1, whyAlone ?? whyEngine);
      return exactProduct(a, b, engine);
    }
    how = howComputed(engine, count, whyEngine);
    const product = await share(a, b, hasMagnitudes);
    requireExact(a, b, product);
    return product;
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

  const inTurn = <T>(work: () => Promise<T>) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };

  return {
    product: Object.assign((a: Matrix, b: Matrix) => inTurn(() => compute(a, b, false)), {
      withMagnitudes: (a: Matrix, b: Matrix) => inTurn(() => compute(a, b, true)),
    }),
    zeros,
    requireAllRounded: (a, b, product) => inTurn(() => checkRounding(a, b, product)),
    how: () => how,
    close,
  };
}

const howComputed = (engine: Engine, threads: number, why?: string): HowComputed => ({
  engine,
  threads,
  ...(why === undefined ? {} : { why }),
});

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
