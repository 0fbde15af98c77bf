import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { classical } from '../../../algorithms/classical.ts';
import { sharedGrowth } from '../../../algorithms/growth.ts';
import { type Kernel, type ProductInput, sessionOf } from '../../../kernels/kernel.ts';
import { kernelDied, leafRefused } from '../../../kernels/messages.ts';
import { type Matrix, matrix } from '../../../matrix/dense.ts';
import { compile } from '../../../plan/compile.ts';
import { doublePrecision } from '../../../precision/double.ts';
import { applyClaims, type Precision } from '../../../precision/precision.ts';
import { singlePrecision } from '../../../precision/single.ts';

/** The side of a tile: three of them, in double, fit a cache of 32 KB (Davis 2025, section 2.5). */
const SIDE = 32;

/** Products on the processor that the papers compare with GPUs. */
export const hostKernelNames = ['host:double', 'host:tiled', 'host:threads', 'host:shares'] as const;
export type HostKernelName = (typeof hostKernelNames)[number];

export function isHostKernel(name: string): name is HostKernelName {
  return hostKernelNames.some((known) => known === name);
}

/** A product on several threads, with a function that ends them. */
interface Threads {
  multiply(a: Matrix, b: Matrix): Matrix | Promise<Matrix>;
  close?(): Promise<void>;
}

/**
 * Opens a product on the processor. `host:double` sums in double and stores binary32. The others are tiled, in binary64. `host:tiled` runs
 * on one thread. `host:threads` and `host:shares` run on a thread for each core. In `host:threads`, threads take one tile after the other
 * from a queue. In `host:shares`, each has an equal run of tiles, as OpenMP divides loops by default.
 */
export function openHostKernel(name: HostKernelName): Kernel {
  if (name === 'host:double') return hostKernel(name, singlePrecision, { multiply: doubleSums });
  return hostKernel(
    name,
    doublePrecision,
    openThreads(name, name === 'host:tiled' ? 1 : availableParallelism()),
  );
}

function hostKernel(name: string, precision: Precision, { multiply, close }: Threads): Kernel {
  return {
    name,
    algorithm: 'classical',
    growth: sharedGrowth(),
    leaf: '',
    ...applyClaims(precision),
    plan: (shape) => compile({ algorithm: classical, shape }),
    session: {
      ...sessionOf(({ operands: { a, b } }: ProductInput) => multiply(a, b)),
      ...(close && { close }),
    },
  };
}

const NO_SHARING = 'needs SharedArrayBuffer, which this runtime lacks';

/** Opens threads that take tiles of one product after the other. A single thread is this one. */
function openThreads(name: HostKernelName, count: number): Threads {
  let workers: Worker[] = [];
  const source = `${takeTiles.toString()}
const { parentPort } = require('node:worker_threads');
parentPort.on('message', (task) => { ${takeTiles.name}(task); parentPort.postMessage(0); });`;
  const start = () => {
    const worker = new Worker(source, { eval: true });
    worker.unref();
    return worker;
  };
  const multiply = async (a: Matrix, b: Matrix) => {
    if (typeof SharedArrayBuffer === 'undefined') throw leafRefused({ kernel: name, why: NO_SHARING });
    const { rows: m, cols: k } = a;
    const n = b.cols;
    const c = new SharedArrayBuffer(8 * m * n);
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
    // The result is a copy in unshared memory: some interfaces refuse shared memory.
    return matrix(m, n, new Float64Array(c).slice());
  };
  const close = async () => {
    const ending = workers;
    workers = [];
    await Promise.all(ending.map((worker) => worker.terminate()));
  };
  return { multiply, close };
}

function counter(from: number): Int32Array {
  const one = new Int32Array(new SharedArrayBuffer(4));
  one[0] = from;
  return one;
}

function shared({ data }: Matrix): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(8 * data.length);
  new Float64Array(memory).set(data);
  return memory;
}

/** Sends a task and waits for its end. @throws ParanoiaError kernel-died */
function answerOf(kernel: string, worker: Worker, task: TileTask): Promise<void> {
  return new Promise((resolve, reject) => {
    const died = (why: string) => reject(kernelDied({ kernel, shape: `${task.m}×${task.k}×${task.n}`, why }));
    worker.ref();
    worker.removeAllListeners();
    worker.once('message', () => {
      worker.unref();
      resolve();
    });
    worker.once('error', (error: Error) => died(error.message));
    worker.once('exit', (code) => died(`a thread exited with code ${code}`));
    worker.postMessage(task);
  });
}

/**
 * Multiplies with three loops on one thread of the processor. Each entry is summed in double and stored in binary32. Source: matrixMulH of
 * Dobravec and Bulić (2017), listing 1, which they took from NVIDIA's samples.
 */
export function doubleSums(a: Matrix, b: Matrix): Matrix<Float32Array> {
  const { rows: m, cols: k } = a;
  const n = b.cols;
  const data = new Float32Array(m * n);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let p = 0; p < k; p++) sum += a.data[i * k + p] * b.data[p * n + j];
      data[i * n + j] = sum;
    }
  }
  return { rows: m, cols: n, data };
}

/**
 * The input of one thread: the memory of binary64 entries row by row, A m×k, B k×n, C m×n. Typed arrays would arrive without entries in
 * another thread from 2^32 bytes on, since V8 writes their length as 32 bits.
 */
interface TileTask {
  readonly a: SharedArrayBuffer;
  readonly b: SharedArrayBuffer;
  readonly c: SharedArrayBuffer;
  readonly m: number;
  readonly k: number;
  readonly n: number;
  readonly side: number;
  /** A shared counter: the next tile of C that no thread has taken. */
  readonly taken: Int32Array;
  /** The first tile that must not be taken any more. */
  readonly end: number;
}

/**
 * Computes tiles of C until none is left: the tiled product of Davis (2025), figure 1, whose two outer loops several threads share. The
 * tiles are square. The function takes one tile of A and of B at a time, and writes C once for each of them. It refers to nothing outside
 * itself, so that its text alone makes a thread.
 */
function takeTiles({ m, k, n, side, taken, end, ...memory }: TileTask): void {
  const [a, b, c] = [memory.a, memory.b, memory.c].map((bytes) => new Float64Array(bytes));
  const across = Math.ceil(n / side);
  for (let tile = Atomics.add(taken, 0, 1); tile < end; tile = Atomics.add(taken, 0, 1)) {
    const top = Math.floor(tile / across) * side;
    const left = (tile % across) * side;
    const bottom = Math.min(m, top + side);
    const right = Math.min(n, left + side);
    for (let front = 0; front < k; front += side) {
      const back = Math.min(k, front + side);
      for (let i = top; i < bottom; i++) {
        for (let j = left; j < right; j++) {
          let sum = c[i * n + j];
          for (let p = front; p < back; p++) sum += a[i * k + p] * b[p * n + j];
          c[i * n + j] = sum;
        }
      }
    }
  }
}
