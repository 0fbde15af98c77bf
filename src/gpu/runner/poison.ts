import { type GpuCommand, makeCopyCommand, submit } from '../queue/submit.ts';
import type { GpuBuffer, GpuDevice } from '../web-gpu.ts';
import type { GuardedRange } from './stored.ts';
import { GUARDS } from './stored.ts';

/** The size in bytes above which ranges are poisoned by copies on the device: mapping them would take as much host memory. */
export const POISONED_BY_COPIES = 2 ** 28;
const CHUNK = 2 ** 24;

/**
 * Fills a range and its guards by copies from small buffers. The range holds one repeated word.
 * @param chunk the bytes copied at a time.
 */
export function poison(device: GpuDevice, buffer: GpuBuffer, range: GuardedRange, chunk = CHUNK): void {
  const guards = 4 * range.words * GUARDS;
  const end = guards + range.bytes;
  const filled = (size: number, word: number) => {
    const source = device.createBuffer({ size, usage: GPUBufferUsage.COPY_SRC, mappedAtCreation: true });
    new Uint32Array(source.getMappedRange()).fill(word);
    source.unmap();
    return source;
  };
  const [poisoned, guarding] = [filled(chunk, range.before as number), filled(guards, range.guard)];
  const commands: GpuCommand[] = [0, end].map((at) => makeCopyCommand(guarding, buffer, guards, 0, at));
  for (let at = guards; at < end; at += chunk) {
    commands.push(makeCopyCommand(poisoned, buffer, Math.min(chunk, end - at), 0, at));
  }
  submit(device, commands);
  // Submitted work keeps its buffers alive.
  poisoned.destroy();
  guarding.destroy();
}
