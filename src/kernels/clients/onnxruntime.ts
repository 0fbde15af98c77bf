import { navigatorHere } from '../../base/navigator.ts';
import { precisionUnserved } from '../../gpu/messages.ts';
import type { Gpu } from '../../gpu/web-gpu.ts';
import type { Gemm } from '../../matrix/gemm.ts';
import { fromHalfBits, halfBits } from '../../matrix/half-bits.ts';
import type { Entries } from '../../matrix/operands.ts';
import type { KernelSpec } from '../claims.ts';
import {
  type LibraryClient,
  type LibraryMultiply,
  type PeerPackage,
  queueProducts,
  type TensorMatrix,
  tensors,
} from './client.ts';
import { fusedEpilogues, fusedModel } from './onnx-fused.ts';
import { type ElementType, gemmModel, type ModelInputs, matMulModel } from './onnx-model.ts';

interface Runtime {
  readonly env: { logLevel?: string; readonly wasm?: { numThreads?: number } };
  readonly Tensor: new (type: string, data: unknown, dims: readonly number[]) => unknown;
  readonly InferenceSession: {
    create(
      model: Uint8Array,
      options: { executionProviders: string[]; logSeverityLevel: number },
    ): Promise<Model>;
  };
}

interface Model {
  run(
    feeds: Record<string, unknown>,
  ): Promise<{ D: { readonly data: Uint16Array | Entries; dispose(): void } }>;
}

const tensorTypes = {
  f32: {
    name: 'float32',
    one: (x: number) => Float32Array.of(x),
    store: (entries: Entries): unknown => entries,
  },
  f64: {
    name: 'float64',
    one: (x: number) => Float64Array.of(x),
    store: (entries: Entries): unknown => entries,
  },
  f16: {
    name: 'float16',
    one: (x: number) => Float32Array.of(x),
    store: (entries: Entries): unknown => Uint16Array.from(entries, halfBits),
  },
} as const;

/** Converts the data of a tensor. Half precision comes as bits, or as numbers where JavaScript has a Float16Array. */
function load(data: Uint16Array | Entries): Entries {
  if (data instanceof Uint16Array) return Float32Array.from(data, fromHalfBits);
  return data instanceof Float64Array ? data : Float32Array.from(data);
}

const web = (entry: string): PeerPackage => ({ name: 'onnxruntime-web', version: '1', entry });
const node: PeerPackage = { name: 'onnxruntime-node', version: '1' };

/** Log level for fatal errors alone: a run also throws the errors that it reports. */
const FATAL = 4;

/** A session of ONNX Runtime with the models that it has loaded. */
interface Session {
  /** Runs a model, which is loaded when its key is new, and returns D. */
  run(key: string, make: () => Uint8Array, feeds: Record<string, unknown>): Promise<Entries>;
  tensor(matrix: TensorMatrix): unknown;
}

/** A way in which ONNX Runtime multiplies. */
interface Way {
  readonly accepts: KernelSpec['accepts'];
  readonly multiply: (session: Session, precision: ElementType) => LibraryMultiply;
}

/** One MatMul, or one Gemm where that covers the product. For batches, transpositions before a MatMul, and alpha, beta and C behind it. */
const matMul: Way = {
  accepts: tensors,
  multiply(session, precision) {
    const { one } = tensorTypes[precision];
    const scalar = (x: number) => session.tensor({ entries: one(x), sizes: [], transposed: false });
    return (a, b, gemm, c) => {
      const { alpha, beta } = gemm;
      const has: ModelInputs = {
        transposeA: a.transposed,
        transposeB: b.transposed,
        addsC: c !== undefined,
      };
      const isScaled = alpha !== 1 || c !== undefined;
      const asGemm = gemm.batch === 1 && holdsFactors(gemm) && (isScaled || a.transposed || b.transposed);
      const key = JSON.stringify([has, asGemm ? [alpha, beta] : [a.sizes.length, alpha !== 1]]);
      const make = () =>
        asGemm
          ? gemmModel(precision, has, { alpha, beta })
          : matMulModel(precision, has, { rank: a.sizes.length, scales: alpha !== 1 });
      return session.run(key, make, {
        ...{ A: session.tensor(a), B: session.tensor(b), ...(c && { C: session.tensor(c) }) },
        ...(!asGemm && alpha !== 1 ? { alpha: scalar(alpha) } : {}),
        ...(!asGemm && c !== undefined ? { beta: scalar(beta) } : {}),
      });
    };
  },
};

