import type { UserKernel } from '../../user-kernel.ts';
import { gpuJsKernels } from './gpu-js.ts';
import { jaxJsKernels } from './jax-js.ts';
import { onnxRuntimeKernels } from './onnxruntime.ts';
import { numpyKernels, torchKernels } from './python.ts';
import { tfjsKernels } from './tfjs.ts';

/**
 * Products of other libraries, ready to be judged: `tfjs:wasm`, `ort:node`, `numpy:f32`. Their packages are optional
 * peers, found in the user's project and imported when a kernel is prepared.
 */
export const clientKernels: readonly UserKernel[] = [
  ...tfjsKernels,
  ...onnxRuntimeKernels,
  ...jaxJsKernels,
  ...gpuJsKernels,
  ...numpyKernels,
  ...torchKernels,
];
