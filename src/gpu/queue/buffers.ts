import { outOfGpuMemory } from '../messages.ts';
import type { GpuBuffer, GpuDevice } from '../web-gpu.ts';
import type { Running } from './errors.ts';

/** Buffers that are made one by one and given back together. */
export interface Buffers {
  create(size: number, usage: number): GpuBuffer;
  /** One that is filled while it is made; its size is a multiple of 4 bytes. */
  filled(size: number, usage: number, fill: (bytes: ArrayBuffer) => void): GpuBuffer;
  /** A uniform of these words. */
  uniform(words: readonly number[]): GpuBuffer;
  /** Numbers to be read, in binary32: see {@link sizeOf}. */
  storage(numbers: ArrayLike<number>): GpuBuffer;
  destroy(): void;
}

/**
 * Makes buffers on a device; to be used within error scopes.
 * @param running for whom: what cannot be mapped as it is made is thrown, not reported, as out-of-gpu-memory.
 */
export function openBuffers(device: GpuDevice, running: Running): Buffers {
  const made: GpuBuffer[] = [];
  const create = (size: number, usage: number, mappedAtCreation = false) => {
    const buffer = device.createBuffer({ size, usage, mappedAtCreation });
    made.push(buffer);
    return buffer;
  };
  const filled: Buffers['filled'] = (size, usage, fill) => {
    const buffer = mapped(() => create(size, usage, true), running);
    fill(buffer.getMappedRange());
    buffer.unmap();
    return buffer;
  };
  return {
    create,
    filled,
    uniform: (words) =>
      filled(Math.ceil(words.length / 4) * 16, GPUBufferUsage.UNIFORM, (bytes) =>
        new Uint32Array(bytes).set(words),
      ),
    storage: (numbers) =>
      filled(sizeOf(numbers), GPUBufferUsage.STORAGE, (bytes) => new Float32Array(bytes).set(numbers)),
    destroy() {
      for (const buffer of made.splice(0)) buffer.destroy();
    },
  };
}

/** Bytes that numbers take in binary32; nothing of size 0 can be bound. */
export const sizeOf = ({ length }: ArrayLike<number>): number => 4 * Math.max(1, length);

function mapped(make: () => GpuBuffer, running: Running): GpuBuffer {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw outOfGpuMemory({ ...running, why: error.message }, error);
  }
}
