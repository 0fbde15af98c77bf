import type { Item } from '../../../base/registry.ts';
import { dawnVersion } from '../../../gpu/node/dawn-version.ts';
import type { OfferedGpu } from '../../../gpu/node/offer.ts';
import type { FunctionKernel, UserKernel } from '../../user-kernel.ts';
import { computeByLibrary, type LibraryClient, type LibraryMultiply, makeReportedError } from '../client.ts';
import { clients } from '../clients.ts';
import { findPeer } from './peer.ts';
import { numpyKernels, torchKernels } from './python.ts';

/**
 * Returns the kernel of a client: its peers are found and loaded when it is prepared. Errors that its devices report are thrown, since a
 * product after a validation error is whatever lay in memory.
 * @throws ParanoiaError `peer-missing`, `no-adapter` when it is prepared.
 */
function clientKernel({ peers, open, alone, usesAdapter = false, ...spec }: LibraryClient): FunctionKernel {
  const { name } = spec;
  const find = () => peers.map((peer) => findPeer(name, peer, peers));
  let multiply: LibraryMultiply | undefined;
  let gpu: OfferedGpu | undefined;
  return {
    ...spec,
    usesAdapter,
    async prepare() {
      const found = find();
      if (usesAdapter) gpu = await (await import('../../../gpu/node/offer.ts')).offerGpu();
      // Other peers are loaded for their side effects on the first.
      const [library] = found.map((peer) => peer.load()) as never[];
      alone?.(library);
      multiply = await open(library);
    },
    async multiply(a, b, gemm, c) {
      if (multiply === undefined) throw new Error(`${name} was not prepared`);
      gpu?.takeErrors();
      const d = await computeByLibrary(multiply, a, b, gemm, c);
      const reported = makeReportedError(gpu?.takeErrors() ?? []);
      if (reported === undefined) return d;
      throw reported;
    },
    versions() {
      const found = find().map(({ version }, at) => [peers[at].name, version]);
      return Object.fromEntries(usesAdapter ? [...found, dawnVersion().split(' ')] : found);
    },
  };
}

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
  tfjs: {
    what: 'tf.matMul and tf.fused.matMul of TensorFlow.js',
    source: '@tensorflow/tfjs-core',
  },
  ort: {
    what: 'a model with one product in ONNX Runtime',
    source: 'onnxruntime-web, onnxruntime-node',
  },
  'jax-js': { what: 'the matrix product of jax-js', source: '@jax-js/jax' },
  'gpu.js': { what: 'the matrix product of GPU.js', source: 'gpu.js' },
  numpy: { what: 'numpy.matmul', source: 'NumPy' },
  torch: { what: 'torch.mm', source: 'PyTorch' },
};
