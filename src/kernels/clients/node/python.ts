import { fileURLToPath } from 'node:url';
import { everything, withComplex } from '../../../matrix/features.ts';
import { isComplex } from '../../../precision/precisions.ts';
import type { ProgramKernel } from '../../user-kernel.ts';

/** The worker program of this package for both libraries. */
const WORKER = fileURLToPath(new URL('../../../../share/programs/gemm_worker.py', import.meta.url));

/** The Python whose libraries are judged: that of the variable PYTHON, else the one in the path. */
const python = process.env.PYTHON || (process.platform === 'win32' ? 'python' : 'python3');

/** Returns a kernel of a Python library; `dtype` is the worker's name for its type. */
function python3(
  name: string,
  precision: string,
  [library, dtype, device = 'cpu']: readonly [library: string, dtype: string, device?: string],
): ProgramKernel {
  const words = ['--library', library, '--dtype', dtype, '--device', device];
  return {
    name,
    precision,
    accepts: isComplex(precision) ? { ...withComplex(everything, true), complexFactors: true } : 'everything',
    program: { command: [python, WORKER, ...words], mode: 'worker' },
  };
}

/** Kernels of `numpy.matmul` on views, then alpha and beta·C: the BLAS that NumPy was built with, except for half precision. */
export const numpyKernels: readonly ProgramKernel[] = (['f32', 'f64', 'f16', 'c32', 'c64'] as const).map(
  (dtype) => python3(`numpy:${dtype}`, dtype, ['numpy', dtype]),
);

/** Claimed precisions of PyTorch's dtypes on a GPU, where `torch.mm` and its like call cuBLAS. */
const CUDA: Readonly<Record<string, string>> = {
  f32: 'f32',
  f64: 'f64',
  c32: 'c32',
  c64: 'c64',
  f16: 'f16',
  hgemm: 'f16',
  tf32: 'tf32-f32',
  'f16-f32': 'f16-f32',
  'bf16-f32': 'bf16-f32',
};

/** Kernels of `torch.mm`, `bmm`, `addmm` and `baddbmm` on views, on the CPU, and on a GPU: cuBLAS's sgemm, dgemm, gemmEx and hgemm. */
export const torchKernels: readonly ProgramKernel[] = [
  ...(['f32', 'f64', 'f16', 'c32', 'c64'] as const).map((dtype) =>
    python3(`torch:${dtype}`, dtype, ['torch', dtype]),
  ),
  ...Object.entries(CUDA).map(([dtype, precision]) =>
    python3(`torch:cuda-${dtype}`, precision, ['torch', dtype, 'cuda']),
  ),
];
