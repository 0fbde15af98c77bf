import type { OpenDevice } from './device.ts';
import { readMapped, withScopes } from './errors.ts';
import type { GpuQuerySet } from './web-gpu.ts';

/** Where the timestamps of one piece of work go: its first pass begins it, its last one ends it. */
export interface Marks {
  readonly querySet: GpuQuerySet;
  readonly begin: number;
  readonly end: number;
}

/** Stopwatches on the device. */
export interface Timestamps {
  /** The marks of the next piece of work. */
  next(): Marks;
  /** Seconds of every piece of work marked so far; undefined where the device's clock ran backwards or stood. */
  read(): Promise<(number | undefined)[]>;
  destroy(): void;
}

const NANOSECONDS = 1e-9;
const BYTES = 8;

/** Whether a device tells when its work begins and ends. */
export function hasTimestamps({ device }: Pick<OpenDevice, 'device'>): boolean {
  return device.features.has('timestamp-query');
}

/**
 * Room for the timestamps of so many pieces of work, at most 2048 (WebGPU's query sets hold 4096).
 * @throws Problem out-of-gpu-memory, gpu-error, device-lost
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
        const encoder = device.createCommandEncoder();
        encoder.resolveQuerySet(querySet, 0, 2 * used, resolved, 0);
        encoder.copyBufferToBuffer(resolved, 0, staging, 0, 2 * BYTES * used);
        device.queue.submit([encoder.finish()]);
      });
      const ticks = new BigUint64Array(await readMapped(open, staging, running));
      return Array.from({ length: used }, (_, at) => {
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

/** Which marks a pass writes, as its descriptor says it. */
interface PassMarks {
  querySet: GpuQuerySet;
  beginningOfPassWriteIndex?: number;
  endOfPassWriteIndex?: number;
}

/** The part of a compute pass's descriptor that writes the marks of its work. */
export function timestampWrites(
  marks: Marks | undefined,
  isFirst: boolean,
  isLast: boolean,
): { readonly timestampWrites?: PassMarks } {
  if (marks === undefined || !(isFirst || isLast)) return {};
  const { querySet, begin, end } = marks;
  return {
    timestampWrites: {
      querySet: querySet as GPUQuerySet,
      ...(isFirst && { beginningOfPassWriteIndex: begin }),
      ...(isLast && { endOfPassWriteIndex: end }),
    },
  };
}
