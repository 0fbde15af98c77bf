import type { Item } from '../../../base/registry.ts';
import type { UserKernel } from '../../user-kernel.ts';
import { clients } from '../clients.ts';
import { clientKernel } from './client.ts';
import { numpyKernels, torchKernels } from './python.ts';

/**
 * Kernels of other libraries: `tfjs:wasm`, `ort:node`, `numpy:f32`. Their packages are optional peers, found in the user's project and
 * imported when a kernel is prepared.
 */
export const clientKernels: readonly UserKernel[] = [
  ...clients.map(clientKernel),
  ...numpyKernels,
  ...torchKernels,
];

/** Descriptions and packages of the libraries, by the prefix of their kernels' names. */
export const libraries: Readonly<Record<string, Pick<Required<Item>, 'what' | 'source'>>> = {
  tfjs: { what: 'tf.matMul and tf.fused.matMul of TensorFlow.js', source: '@tensorflow/tfjs-core' },
  ort: { what: 'a model with one product in ONNX Runtime', source: 'onnxruntime-web, onnxruntime-node' },
  'jax-js': { what: 'the matrix product of jax-js', source: '@jax-js/jax' },
  'gpu.js': { what: 'the matrix product of GPU.js', source: 'gpu.js' },
  numpy: { what: 'numpy.matmul', source: 'NumPy' },
  torch: { what: 'torch.mm', source: 'PyTorch' },
};
