import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type Matrix, matrix, productShape } from '../../matrix/dense.ts';
import { problem } from '../../problems.ts';
import { mergeCertificates } from '../certificate.ts';
import { type ExactProduct, exactProduct } from '../exact.ts';
import { packOperands } from '../operands.ts';
import type { Answer, Task } from './task.ts';

/** Threads that compute exact products together. */
export interface ExactPool {
  /**
   * The same result as {@link exactProduct}, computed by all threads; small products are computed here.
   * One at a time: a second call waits for the first.
   * @throws Problem `shapes-differ`; `reference-stopped` when a thread ends before its work; the pool is then closed.
   */
  product(a: Matrix, b: Matrix): Promise<ExactProduct>;
  /** Ends the threads. */
  close(): Promise<void>;
}

/** How a pool is set up. */
export interface PoolOptions {
  /** Threads: at least 1; by default one a processor core. */
  readonly workers?: number;
  /** The threads' module, where a bundler has moved it from beside this one. */
  readonly script?: URL;
}

/** Below this many products of two entries, starting threads takes longer than computing. */
const SMALL = 2 ** 24;
const ROWS_AT_A_TIME = 16;

/** The exact product of A (m×k) and B (k×n), by threads that are started for it and ended after it. */
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
 * @throws Problem `bad-number` unless `workers` is a whole number of at least 1.
 */
export function openExactPool(options: PoolOptions = {}): ExactPool {
  const count = options.workers ?? availableParallelism();
  if (!Number.isInteger(count) || count < 1) {
    throw problem('bad-number', { what: 'workers', given: count, need: 'a whole number of at least 1' });
  }
  const script = options.script ?? new URL('./worker.js', import.meta.url);
  let workers: Worker[] = [];
  let last: Promise<unknown> = Promise.resolve();

  const close = async () => {
    const ending = workers;
    workers = [];
    await Promise.all(ending.map((worker) => worker.terminate()));
  };

  const compute = async (a: Matrix, b: Matrix): Promise<ExactProduct> => {
    const { m, k, n } = productShape(a, b);
    if (m * k * n < SMALL || count === 1) return exactProduct(a, b);
    try {
      const task: Task = {
        operands: packOperands(a, b, shared),
        handedOut: new Int32Array(shared(4)),
        rowsAtATime: Math.max(1, Math.min(ROWS_AT_A_TIME, Math.ceil(m / (4 * count)))),
        value: new Float64Array(shared(8 * m * n)),
        low: new Float64Array(shared(8 * m * n)),
      };
      while (workers.length < count) workers.push(new Worker(script));
      const answers = await Promise.all(workers.map((worker) => ask(worker, task)));
      const certificate = mergeCertificates(answers.map((answer) => answer.certificate));
      return { product: matrix(m, n, unshared(task.value)), low: unshared(task.low), certificate };
    } catch (error) {
      await close();
      const why = error instanceof Error ? error.message : String(error);
      throw problem('reference-stopped', { workers: count, why }, error);
    }
  };

  return {
    product(a, b) {
      const result = last.then(() => compute(a, b));
      last = result.catch(() => undefined);
      return result;
    },
    close,
  };
}

function shared(bytes: number): SharedArrayBuffer {
  return new SharedArrayBuffer(bytes);
}

/** A copy in memory of one's own: some interfaces refuse shared memory. */
function unshared(data: Float64Array): Float64Array {
  return new Float64Array(data);
}

/** Sends a task to a worker and waits for its answer, or for its end. */
function ask(worker: Worker, task: Task): Promise<Answer> {
  return new Promise<Answer>((resolve, reject) => {
    const onAnswer = (answer: Answer) => settle(() => resolve(answer));
    const onError = (error: unknown) => settle(() => reject(error));
    const onExit = (code: number) => settle(() => reject(new Error(`it ended with exit code ${code}`)));
    const settle = (finish: () => void) => {
      worker.off('message', onAnswer).off('error', onError).off('messageerror', onError).off('exit', onExit);
      worker.unref();
      finish();
    };
    worker.on('message', onAnswer).on('error', onError).on('messageerror', onError).on('exit', onExit);
    worker.ref();
    worker.postMessage(task);
  });
}
