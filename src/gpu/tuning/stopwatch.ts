import type { OpenDevice } from '../device.ts';
import { hasTimestamps, openTimestamps, timestampWrites } from '../timestamps.ts';

/** Times compute passes: by the device's own clock where it has timestamps, else by ours. */
export interface Stopwatch {
  readonly clock: 'timestamps' | 'wall clock';
  /** Seconds that a pass took, given what encodes its dispatches. */
  time(encode: (pass: GPUComputePassEncoder) => void): Promise<number>;
  close(): void;
}

/**
 * The best stopwatch that a device offers.
 * @throws Problem out-of-gpu-memory, gpu-error, device-lost
 */
export async function stopwatchOf(open: OpenDevice): Promise<Stopwatch> {
  return hasTimestamps(open) ? byTimestamps(open) : byWallClock(open);
}

/** Passes that are timed before the timestamps are opened anew. */
const AT_A_TIME = 1000;

async function byTimestamps(open: OpenDevice): Promise<Stopwatch> {
  const { device } = open;
  let stamps = await openTimestamps(open, AT_A_TIME, 'tune');
  let used = 0;
  return {
    clock: 'timestamps',
    async time(encode) {
      if (used === AT_A_TIME) {
        stamps.destroy();
        stamps = await openTimestamps(open, AT_A_TIME, 'tune');
        used = 0;
      }
      used++;
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass(timestampWrites(stamps.next(), true, true));
      encode(pass);
      pass.end();
      const start = performance.now();
      device.queue.submit([encoder.finish()]);
      const told = await stamps.read();
      // A clock that stood tells nothing.
      return told.at(-1) ?? (performance.now() - start) / 1000;
    },
    close: () => stamps.destroy(),
  };
}

function byWallClock({ device }: OpenDevice): Stopwatch {
  return {
    clock: 'wall clock',
    async time(encode) {
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      encode(pass);
      pass.end();
      const commands = encoder.finish();
      await device.queue.onSubmittedWorkDone();
      const start = performance.now();
      device.queue.submit([commands]);
      await device.queue.onSubmittedWorkDone();
      return (performance.now() - start) / 1000;
    },
    close() {},
  };
}
