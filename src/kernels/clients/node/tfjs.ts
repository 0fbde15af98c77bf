import type { FunctionKernel } from '../../user-kernel.ts';
import { type Client, clientKernel } from './client.ts';

interface Tensor {
  data(): Promise<Float32Array>;
  dispose(): void;
}

interface Core {
  getBackend(): string;
  setBackend(name: string): Promise<boolean>;
  tensor2d(data: unknown, shape: [number, number]): Tensor;
  matMul(a: Tensor, b: Tensor): Tensor;
}

/** TensorFlow.js on one of its backends: `tf.matMul` of two tensors. */
function tfjs(backend: 'webgpu' | 'wasm' | 'cpu'): Client {
  return {
    name: `tfjs:${backend}`,
    peers: [
      { name: '@tensorflow/tfjs-core', version: '4' },
      { name: `@tensorflow/tfjs-backend-${backend}`, version: '4' },
    ],
    usesAdapter: backend === 'webgpu',
    open:
      (tf: Core) =>
      async (a, b, { m, k, n }) => {
        // Backends share one engine: another client may have chosen its own since.
        if (tf.getBackend() !== backend && !(await tf.setBackend(backend))) {
          throw new Error(`TensorFlow.js could not start its backend ${backend}`);
        }
        const tensors = [tf.tensor2d(a, [m, k]), tf.tensor2d(b, [k, n])];
        try {
          tensors.push(tf.matMul(tensors[0], tensors[1]));
          return await tensors[2].data();
        } finally {
          for (const tensor of tensors) tensor.dispose();
        }
      },
  };
}

/** TensorFlow.js's three backends that run in Node. */
export const tfjsKernels: readonly FunctionKernel[] = [tfjs('webgpu'), tfjs('wasm'), tfjs('cpu')].map(
  clientKernel,
);
