import { type LibraryClient, type TensorMatrix, tensors } from './client.ts';

interface Device {
  readonly device: string;
}

/** An array. Operations consume their operands, so none needs to be disposed of. */
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
    matrixTranspose(x: NdArray): NdArray;
    multiply(a: NdArray, b: number): NdArray;
    add(a: NdArray, b: NdArray): NdArray;
  };
}

/** Returns the client for jax-js on one of its devices: `np.matmul`, then `np.multiply` and `np.add` where alpha and beta need them. */
function jaxJs(device: 'webgpu' | 'wasm'): LibraryClient {
  return {
    name: `jax-js:${device}`,
    peers: [{ name: '@jax-js/jax', version: '0.1' }],
    usesAdapter: device === 'webgpu',
    accepts: tensors,
    async open(jax: Jax) {
      const devices = await jax.init(device);
      if (!devices.includes(device)) throw new Error(`jax-js has no device ${device} here`);
      const { numpy } = jax;
      // `array` does not accept empty entries.
      const array = ({ entries, sizes }: TensorMatrix) =>
        entries.length > 0 ? numpy.array(entries, { device }).reshape(sizes) : numpy.zeros(sizes, { device });
      const factor = (x: TensorMatrix) => (x.transposed ? numpy.matrixTranspose(array(x)) : array(x));
      return (a, b, { alpha, beta }, c) => {
        const product = numpy.matmul(factor(a), factor(b));
        const scaled = alpha === 1 ? product : numpy.multiply(product, alpha);
        return (c === undefined ? scaled : numpy.add(scaled, numpy.multiply(array(c), beta))).data();
      };
    },
  };
}

/** Clients for jax-js on WebGPU and on WebAssembly. Its float64 needs a JavaScript with Float16Array. */
export const jaxJsClients: readonly LibraryClient[] = [jaxJs('webgpu'), jaxJs('wasm')];
