import type { Entries } from '../../matrix/operands.ts';
import { peerMissing } from '../messages.ts';
import type { LibraryClient } from './client.ts';

/** The value of `this` in a kernel function of GPU.js. */
interface Thread {
  readonly thread: { readonly x: number; readonly y: number };
}

type Rows = readonly Entries[];
type Run = ((a: Rows, b: Rows, k: number) => readonly Float32Array[]) & {
  setOutput(size: [columns: number, rows: number]): void;
};

interface GpuJs {
  readonly GPU: {
    readonly isHeadlessGLSupported: boolean;
    new (options: {
      mode: string;
    }): {
      createKernel(
        entry: (this: Thread, a: Rows, b: Rows, k: number) => number,
        options: Record<string, unknown>,
      ): Run;
      destroy(): Promise<void>;
    };
  };
}

/** Single-precision textures, accuracy before speed, and loops longer than any k of a gate. */
const OPTIONS = {
  dynamicOutput: true,
  dynamicArguments: true,
  precision: 'single',
  tactic: 'precision',
  loopMaxIterations: 2 ** 20,
};

/** Returns the client for GPU.js in one of its modes: the matrix product of its documentation, one sum a thread. */
function gpuJs(mode: 'cpu' | 'headlessgl'): LibraryClient {
  const name = `gpu.js:${mode}`;
  return {
    name,
    peers: [{ name: 'gpu.js', version: '2' }],
    open({ GPU }: GpuJs) {
      if (mode === 'headlessgl' && !GPU.isHeadlessGLSupported) {
        const why = 'its binary is not built, or no display is open (on Linux, run under xvfb-run)';
        throw peerMissing({
          kernel: name,
          peer: 'gl',
          why,
          install: 'npm rebuild gl',
        });
      }
      const run = new GPU({ mode }).createKernel(sumOfProducts, OPTIONS);
      return async (a, b, { m, k, n }) => {
        run.setOutput([n, m]);
        const c = new Float32Array(m * n);
        for (const [i, row] of run(rowsOf(a.entries, m, k), rowsOf(b.entries, k, n), k).entries())
          c.set(row, i * n);
        return c;
      };
    },
  };
}

/** The kernel function, whose source GPU.js reads and translates. */
function sumOfProducts(this: Thread, a: Rows, b: Rows, k: number): number {
  let sum = 0;
  for (let i = 0; i < k; i++) {
    sum += a[this.thread.y][i] * b[i][this.thread.x];
  }
  return sum;
}

function rowsOf(entries: Entries, rows: number, cols: number): Rows {
  return Array.from({ length: rows }, (_, i) => entries.subarray(i * cols, (i + 1) * cols));
}

/** Clients for GPU.js: in JavaScript, and in WebGL on the display's GPU. */
export const gpuJsClients: readonly LibraryClient[] = [gpuJs('cpu'), gpuJs('headlessgl')];
