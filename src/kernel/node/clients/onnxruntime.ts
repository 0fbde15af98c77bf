import { fromHalfBits, halfBits } from '../../../formats/half-bits.ts';
import type { Shape } from '../../../matrix/dense.ts';
import { problem } from '../../../problems.ts';
import type { Entries, FunctionKernel } from '../../user-kernel.ts';
import { type Client, clientKernel } from './client.ts';
import { type ElementType, matMulModel } from './onnx-model.ts';
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

/** @throws Problem `precision-unserved` where the adapter has no half precision. */
async function requireHalf(kernel: string): Promise<void> {
  const { gpu } = (globalThis as unknown as { navigator: NavigatorGPU }).navigator;
  const adapter = await gpu.requestAdapter();
  if (adapter === null || adapter.features.has('shader-f16')) return;
  const why = `it lacks the feature shader-f16, which ort:${kernel} needs`;
  throw problem('precision-unserved', { precision: 'f16', name: adapter.info.device, why });
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
