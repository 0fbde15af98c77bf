import { unknownName } from '../../base/messages.ts';
import type { GpuDevice } from '../../gpu/web-gpu.ts';
import type { FunctionKernel } from '../user-kernel.ts';
import { computeByLibrary, type LibraryClient, type LibraryMultiply, makeReportedError } from './client.ts';
import { clients } from './clients.ts';

/** Options for a library. */
export interface LibraryOptions {
  /**
   * The WebGPU device on which it computes, if any. Errors that the device reports count for the verdict on the product, since after a
   * validation error D holds whatever lay in memory.
   */
  readonly device?: GpuDevice | undefined;
  /** The versions of its packages, for reports: `{ '@tensorflow/tfjs-core': '4.22.0' }`. */
  readonly versions?: Readonly<Record<string, string>> | undefined;
}

/**
 * Wraps a library that a page has loaded and set up as a kernel. In Node, its name alone finds and loads it.
 *
 * ```ts
 * await gate({ kernels: [libraryKernel('tfjs:webgpu', tf)] });
 * ```
 * @param name that of its kernel: `tfjs:webgpu`, `ort:webgpu`, `jax-js:webgpu`, … as `list clients` prints those of npm's.
 * @param library the exports of its package: `@tensorflow/tfjs-core` beside which the backend was imported, `onnxruntime-web`,
 * `@jax-js/jax`, `gpu.js`.
 * @throws ParanoiaError `unknown-name`
 */
export function libraryKernel(name: string, library: object, options: LibraryOptions = {}): FunctionKernel {
  const { device, versions } = options;
  const { peers: _, open, alone: __, ...spec } = findClient(name);
  let multiply: LibraryMultiply | undefined;
  const reported: string[] = [];
  const listen = ({ error }: GPUUncapturedErrorEvent) => {
    reported.push(error.message);
  };
  return {
    ...spec,
    async prepare() {
      device?.addEventListener('uncapturederror', listen);
      multiply = await open(library as never);
    },
    async multiply(a, b, gemm, c) {
      if (multiply === undefined) throw new Error(`${name} was not prepared`);
      reported.length = 0;
      const d = await computeByLibrary(multiply, a, b, gemm, c);
      const error = makeReportedError(reported);
      if (error === undefined) return d;
      throw error;
    },
    release() {
      device?.removeEventListener('uncapturederror', listen);
      multiply = undefined;
    },
    ...(versions === undefined ? {} : { versions: () => ({ ...versions }) }),
  };
}

function findClient(name: string): LibraryClient {
  const found = clients.find((client) => client.name === name);
  if (found !== undefined) return found;
  throw unknownName({
    what: 'library',
    given: name,
    known: clients.map((client) => client.name),
  });
}
