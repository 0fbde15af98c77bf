import type { OpenDevice } from '../device.ts';
import { type GpuCommand, submit } from './submit.ts';
import { hasTimestamps, openTimestamps } from './timestamps.ts';

/** Times work on a device: by the device's own timestamps if it has them, otherwise by the wall clock. */
export interface Stopwatch {
  readonly clock: 'timestamps' | 'wall clock';
  /** Submits commands and waits. @returns the seconds that they took. */
  time(commands: readonly GpuCommand[]): Promise<number>;
  close(): void;
}

/**
 * Opens the best stopwatch that a device offers.
 * @param kernel the kernel's name, for error messages.
 * @throws ParanoiaError out-of-gpu-memory, gpu-error, device-lost
 */
export async function openStopwatch(open: OpenDevice, kernel: string): Promise<Stopwatch> {
  const { device } = open;
  const stamps = hasTimestamps(open) ? await openTimestamps(open, 1, kernel) : undefined;
  return {
    clock: stamps === undefined ? 'wall clock' : 'timestamps',
    async time(commands) {
      if (stamps === undefined) await device.queue.onSubmittedWorkDone();
      const start = performance.now();
      submit(device, commands, { marks: stamps?.next() });
      if (stamps === undefined) await device.queue.onSubmittedWorkDone();
      const [told] = (await stamps?.read()) ?? [];
      // A clock that did not advance measured nothing.
      return told ?? (performance.now() - start) / 1000;
    },
    close: () => stamps?.destroy(),
  };
}
