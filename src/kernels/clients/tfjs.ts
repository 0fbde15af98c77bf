import { lookUp } from '../../base/objects.ts';
import type { EpilogueCall } from '../../matrix/epilogue-call.ts';
import type { Gemm } from '../../matrix/gemm.ts';
import type { Entries } from '../../matrix/operands.ts';
import type { KernelSpec } from '../claims.ts';
import { type LibraryClient, type TensorMatrix, tensors } from './client.ts';

interface Tensor {
  data(): Promise<Float32Array>;
  dispose(): void;
}

/** The activation of a fused product, in the words of TensorFlow.js. */
interface Activation {
  readonly activation: 'relu' | 'relu6' | 'leakyrelu' | 'sigmoid';
  readonly leakyreluAlpha?: number;
}

interface FusedProduct extends Partial<Activation> {
  readonly a: Tensor;
  readonly b: Tensor;
  readonly transposeA: boolean;
  readonly transposeB: boolean;
  readonly bias?: Tensor;
}

interface Core {
  getBackend(): string;
  setBackend(name: string): Promise<boolean>;
  tensor(data: unknown, shape: readonly number[]): Tensor;
  matMul(a: Tensor, b: Tensor, transposeA: boolean, transposeB: boolean): Tensor;
  readonly fused: { matMul(product: FusedProduct): Tensor };
  mul(a: Tensor, b: number): Tensor;
  add(a: Tensor, b: Tensor): Tensor;
  /** Disposes of all tensors made in it except the returned one. */
  tidy(make: () => Tensor): Tensor;
}

/** A way in which TensorFlow.js multiplies. */
interface Way {
  /** The end of the client's name. */
  readonly suffix: string;
  readonly accepts: KernelSpec['accepts'];
  readonly multiply: (tf: Core, a: TensorMatrix, b: TensorMatrix, gemm: Gemm, c?: TensorMatrix) => Tensor;
}

const tensorOf = (tf: Core, { entries, sizes }: TensorMatrix): Tensor => tf.tensor(entries, sizes);

/** `tf.matMul` of two tensors, then `tf.mul` and `tf.add` where alpha and beta need them. */
const matMul: Way = {
  suffix: '',
  accepts: tensors,
  multiply(tf, a, b, { alpha, beta }, c) {
    const product = tf.matMul(tensorOf(tf, a), tensorOf(tf, b), a.transposed, b.transposed);
    const scaled = alpha === 1 ? product : tf.mul(product, alpha);
    return c === undefined ? scaled : tf.add(scaled, tf.mul(tensorOf(tf, c), beta));
  },
};

/** The activations of `tf.fused.matMul`, by the steps that they compute; `relu6` is the clamp from 0 to 6. */
const activations: Readonly<Record<string, (step: EpilogueCall) => Activation>> = {
  relu: () => ({ activation: 'relu' }),
  clamp: () => ({ activation: 'relu6' }),
  'leaky-relu': ({ slope }) => ({
    activation: 'leakyrelu',
    leakyreluAlpha: slope as number,
  }),
  sigmoid: () => ({ activation: 'sigmoid' }),
};

/** `tf.fused.matMul`: a product, the bias of a row and an activation in one operation. */
const fusedMatMul: Way = {
  suffix: '-fused',
  accepts: {
    ...tensors,
    ...{ alpha: false, beta: false },
    epilogue: ['none', ...withBias(['relu', 'clamp:0:6', 'leaky-relu:any', 'sigmoid'])].join('|'),
  },
  multiply: (tf, a, b, { epilogue = [] }) =>
    tf.fused.matMul({
      ...{
        a: tensorOf(tf, a),
        b: tensorOf(tf, b),
        transposeA: a.transposed,
        transposeB: b.transposed,
      },
      ...Object.assign({}, ...epilogue.map((step) => fusedStep(tf, step))),
    }),
};

/** Returns the bias alone, each activation, and each behind the bias. */
function withBias(names: readonly string[]): string[] {
  return ['bias:row', ...names, ...names.map((name) => `bias:row,${name}`)];
}

function fusedStep(tf: Core, call: EpilogueCall): Partial<FusedProduct> {
  if (call.step !== 'bias')
    return (lookUp(activations, call.step) as (step: EpilogueCall) => Activation)(call);
  const { data } = call.values as { data: Entries };
  return { bias: tf.tensor(data, [data.length]) };
}

/** Returns the client for TensorFlow.js on one of its backends. */
function tfjs(backend: 'webgpu' | 'wasm' | 'cpu', { suffix, accepts, multiply }: Way): LibraryClient {
  return {
    name: `tfjs:${backend}${suffix}`,
    peers: [
      { name: '@tensorflow/tfjs-core', version: '4' },
      { name: `@tensorflow/tfjs-backend-${backend}`, version: '4' },
    ],
    usesAdapter: backend === 'webgpu',
    accepts,
    open: (tf: Core) => async (a, b, gemm, c) => {
      // Backends share one engine, and another client may have switched it.
      if (tf.getBackend() !== backend && !(await tf.setBackend(backend))) {
        throw new Error(`TensorFlow.js could not start its backend ${backend}`);
      }
      const d = tf.tidy(() => multiply(tf, a, b, gemm, c));
      try {
        return await d.data();
      } finally {
        d.dispose();
      }
    },
  };
}

/** Clients for TensorFlow.js's three backends that run in Node. */
export const tfjsClients: readonly LibraryClient[] = [matMul, fusedMatMul].flatMap((way) =>
  (['webgpu', 'wasm', 'cpu'] as const).map((backend) => tfjs(backend, way)),
);
