import { type LibraryClient, type TensorMatrix, tensors } from './client.ts';

interface Tensor {
  data(): Promise<Float32Array>;
  dispose(): void;
}

interface Core {
  getBackend(): string;
  setBackend(name: string): Promise<boolean>;
  tensor(data: unknown, shape: readonly number[]): Tensor;
  matMul(a: Tensor, b: Tensor, transposeA: boolean, transposeB: boolean): Tensor;
  mul(a: Tensor, b: number): Tensor;
  add(a: Tensor, b: Tensor): Tensor;
  /** Disposes of all tensors made in it except the returned one. */
  tidy(make: () => Tensor): Tensor;
}

/**
 * Returns the client for TensorFlow.js on one of its backends: `tf.matMul` of two tensors, then `tf.mul` and `tf.add` where alpha and beta
 * need them.
 */
function tfjs(backend: 'webgpu' | 'wasm' | 'cpu'): LibraryClient {
  return {
    name: `tfjs:${backend}`,
    peers: [
      { name: '@tensorflow/tfjs-core', version: '4' },
      { name: `@tensorflow/tfjs-backend-${backend}`, version: '4' },
    ],
    usesAdapter: backend === 'webgpu',
    accepts: tensors,
    open:
      (tf: Core) =>
      async (a, b, { alpha, beta }, c) => {
        // Backends share one engine, and another client may have switched it.
        if (tf.getBackend() !== backend && !(await tf.setBackend(backend))) {
          throw new Error(`TensorFlow.js could not start its backend ${backend}`);
        }
        const tensor = ({ entries, sizes }: TensorMatrix) => tf.tensor(entries, sizes);
        const d = tf.tidy(() => {
          const product = tf.matMul(tensor(a), tensor(b), a.transposed, b.transposed);
          const scaled = alpha === 1 ? product : tf.mul(product, alpha);
          return c === undefined ? scaled : tf.add(scaled, tf.mul(tensor(c), beta));
        });
        try {
          return await d.data();
        } finally {
          d.dispose();
        }
      },
  };
}

/** Clients for TensorFlow.js's three backends that run in Node. */
export const tfjsClients: readonly LibraryClient[] = [tfjs('webgpu'), tfjs('wasm'), tfjs('cpu')];
