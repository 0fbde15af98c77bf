import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { classical } from '../../algorithms/classical.ts';
import type { PrecisionName } from '../../formats/precision.ts';
import { assumedArithmetic } from '../../kernel/assumed-arithmetic.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { type Matrix, matrix } from '../../matrix/dense.ts';
import { compile } from '../../plan/compile.ts';
import { problem } from '../../problems.ts';
import { doubleSums } from '../host/double-sums.ts';
import { type TileTask, takeTiles } from '../host/tiled-rows.ts';

/** The side of a tile: three of them, in double, fit a cache of 32 KB (Davis 2025, section 2.5). */
const SIDE = 32;

/** Products on the processor that the papers compare GPUs with. */
export const hostKernelNames = ['host:double', 'host:tiled', 'host:threads', 'host:shares'] as const;
export type HostKernelName = (typeof hostKernelNames)[number];

/** Whether a kernel of this name is one of the processor's. */
export function isHostKernel(name: string): name is HostKernelName {
  return hostKernelNames.some((known) => known === name);
}

type Multiply = (a: Matrix, b: Matrix) => Promise<Matrix>;

/** A kernel on the processor, and what ends its threads. */
export interface HostKernel {
  readonly kernel: Kernel;
  close(): Promise<void>;
}

/**
 * Opens a product on the processor: `host:double` sums in double and stores binary32. The others are tiled, in binary64:
 * `host:tiled` on one thread; on as many as there are cores `host:threads`, which take one tile after the other from a
 * queue, and `host:shares`, each of which has an equal run of tiles, as loops of OpenMP are shared out by default.
 */
export function openHostKernel(name: HostKernelName): HostKernel {
  if (name === 'host:double')
    return { kernel: hostKernel(name, 'f32', async (a, b) => doubleSums(a, b)), close: async () => {} };
  const threads = openThreads(name, name === 'host:tiled' ? 1 : availableParallelism());
  return { kernel: hostKernel(name, 'f64', threads.multiply), close: threads.close };
}

function hostKernel(name: string, precision: PrecisionName, multiply: Multiply): Kernel {
  return {
    name,
    algorithm: 'classical',
    leaf: '',
    arithmetic: assumedArithmetic(precision),
    plan: (shape) => compile({ algorithm: classical, shape }),
    async multiply(a, b) {
      const start = performance.now();
      const c = await multiply(a, b);
      const seconds = (performance.now() - start) / 1000;
      return { c, unwritten: 0, guardsTouched: 0, operandsChanged: 0, seconds };
    },
  };
}

const NO_SHARING = 'needs memory that threads share, and this runtime has no SharedArrayBuffer';

/** Threads that take tiles of one product after the other; this thread is one of them where there is only one. */
function openThreads(name: HostKernelName, count: number) {
  let workers: Worker[] = [];
  const source = `${takeTiles.toString()}
const { parentPort } = require('node:worker_threads');
parentPort.on('message', (task) => { ${takeTiles.name}(task); parentPort.postMessage(0); });`;
  const start = () => {
    const worker = new Worker(source, { eval: true });
    worker.unref();
    return worker;
  };
  const multiply: Multiply = async (a, b) => {
    if (typeof SharedArrayBuffer === 'undefined')
      throw problem('leaf-refused', { kernel: name, why: NO_SHARING });
    const { rows: m, cols: k } = a;
    const n = b.cols;
    const c = new Float64Array(new SharedArrayBuffer(8 * m * n));
    const product = { a: shared(a), b: shared(b), c, m, k, n, side: SIDE };
    const tiles = Math.ceil(m / SIDE) * Math.ceil(n / SIDE);
    const queue = { taken: counter(0), end: tiles };
    if (count === 1) takeTiles({ ...product, ...queue });
    else {
      while (workers.length < count) workers.push(start());
      const upTo = (thread: number) => Math.floor((thread * tiles) / count);
      const share = (thread: number) => ({ taken: counter(upTo(thread)), end: upTo(thread + 1) });
      await Promise.all(
        workers.map((worker, at) =>
          answerOf(name, worker, { ...product, ...(name === 'host:shares' ? share(at) : queue) }),
        ),
      );
    }
    return matrix(m, n, new Float64Array(c));
  };
  const close = async () => {
    const ending = workers;
    workers = [];
    await Promise.all(ending.map((worker) => worker.terminate()));
  };
  return { multiply, close };
}

/** A number that threads count up. */
function counter(from: number): Int32Array {
  const one = new Int32Array(new SharedArrayBuffer(4));
  one[0] = from;
  return one;
}

function shared({ data }: Matrix): Float64Array {
  const copy = new Float64Array(new SharedArrayBuffer(8 * data.length));
  copy.set(data);
  return copy;
}

/** Sends a task and waits for its end. @throws Problem kernel-died */
function answerOf(kernel: string, worker: Worker, task: TileTask): Promise<void> {
  return new Promise((resolve, reject) => {
    const died = (why: string) =>
      reject(problem('kernel-died', { kernel, shape: `${task.m}×${task.k}×${task.n}`, why }));
    worker.ref();
    worker.removeAllListeners();
    worker.once('message', () => {
      worker.unref();
      resolve();
    });
    worker.once('error', (error: Error) => died(error.message));
    worker.once('exit', (code) => died(`a thread ended with exit code ${code}`));
    worker.postMessage(task);
  });
}
