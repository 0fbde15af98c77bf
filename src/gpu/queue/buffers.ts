import { outOfGpuMemory } from '../messages.ts';
import type { GpuBuffer, GpuDevice } from '../web-gpu.ts';
import type { CurrentWork } from './errors.ts';

/** Buffers that are created one by one and destroyed together. */
export interface Buffers {
  create(size: number, usage: number): GpuBuffer;
  /** Creates a buffer that is filled at creation; its size must be a multiple of 4 bytes. */
  filled(size: number, usage: number, fill: (bytes: ArrayBuffer) => void): GpuBuffer;
  uniform(words: readonly number[]): GpuBuffer;
  /** Creates a buffer of numbers in binary32, for reading: see {@link binary32BytesOf}. */
  storage(numbers: ArrayLike<number>): GpuBuffer;
  destroy(): void;
}

/**
 * Creates buffers on a device, for use within error scopes.
 * @param running the work in progress, for errors. A buffer that cannot be mapped at creation throws out-of-gpu-memory directly.
 */
export function openBuffers(device: GpuDevice, running: CurrentWork): Buffers {
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
      filled(binary32BytesOf(numbers), GPUBufferUsage.STORAGE, (bytes) =>
        new Float32Array(bytes).set(numbers),
      ),
    destroy() {
      for (const buffer of made.splice(0)) buffer.destroy();
    },
  };
}

/** Returns the bytes that numbers take in binary32, at least 4: a buffer of size 0 cannot be bound. */
export const binary32BytesOf = ({ length }: ArrayLike<number>): number => 4 * Math.max(1, length);

function mapped(make: () => GpuBuffer, running: CurrentWork): GpuBuffer {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw outOfGpuMemory({ ...running, why: error.message }, error);
  }
}
