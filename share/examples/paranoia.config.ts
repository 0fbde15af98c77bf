// Kernels without a GPU: a function, and programs in any language.
//
//   npx gemm-paranoia gate --config share/examples/paranoia.config.ts
//   npx gemm-paranoia gate --config share/examples/paranoia.config.ts --kernel my-loop,my-worker
import { defineConfig, defineKernel } from 'gemm-paranoia';
import { multiply } from './multiply.ts';

/** A function. It runs in its own process, so an endless loop or a crash does not end the run. */
export const loop = defineKernel({ name: 'my-loop', claims: { order: 'sequential' }, multiply });

/** A program that starts for every product: it reads A.npy and B.npy and writes C.npy. */
export const once = defineKernel({
  name: 'numpy-once',
  program: { command: ['python3', 'once.py', '{a}', '{b}', '{c}'] },
});

/** The same, started once: it computes one product after the other, over its standard input and output. */
export const worker = defineKernel({
  name: 'numpy-worker',
  program: { command: ['python3', 'numpy-worker.py'], mode: 'worker' },
});

/** NumPy in binary64: A.npy, B.npy and C.npy are float64, and the bounds are those of binary64. */
export const double = defineKernel({ ...worker, name: 'numpy-worker-f64', precision: 'f64' });

/** The protocol of workers without any library. */
export const node = defineKernel({
  name: 'my-worker',
  program: { command: ['node', 'worker.mjs'], mode: 'worker' },
});

export default defineConfig({
  kernels: [loop, once, worker, double, node],
  inputs: ['integers', 'uniform', 'wide-exponents', 'special-values'],
  sizes: [1, 16, 17, [43, 29, 51], 128],
});
