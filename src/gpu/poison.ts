import { GUARD, GUARDS, POISON } from './guards.ts';

/** Larger buffers are poisoned by copies on the device: mapping them would take as much of the host's memory. */
export const POISONED_BY_COPIES = 2 ** 28;
const CHUNK = 2 ** 24;

/**
 * Writes poison between guards to a buffer of whole entries of so many words, by copies from small ones.
 * @param chunk bytes that are copied at a time.
 */
export function poison(device: GPUDevice, buffer: GPUBuffer, words: number, chunk = CHUNK): void {
  const guards = 4 * words * GUARDS;
  const filled = (bytes: number, word: number) => {
    const source = device.createBuffer({
      size: bytes,
      usage: GPUBufferUsage.COPY_SRC,
      mappedAtCreation: true,
    });
    new Uint32Array(source.getMappedRange()).fill(word);
    source.unmap();
    return source;
  };
  const [poisoned, guarding] = [filled(chunk, POISON), filled(guards, GUARD)];
  const encoder = device.createCommandEncoder();
  for (let at = guards; at < buffer.size - guards; at += chunk) {
    const bytes = Math.min(chunk, buffer.size - guards - at);
    encoder.copyBufferToBuffer(poisoned, 0, buffer, at, bytes);
  }
  for (const at of [0, buffer.size - guards]) encoder.copyBufferToBuffer(guarding, 0, buffer, at, guards);
  device.queue.submit([encoder.finish()]);
  poisoned.destroy();
  guarding.destroy();
}