/** FusedMatMul, Gemm or FusedGemm, and operators behind them such as BiasGelu. */
const fused: Way = {
  accepts: { ...tensors, beta: false, epilogue: fusedEpilogues },
  multiply: (session) => (a, b, gemm) => {
    const { key, make, tensors: addends } = fusedModel(a, b, gemm);
    const inputs = Object.entries({ A: a, B: b, ...addends });
    return session.run(key, make, Object.fromEntries(inputs.map(([name, x]) => [name, session.tensor(x)])));
  },
};

/** Opens one execution provider of ONNX Runtime for matrices of a type. */
function openSession(ort: Runtime, provider: string, precision: ElementType): Session {
  const type = tensorTypes[precision];
  const options = { executionProviders: [provider], logSeverityLevel: FATAL };
  const models = new Map<string, Promise<Model>>();
  return {
    async run(key, make, feeds) {
      const model = models.get(key) ?? ort.InferenceSession.create(make(), options);
      models.set(key, model);
      const { D } = await (await model).run(feeds);
      const d = load(D.data);
      D.dispose();
      return d;
    },
    tensor: ({ entries, sizes }) => new ort.Tensor(type.name, type.store(entries), sizes),
  };
}

function onnxRuntime(
  name: string,
  peer: PeerPackage,
  provider: string,
  precision: ElementType = 'f32',
  { accepts, multiply }: Way = matMul,
): LibraryClient {
  const usesAdapter = provider === 'webgpu';
  return {
    name: `ort:${name}`,
    precision,
    peers: [peer],
    usesAdapter,
    // Its WebGPU provider binds empty matrices without bytes, at which Dawn for Node aborts.
    accepts: usesAdapter ? { ...tensors, empty: false } : accepts,
    alone(ort: Runtime) {
      ort.env.logLevel = 'fatal';
      // Its threads would keep the process from ending.
      if (ort.env.wasm !== undefined) ort.env.wasm.numThreads = 1;
    },
    async open(ort: Runtime) {
      if (usesAdapter && precision === 'f16') await requireHalf(name);
      const compute = multiply(openSession(ort, provider, precision), precision);
      // Two concurrent runs of its WebGPU provider deadlock and block the thread.
      return usesAdapter ? queueProducts(compute) : compute;
    },
  };
}

/** Requires half precision of the adapter. @throws ParanoiaError `precision-unserved` where it has none. */
async function requireHalf(kernel: string): Promise<void> {
  const { gpu } = navigatorHere() as { gpu?: Gpu };
  const adapter = await gpu?.requestAdapter();
  if (adapter === null || adapter === undefined || adapter.features.has('shader-f16')) return;
  const why = `it does not offer shader-f16, which ort:${kernel} needs`;
  throw precisionUnserved({ precision: 'f16', name: adapter.info.device, why });
}

/** True if Gemm's attributes, which are binary32 for all matrices, hold alpha and beta exactly. */
const holdsFactors = ({ alpha, beta }: Gemm) => Math.fround(alpha) === alpha && Math.fround(beta) === beta;

/**
 * Clients for ONNX Runtime's providers: WebGPU and WebAssembly of the web's package, and the CPU of Node's. The CPU computes half
 * precision in binary32 and rounds D.
 */
export const onnxRuntimeClients: readonly LibraryClient[] = [
  onnxRuntime('webgpu', web('onnxruntime-web/webgpu'), 'webgpu'),
  onnxRuntime('webgpu-f16', web('onnxruntime-web/webgpu'), 'webgpu', 'f16'),
  onnxRuntime('wasm', web('onnxruntime-web/wasm'), 'wasm'),
  onnxRuntime('wasm-f64', web('onnxruntime-web/wasm'), 'wasm', 'f64'),
  onnxRuntime('node', node, 'cpu'),
  onnxRuntime('node-f16', node, 'cpu', 'f16'),
  onnxRuntime('node-f64', node, 'cpu', 'f64'),
  onnxRuntime('wasm-fused', web('onnxruntime-web/wasm'), 'wasm', 'f32', fused),
  onnxRuntime('node-fused', node, 'cpu', 'f32', fused),
];
