import { availableParallelism } from 'node:os';
import { badNumber } from '../../base/messages.ts';
import { ownScript } from '../../base/node/invocation.ts';
import { type Matrix, productShape } from '../../matrix/dense.ts';
import { type Engine, engineFor, engineHere } from '../engine.ts';
import { type ExactProduct, exactProduct } from '../exact.ts';
import { requireAllRounded, requireExact } from '../postcondition.ts';
import type { ExactThreads } from './threads.ts';

/** A pool of threads that compute exact products together. */
export interface ExactPool {
  /**
   * Computes {@link exactProduct} on all threads; small products are computed on the calling thread. It computes one product at a time:
   * a second call waits for the first.
   * @throws ParanoiaError `shapes-differ`; `reference-stopped` if a thread ends before its work, which closes the pool. ReferenceFault
   * if the product is not exact.
   */
  readonly product: PooledProduct;
  /** Returns zeros in memory whose pages the threads touch, while the caller goes on. */
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
/** Below this many zeros no thread is started for them. */
const FEW_ENTRIES = 2 ** 22;

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
  let loading: Promise<ExactThreads> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** Returns the threads, started; undefined where the calling thread computes alone. Their code loads with the first large product. */
  const running = async () => {
    if (count === 1 || whyAlone !== undefined) return undefined;
    loading ??= import('./threads.ts').then(({ exactThreads }) => exactThreads(script, count, engine));
    const threads = await loading;
    whyAlone = await threads.start();
    return whyAlone === undefined ? threads : undefined;
  };

  const zeros = async (entries: number) => {
    const threads = entries < FEW_ENTRIES ? undefined : await running();
    return threads?.zeros(entries) ?? new Float64Array(entries);
  };

  const checkRounding = async (a: Matrix, b: Matrix, computed: ExactProduct) => {
    const { product, low } = computed;
    const isShared = [product.data, low].every(({ buffer }) => !(buffer instanceof ArrayBuffer));
    const threads = isShared ? await running() : undefined;
    const suspects = await threads?.findUnrounded(product.data as Float64Array, low);
    requireAllRounded(a, b, computed, suspects);
  };

  const compute = async (a: Matrix, b: Matrix, hasMagnitudes: boolean): Promise<ExactProduct> => {
    const { m, k, n } = productShape(a, b);
    if (m * k * n < SMALL) {
      const fastest = options.engine ?? engineFor(m * k * n);
      how = howComputed(fastest, 1);
      return exactProduct(a, b, fastest);
    }
    const threads = await running();
    if (threads === undefined) {
      how = howComputed(engine, 1, whyAlone ?? whyEngine);
      return exactProduct(a, b, engine);
    }
    how = howComputed(engine, count, whyEngine);
    const product = await threads.share(a, b, hasMagnitudes);
    requireExact(a, b, product);
    return product;
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
    close: async () => (await loading)?.close(),
  };
}

const howComputed = (engine: Engine, threads: number, why?: string): HowComputed => ({
  engine,
  threads,
  ...(why === undefined ? {} : { why }),
});
