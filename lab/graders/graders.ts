import { type Registry, registryOf } from '../../src/base/registry.ts';
import { backendBench } from './backend-bench.ts';
import { cutlassProfiler } from './cutlass-profiler.ts';
import { cutlassTestbed } from './cutlass-testbed.ts';
import { gpuMode } from './gpu-mode.ts';
import type { Grader } from './grader.ts';
import { kernelBench } from './kernel-bench.ts';
import { lapack } from './lapack.ts';
import { llamaCpp } from './llama-cpp.ts';
import { numpyAllclose } from './numpy-allclose.ts';
import { onednn } from './onednn.ts';
import { rocblas } from './rocblas.ts';
import { tfjs } from './tfjs.ts';
import { torchAssertClose } from './torch-assert-close.ts';
import { tritonTutorial } from './triton-tutorial.ts';
import { ttMetal } from './tt-metal.ts';

/** Third parties' checks of matrix products. */
export const graders: Registry<Grader> = registryOf('grader', [
  torchAssertClose,
  numpyAllclose,
  backendBench,
  kernelBench,
  gpuMode,
  tritonTutorial,
  tfjs,
  llamaCpp,
  ttMetal,
  cutlassTestbed,
  cutlassProfiler,
  rocblas,
  onednn,
  lapack,
]);
