import type { OpenDevice } from '../device.ts';
import { readMapped, withScopes } from './errors.ts';
import { type GpuCommand, makeCopyCommand, submit, type TimestampMarks } from './submit.ts';

/** Timestamps that the device writes. */
export interface Timestamps {
  /** Returns the queries for the next piece of work. */
  next(): TimestampMarks;
  /**
   * Returns the seconds of each piece of work since the last read. An item is undefined if the device's clock ran backwards or stood still.
   */
  read(): Promise<(number | undefined)[]>;
  destroy(): void;
}

const NANOSECONDS = 1e-9;
const BYTES = 8;

export function hasTimestamps({ device }: Pick<OpenDevice, 'device'>): boolean {
  return device.features.has('timestamp-query');
}

/**
 * Creates timestamp queries for `count` pieces of work, at most 2048 (WebGPU's query sets hold 4096).
 * @throws ParanoiaError out-of-gpu-memory, gpu-error, device-lost
 */
export async function openTimestamps(open: OpenDevice, count: number, kernel: string): Promise<Timestamps> {
  const running = { kernel, step: 'reading timestamps' };
  const { device } = open;
  const size = 2 * BYTES * count;
  const { querySet, resolved, staging } = await withScopes(open, running, () => ({
    querySet: device.createQuerySet({ type: 'timestamp', count: 2 * count }),
    resolved: device.createBuffer({ size, usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC }),
    staging: device.createBuffer({ size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ }),
  }));
  let used = 0;
  return {
    next: () => ({ querySet, begin: 2 * used, end: 2 * used++ + 1 }),
    async read() {
      if (used === 0) return [];
      await withScopes(open, running, () => {
        const resolve: GpuCommand = (encoder) => encoder.resolveQuerySet(querySet, 0, 2 * used, resolved, 0);
        submit(device, [resolve, makeCopyCommand(resolved, staging, 2 * BYTES * used)]);
      });
      const ticks = new BigUint64Array(await readMapped(open, staging, running));
      const marked = used;
      used = 0;
      return Array.from({ length: marked }, (_, at) => {
        const seconds = Number(ticks[2 * at + 1] - ticks[2 * at]) * NANOSECONDS;
        return seconds > 0 ? seconds : undefined;
      });
    },
    destroy() {
      querySet.destroy();
      resolved.destroy();
      staging.destroy();
    },
  };
}

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
