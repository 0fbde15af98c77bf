import { loadPart } from '../../base/part.ts';
import { type LibraryClient, type PeerPackage, tensors } from './client.ts';
import type { OnnxClient, Runtime } from './onnx-session.ts';

const web = (entry: string): PeerPackage => ({
  name: 'onnxruntime-web',
  version: '1',
  entry,
});
const node: PeerPackage = { name: 'onnxruntime-node', version: '1' };

/**
 * The epilogues that operators of ONNX Runtime compute, alone or behind one another. On a CPU its functions are rational approximations, for
 * which the usual claims are too narrow: in 1.30.0, tanh errs by up to 2.8·2^−23 of its value, and 1/(1 + e^−x) by 2.8·2^−24.
 */
const fusedEpilogues = [
  ...['none', 'relu', 'tanh:3', 'gelu', 'gelu-tanh', 'silu:tanh', 'bias:row', 'residual'],
  ...['bias:row,relu', 'bias:column,leaky-relu:any', 'residual,sigmoid:wgsl:tanh', 'bias:scalar,tanh:3'],
  ...['bias:row,gelu', 'bias:row,gelu-tanh', 'bias:row,silu:tanh', 'bias:row,gelu,residual'],
].join('|');

const accepted = {
  matMul: tensors,
  fused: { ...tensors, beta: false, epilogue: fusedEpilogues },
} as const;

function onnxRuntime(
  name: string,
  peer: PeerPackage,
  provider: string,
  precision: OnnxClient['precision'] = 'f32',
  way: OnnxClient['way'] = 'matMul',
): LibraryClient {
  const usesAdapter = provider === 'webgpu';
  return {
    name: `ort:${name}`,
    precision,
    peers: [peer],
    usesAdapter,
    // Its WebGPU provider binds empty matrices without bytes, at which Dawn for Node aborts.
    accepts: usesAdapter ? { ...tensors, empty: false } : accepted[way],
    alone(ort: Runtime) {
      ort.env.logLevel = 'fatal';
      // Its threads would keep the process from ending.
      if (ort.env.wasm !== undefined) ort.env.wasm.numThreads = 1;
    },
    async open(ort: Runtime) {
      const { openOnnx } = await loadPart('calls ONNX Runtime', () => import('./onnx-session.ts'));
      return openOnnx(ort, { name, provider, precision, way });
    },
  };
}

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
  onnxRuntime('wasm-fused', web('onnxruntime-web/wasm'), 'wasm', 'f32', 'fused'),
  onnxRuntime('node-fused', node, 'cpu', 'f32', 'fused'),
];
