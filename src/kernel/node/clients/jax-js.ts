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
      return (a, b, { m, k, n }) => {
        const [x, y] = [
          numpy.array(a, { device }).reshape([m, k]),
          numpy.array(b, { device }).reshape([k, n]),
        ];
        return numpy.matmul(x, y).data();
      };
    },
  };
}

/** jax-js on WebGPU and on WebAssembly. Its float64 needs a JavaScript with Float16Array. */
export const jaxJsKernels: readonly FunctionKernel[] = [jaxJs('webgpu'), jaxJs('wasm')].map(clientKernel);
