import { precisionUnserved } from '../../../gpu/messages.ts';
import type { Shape } from '../../../matrix/dense.ts';
import { fromHalfBits, halfBits } from '../../../matrix/half-bits.ts';
import type { Entries } from '../../../matrix/operands.ts';
import type { FunctionKernel } from '../../user-kernel.ts';
import { type Client, clientKernel } from './client.ts';
import type { Peer } from './peer.ts';

interface Runtime {
  readonly env: { logLevel?: string; readonly wasm?: { numThreads?: number } };
  readonly Tensor: new (type: string, data: unknown, dims: readonly number[]) => unknown;
  readonly InferenceSession: {
    create(
      model: Uint8Array,
      options: { executionProviders: string[]; logSeverityLevel: number },
    ): Promise<{
      run(
        feeds: Record<string, unknown>,
      ): Promise<{ C: { readonly data: Uint16Array | Entries; dispose(): void } }>;
    }>;
  };
}

const tensorTypes = {
  f32: { name: 'float32', store: (entries: Entries): unknown => entries },
  f64: { name: 'float64', store: (entries: Entries): unknown => entries },
  f16: { name: 'float16', store: (entries: Entries): unknown => Uint16Array.from(entries, halfBits) },
} as const;

/** Half precision comes as bits, or as numbers where JavaScript has a Float16Array. */
function load(data: Uint16Array | Entries): Entries {
  if (data instanceof Uint16Array) return Float32Array.from(data, fromHalfBits);
  return data instanceof Float64Array ? data : Float32Array.from(data);
}

const web = (entry: string): Peer => ({ name: 'onnxruntime-web', version: '1', entry });
const node: Peer = { name: 'onnxruntime-node', version: '1' };

/** Fatal errors alone: what a run reports as an error it also throws. */
const FATAL = 4;

/** ONNX Runtime: a session of one MatMul, run by one of its execution providers. */
function onnxRuntime(name: string, peer: Peer, provider: string, precision: ElementType = 'f32'): Client {
  const type = tensorTypes[precision];
  const usesAdapter = provider === 'webgpu';
  return {
    name: `ort:${name}`,
    precision,
    peers: [peer],
    usesAdapter,
    ...(usesAdapter ? { accepts: withEntries } : {}),
    async open(ort: Runtime) {
      if (usesAdapter && precision === 'f16') await requireHalf(name);
      ort.env.logLevel = 'fatal';
      // Its threads would keep the process from ending.
      if (ort.env.wasm !== undefined) ort.env.wasm.numThreads = 1;
      const options = { executionProviders: [provider], logSeverityLevel: FATAL };
      const session = await ort.InferenceSession.create(matMulModel(precision), options);
      return async (a, b, { m, k, n }) => {
        const A = new ort.Tensor(type.name, type.store(a), [m, k]);
        const B = new ort.Tensor(type.name, type.store(b), [k, n]);
        const { C } = await session.run({ A, B });
        const c = load(C.data);
        C.dispose();
        return c;
      };
    },
  };
}

/** @throws ParanoiaError `precision-unserved` where the adapter has no half precision. */
async function requireHalf(kernel: string): Promise<void> {
  const { gpu } = (globalThis as unknown as { navigator: NavigatorGPU }).navigator;
  const adapter = await gpu.requestAdapter();
  if (adapter === null || adapter.features.has('shader-f16')) return;
  const why = `it lacks the feature shader-f16, which ort:${kernel} needs`;
  throw precisionUnserved({ precision: 'f16', name: adapter.info.device, why });
}

/** Its WebGPU provider binds them without bytes, at which Dawn for Node aborts. */
function withEntries({ m, k, n }: Shape): true | string {
  return m * k * n > 0 || "ONNX Runtime's WebGPU provider takes no matrices without entries";
}

/**
 * ONNX Runtime's providers: WebGPU and WebAssembly of the web's package, and the CPU of Node's. That computes half
 * precision in binary32 and rounds C.
 */
export const onnxRuntimeKernels: readonly FunctionKernel[] = [
  onnxRuntime('webgpu', web('onnxruntime-web/webgpu'), 'webgpu'),
  onnxRuntime('webgpu-f16', web('onnxruntime-web/webgpu'), 'webgpu', 'f16'),
  onnxRuntime('wasm', web('onnxruntime-web/wasm'), 'wasm'),
  onnxRuntime('wasm-f64', web('onnxruntime-web/wasm'), 'wasm', 'f64'),
  onnxRuntime('node', node, 'cpu'),
  onnxRuntime('node-f16', node, 'cpu', 'f16'),
  onnxRuntime('node-f64', node, 'cpu', 'f64'),
].map(clientKernel);

/** Types of tensors in ONNX (TensorProto.DataType). */
export const elementTypes = { f32: 1, f16: 10, f64: 11 } as const;
export type ElementType = keyof typeof elementTypes;

type Bytes = readonly number[];

/** A whole number in groups of seven bits, the lowest first. */
function varint(value: number): Bytes {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}

/** Field types of Protocol Buffers: a number, or bytes of a known length (texts and messages too). */
const [VARINT, LENGTH] = [0, 2];
const number = (field: number, value: number): Bytes => [...varint(field * 8 + VARINT), ...varint(value)];
const message = (field: number, ...parts: Bytes[]): Bytes => {
  const bytes = parts.flat();
  return [...varint(field * 8 + LENGTH), ...varint(bytes.length), ...bytes];
};
const text = (field: number, value: string): Bytes => message(field, [...new TextEncoder().encode(value)]);

/** A ValueInfoProto: a matrix of a type, its sizes named, so that they are those of each run. */
function matrixInfo(field: number, name: string, type: number, rows: string, cols: string): Bytes {
  const dimension = (size: string) => message(1, text(2, size));
  const shape = message(2, dimension(rows), dimension(cols));
  return message(field, text(1, name), message(2, message(1, number(1, type), shape)));
}

const IR_VERSION = 8;
const OPERATORS = 13;

/**
 * An ONNX model, C = MatMul(A, B) for matrices of any size. Its fields are numbered as in onnx.proto3: ModelProto (IR
 * version 1, graph 7, operator sets 8), GraphProto (nodes 1, name 2, inputs 11, outputs 12), NodeProto (inputs 1, outputs
 * 2, operator 4).
 */
export function matMulModel(type: ElementType): Uint8Array {
  const element = elementTypes[type];
  const node = message(1, text(1, 'A'), text(1, 'B'), text(2, 'C'), text(4, 'MatMul'));
  const graph = message(
    7,
    node,
    text(2, 'product'),
    matrixInfo(11, 'A', element, 'm', 'k'),
    matrixInfo(11, 'B', element, 'k', 'n'),
    matrixInfo(12, 'C', element, 'm', 'n'),
  );
  return Uint8Array.from([...number(1, IR_VERSION), ...graph, ...message(8, number(2, OPERATORS))]);
}
