import { navigatorHere } from '../../base/navigator.ts';
import { precisionUnserved } from '../../gpu/messages.ts';
import type { Gpu } from '../../gpu/web-gpu.ts';
import type { Gemm } from '../../matrix/gemm.ts';
import { fromHalfBits, halfBits } from '../../matrix/half-bits.ts';
import type { Entries } from '../../matrix/operands.ts';
import { type LibraryMultiply, queueProducts, type TensorMatrix } from './client.ts';
import { fusedModel } from './onnx-fused.ts';
import { type ElementType, gemmModel, type ModelInputs, matMulModel } from './onnx-model.ts';

export interface Runtime {
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

/** Log level for fatal errors alone: a run also throws the errors that it reports. */
const FATAL = 4;

/** A session of ONNX Runtime with the models that it has loaded. */
interface Session {
  /** Runs a model, which is loaded when its key is new, and returns D. */
  run(key: string, make: () => Uint8Array, feeds: Record<string, unknown>): Promise<Entries>;
  tensor(matrix: TensorMatrix): unknown;
}

/** One MatMul, or one Gemm where that covers the product. For batches, transpositions before a MatMul, and alpha, beta and C behind it. */
function matMul(session: Session, precision: ElementType): LibraryMultiply {
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
        : matMulModel(precision, has, {
            rank: a.sizes.length,
            scales: alpha !== 1,
          });
    return session.run(key, make, {
      ...{
        A: session.tensor(a),
        B: session.tensor(b),
        ...(c && { C: session.tensor(c) }),
      },
      ...(!asGemm && alpha !== 1 ? { alpha: scalar(alpha) } : {}),
      ...(!asGemm && c !== undefined ? { beta: scalar(beta) } : {}),
    });
  };
}

/** FusedMatMul, Gemm or FusedGemm, and operators behind them such as BiasGelu. */
const fused =
  (session: Session): LibraryMultiply =>
  (a, b, gemm) => {
    const { key, make, tensors: addends } = fusedModel(a, b, gemm);
    const inputs = Object.entries({ A: a, B: b, ...addends });
    return session.run(key, make, Object.fromEntries(inputs.map(([name, x]) => [name, session.tensor(x)])));
  };

/** The ways in which ONNX Runtime multiplies. */
const ways = { matMul, fused };

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

/** A client of ONNX Runtime: its name behind `ort:`, the execution provider, the type of matrices, and how it multiplies. */
export interface OnnxClient {
  readonly name: string;
  readonly provider: string;
  readonly precision: ElementType;
  readonly way: keyof typeof ways;
}

/** Opens a client. @throws ParanoiaError `precision-unserved` where the adapter has no half precision */
export async function openOnnx(
  ort: Runtime,
  { name, provider, precision, way }: OnnxClient,
): Promise<LibraryMultiply> {
  const usesAdapter = provider === 'webgpu';
  if (usesAdapter && precision === 'f16') await requireHalf(name);
  const compute = ways[way](openSession(ort, provider, precision), precision);
  // Two concurrent runs of its WebGPU provider deadlock and block the thread.
  return usesAdapter ? queueProducts(compute) : compute;
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
