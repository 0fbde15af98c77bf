import { lookUp } from '../../base/objects.ts';
import type { Matrix } from '../../matrix/dense.ts';
import type { EpilogueCall } from '../../matrix/epilogue-call.ts';
import type { Gemm } from '../../matrix/gemm.ts';
import type { Entries } from '../../matrix/operands.ts';
import type { TensorMatrix } from './client.ts';
import { type SequenceNode, sequenceModel } from './onnx-model.ts';

/** An activation as a node of its own, and as part of other operators. */
interface Activation {
  readonly node: (step: EpilogueCall) => SequenceNode;
  /** The operator that adds the bias of a row first, if there is one. */
  readonly withBias?: string;
  /** The name in FusedGemm, if it has the activation. */
  readonly inGemm?: string;
}

const ofOnnx = (operator: string): Activation => ({
  node: () => ({ operator }),
  inGemm: operator,
});
const ofMicrosoft = (operator: string, attributes?: SequenceNode['attributes']): Activation => ({
  node: () => ({ operator, isMicrosoft: true, attributes }),
});

const activations: Readonly<Record<string, Activation>> = {
  relu: ofOnnx('Relu'),
  sigmoid: ofOnnx('Sigmoid'),
  tanh: ofOnnx('Tanh'),
  'leaky-relu': {
    node: ({ slope }) => ({
      operator: 'LeakyRelu',
      attributes: { alpha: slope as number },
    }),
    inGemm: 'LeakyRelu',
  },
  gelu: { ...ofMicrosoft('Gelu'), withBias: 'BiasGelu' },
  'gelu-tanh': { ...ofMicrosoft('FastGelu'), withBias: 'FastGelu' },
  silu: ofMicrosoft('QuickGelu', { alpha: 1 }),
};

const activationOf = (step?: EpilogueCall): Activation | undefined => step && lookUp(activations, step.step);

/** A model of a product with an epilogue, and the tensors that it reads beside A and B. */
export interface FusedModel {
  /** The same text for products of one model. */
  readonly key: string;
  readonly make: () => Uint8Array;
  readonly tensors: Readonly<Record<string, TensorMatrix>>;
}

/** Returns the model of a product and its epilogue. */
export function fusedModel(a: TensorMatrix, b: TensorMatrix, gemm: Gemm): FusedModel {
  const { alpha, batch, epilogue = [] } = gemm;
  const product = { alpha, transA: a.transposed, transB: b.transposed };
  const nodes = [product, epilogue] as const;
  const sequence = (batch === 1 ? gemmNodes(...nodes) : undefined) ?? matMulNodes(...nodes);
  const tensors = Object.fromEntries(
    epilogue.flatMap((step, at) => (isAddend(step) ? [[inputOf(at), tensorOf(step, gemm)]] : [])),
  );
  const ranks = Object.fromEntries(
    Object.entries({ A: a, B: b, ...tensors }).map(([name, { sizes }]) => [name, sizes.length]),
  );
  return {
    key: JSON.stringify([sequence, ranks]),
    make: () => sequenceModel(sequence, ranks),
    tensors,
  };
}

const isAddend = ({ step }: EpilogueCall): boolean => step === 'bias' || step === 'residual';
const inputOf = (at: number): string => `V${at}`;

/** Returns nodes with the first addend and the activation behind it in Gemm or FusedGemm; undefined if there are neither. */
function gemmNodes(
  product: SequenceNode['attributes'],
  epilogue: readonly EpilogueCall[],
): SequenceNode[] | undefined {
  const [first, second] = epilogue;
  const addends =
    first !== undefined && isAddend(first) && activationOf(second)?.withBias === undefined ? 1 : 0;
  const step = epilogue[addends];
  const activation = activationOf(step)?.inGemm;
  const taken = addends + (activation === undefined ? 0 : 1);
  if (taken === 0) return undefined;
  const gemm = {
    operator: activation === undefined ? 'Gemm' : 'FusedGemm',
    isMicrosoft: activation !== undefined,
    inputs: ['B', ...(addends === 1 ? [inputOf(0)] : [])],
    attributes: {
      ...product,
      ...(activation === undefined ? {} : { activation }),
      ...(step?.slope === undefined ? {} : { activation_alpha: step.slope as number }),
    },
  };
  return [gemm, ...epilogue.map(nodeOf).slice(taken)];
}

/** Returns nodes behind FusedMatMul, a bias and GELU in one. */
function matMulNodes(product: SequenceNode['attributes'], epilogue: readonly EpilogueCall[]): SequenceNode[] {
  const matMul = {
    operator: 'FusedMatMul',
    isMicrosoft: true,
    inputs: ['B'],
    attributes: product,
  };
  const [first, second] = epilogue;
  const operator = first?.step === 'bias' ? activationOf(second)?.withBias : undefined;
  const nodes = epilogue.map(nodeOf);
  return operator === undefined
    ? [matMul, ...nodes]
    : [matMul, { operator, isMicrosoft: true, inputs: [inputOf(0)] }, ...nodes.slice(2)];
}

const nodeOf = (step: EpilogueCall, at: number): SequenceNode =>
  isAddend(step)
    ? { operator: 'Add', inputs: [inputOf(at)] }
    : (lookUp(activations, step.step) as Activation).node(step);

/** Returns the numbers of an addend: a number, a row, a column, or all entries of D. */
function tensorOf({ step, values }: EpilogueCall, { m, n, batch }: Gemm): TensorMatrix {
  if (typeof values === 'number') return { entries: Float32Array.of(values), sizes: [1], transposed: false };
  const { rows, cols, data } = values as Matrix<Entries>;
  // BiasGelu and FastGelu take rows of one dimension.
  const sizes = rows === 1 ? [cols] : [rows, cols];
  return {
    entries: data,
    sizes: step === 'residual' && batch > 1 ? [batch, m, n] : sizes,
    transposed: false,
  };
}
