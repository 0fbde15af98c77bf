import type { GpuDevice } from '../web-gpu.ts';

/** What encodes dispatches into a pass. */
export type Encode = (pass: GPUComputePassEncoder) => void;

/** Times compute passes: by the device's own clock where it has timestamps, else by ours. */
export interface Stopwatch {
  readonly clock: 'timestamps' | 'wall clock';
  /** Seconds that a pass took. */
  time(encode: Encode): Promise<number>;
  close(): void;
}

/** The best stopwatch that a device offers. */
export function stopwatchOf(device: GpuDevice): Stopwatch {
  return device.features.has('timestamp-query') ? byTimestamps(device) : byWallClock(device);
}

function byTimestamps(device: GPUDevice): Stopwatch {
  const querySet = device.createQuerySet({ type: 'timestamp', count: 2 });
  const bytes = 16;
  const resolved = device.createBuffer({
    size: bytes,
    usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC,
  });
  const staging = device.createBuffer({
    size: bytes,
    usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
  });
  return {
    clock: 'timestamps',
    async time(encode) {
      const encoder = device.createCommandEncoder();
      const timestampWrites = { querySet, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 };
      const pass = encoder.beginComputePass({ timestampWrites });
      encode(pass);
      pass.end();
      encoder.resolveQuerySet(querySet, 0, 2, resolved, 0);
      encoder.copyBufferToBuffer(resolved, 0, staging, 0, bytes);
      device.queue.submit([encoder.finish()]);
      await staging.mapAsync(GPUMapMode.READ);
      const [begin, end] = new BigUint64Array(staging.getMappedRange().slice(0));
      staging.unmap();
      return Number(end - begin) / 1e9;
    },
    close() {
      querySet.destroy();
      resolved.destroy();
      staging.destroy();
    },
  };
}

function byWallClock(device: GPUDevice): Stopwatch {
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
