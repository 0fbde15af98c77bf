import { expect, it } from 'vitest';
import { plainGemm } from '../../matrix/gemm.ts';
import { queueProducts } from './client.ts';
import { libraryKernel } from './library-kernel.ts';

interface Tensor {
  readonly rows: number;
  readonly entries: Float32Array;
  data(): Promise<Float32Array>;
  dispose(): void;
}

/** Returns a fake of the part of TensorFlow.js that one product uses. */
function fakeTf(report = () => {}) {
  const tensor = (entries: Float32Array, [rows]: readonly number[]): Tensor => {
    return { rows, entries, data: async () => entries, dispose: () => {} };
  };
  return {
    getBackend: () => 'webgpu',
    tensor,
    tidy: <T>(make: () => T) => make(),
    matMul({ rows: m, entries: a }: Tensor, { rows: k, entries: b }: Tensor): Tensor {
      report();
      const n = b.length / k;
      const entry = (i: number, j: number) =>
        Array.from({ length: k }, (_, p) => a[i * k + p] * b[p * n + j]).reduce((sum, term) => sum + term, 0);
      return tensor(
        Float32Array.from({ length: m * n }, (_, at) => entry(Math.floor(at / n), at % n)),
        [m, n],
      );
    },
  };
}

const shape = { m: 2, k: 2, n: 2 };
const [a, b, none] = [Float32Array.of(1, 2, 3, 4), Float32Array.of(5, 6, 7, 8), new Float32Array(4)];
const ask = (kernel: ReturnType<typeof libraryKernel>) => kernel.multiply(a, b, plainGemm(shape), none, none);

it('multiplies by a library that the caller has loaded', async () => {
  const kernel = libraryKernel('tfjs:webgpu', fakeTf(), {
    versions: { '@tensorflow/tfjs-core': '4.22.0' },
  });
  await kernel.prepare?.();
  expect([...(await ask(kernel))]).toEqual([19, 22, 43, 50]);
  expect([kernel.name, kernel.usesAdapter, kernel.versions?.()]).toEqual([
    'tfjs:webgpu',
    true,
    { '@tensorflow/tfjs-core': '4.22.0' },
  ]);
  await kernel.release?.();
  await expect(ask(kernel)).rejects.toThrow('tfjs:webgpu was not prepared');
});

it('throws what the device reports beside a product, and forgets it with the next', async () => {
  const device = new EventTarget();
  let isWrong = true;
  const report = () => {
    const event = Object.assign(new Event('uncapturederror'), {
      error: { message: 'out of bounds' },
    });
    if (isWrong) device.dispatchEvent(event);
  };
  const kernel = libraryKernel('tfjs:webgpu', fakeTf(report), {
    device: device as GPUDevice,
  });
  await kernel.prepare?.();
  await expect(ask(kernel)).rejects.toThrow('its device reports: out of bounds');
  isWrong = false;
  expect([...(await ask(kernel))]).toEqual([19, 22, 43, 50]);
});

it('names the libraries that there are', () => {
  expect(() => libraryKernel('tfjs:webgl', {})).toThrow(/^Unknown library "tfjs:webgl"\..*tfjs:webgpu/s);
});

it('begins a product when the one before has ended, well or not, where a library takes no two at once', async () => {
  let [running, most] = [0, 0];
  const multiply = queueProducts(async ({ entries }) => {
    most = Math.max(most, ++running);
    await new Promise((done) => setTimeout(done, 1));
    running--;
    if (entries[0] === 1) throw new Error('one');
    return entries;
  });
  const of = (x: number) => ({
    entries: Float32Array.of(x),
    sizes: [1, 1],
    transposed: false,
  });
  const asked = [0, 1, 2].map((x) => multiply(of(x), of(x), plainGemm(shape)));
  expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  expect(most).toBe(1);
});
