import type { Entries } from '../../../matrix/operands.ts';
import type { FunctionKernel } from '../../user-kernel.ts';
import { type Client, clientKernel } from './client.ts';

interface Device {
  readonly device: string;
}

/** Operations use their operands up: none needs to be disposed of. */
interface NdArray {
  reshape(shape: readonly number[]): NdArray;
  data(): Promise<Float32Array>;
}

interface Jax {
  init(device: string): Promise<readonly string[]>;
  readonly numpy: {
    array(data: unknown, options: Device): NdArray;
    zeros(shape: readonly number[], options: Device): NdArray;
    matmul(a: NdArray, b: NdArray): NdArray;
  };
}

/** jax-js on one of its devices: `np.matmul`. */
function jaxJs(device: 'webgpu' | 'wasm'): Client {
  return {
    name: `jax-js:${device}`,
    peers: [{ name: '@jax-js/jax', version: '0.1' }],
    usesAdapter: device === 'webgpu',
    async open(jax: Jax) {
      const devices = await jax.init(device);
      if (!devices.includes(device)) throw new Error(`jax-js has no device ${device} here`);
      const { numpy } = jax;
      // It cannot make an array of no entries from any.
      const matrix = (entries: Entries, shape: readonly number[]) =>
        entries.length > 0 ? numpy.array(entries, { device }).reshape(shape) : numpy.zeros(shape, { device });
      return (a, b, { m, k, n }) => numpy.matmul(matrix(a, [m, k]), matrix(b, [k, n])).data();
    },
  };
}

/** jax-js on WebGPU and on WebAssembly. Its float64 needs a JavaScript with Float16Array. */
export const jaxJsKernels: readonly FunctionKernel[] = [jaxJs('webgpu'), jaxJs('wasm')].map(clientKernel);
