import type { OpenDevice } from '../device.ts';
import { compileShader, type Running, withScopes } from '../errors.ts';

const pipelines = new WeakMap<GPUDevice, Map<string, Promise<GPUComputePipeline>>>();

/** The pipeline of a shader, made once a device. @throws Problem `bad-shader`, `gpu-error` */
export function pipelineOf(open: OpenDevice, code: string, running: Running): Promise<GPUComputePipeline> {
  const ofDevice = pipelines.get(open.device) ?? new Map<string, Promise<GPUComputePipeline>>();
  pipelines.set(open.device, ofDevice);
  const known = ofDevice.get(code);
  if (known !== undefined) return known;
  const made = (async () => {
    const module = await compileShader(open, code, running);
    return withScopes(open, running, () =>
      open.device.createComputePipelineAsync({ layout: 'auto', compute: { module, entryPoint: 'main' } }),
    );
  })();
  ofDevice.set(code, made);
  made.catch(() => ofDevice.delete(code));
  return made;
}

/** One dispatch of a pass. */
export interface Launch {
  readonly pipeline: GPUComputePipeline;
  /** The words of its uniform, binding 0. */
  readonly params: readonly number[];
  /** Bindings 1, 2, … */
  readonly buffers: readonly GPUBuffer[];
  readonly workgroups: readonly [number, number];
}

/** Passes that {@link GpuWork} can time before its clock is read. */
const TIMED_PASSES = 2048;

/** Submits dispatches, keeps their buffers until they are let go, and adds up what they take. */
export class GpuWork {
  readonly open: OpenDevice;
  readonly #stamps: GPUQuerySet | undefined;
  #passes = 0;
  #seconds = 0;

  constructor(open: OpenDevice) {
    this.open = open;
    this.#stamps = open.device.features.has('timestamp-query')
      ? open.device.createQuerySet({ type: 'timestamp', count: 2 * TIMED_PASSES })
      : undefined;
  }

  /** Whether the device's own clock is read; else {@link seconds} stays 0. */
  get isTimed(): boolean {
    return this.#stamps !== undefined;
  }

  /** Seconds of the device's time that the passes took, up to the last {@link readClock}. */
  get seconds(): number {
    return this.#seconds;
  }

  buffer(bytes: number, usage = 0): GPUBuffer {
    const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
    return this.open.device.createBuffer({
      size: Math.max(16, Math.ceil(bytes / 16) * 16),
      usage: usage === 0 ? STORAGE | COPY_SRC | COPY_DST : usage,
    });
  }

  /** A buffer that holds what an array does. */
  upload(data: ArrayBufferView): GPUBuffer {
    const buffer = this.buffer(data.byteLength);
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    // Dawn for Node takes no shared memory.
    const isShared = !(data.buffer instanceof ArrayBuffer);
    for (let from = 0; from < bytes.length; from += UPLOAD) {
      const part = bytes.subarray(from, from + UPLOAD);
      this.open.device.queue.writeBuffer(
        buffer,
        from,
        isShared ? part.slice() : (part as Uint8Array<ArrayBuffer>),
      );
    }
    return buffer;
  }

  /** Submits dispatches as one pass. */
  submit(launches: readonly Launch[]): void {
    const { device } = this.open;
    if (launches.every(({ workgroups: [across, down] }) => across * down === 0)) return;
    const encoder = device.createCommandEncoder();
    const timestampWrites = this.#stamp();
    const pass = encoder.beginComputePass(timestampWrites === undefined ? {} : { timestampWrites });
    const uniforms = launches.map(({ pipeline, params, buffers, workgroups }) => {
      const uniform = this.buffer(4 * params.length, GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST);
      device.queue.writeBuffer(uniform, 0, Uint32Array.from(params));
      const entries = [uniform, ...buffers].map((buffer, binding) => ({ binding, resource: { buffer } }));
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
      pass.dispatchWorkgroups(...workgroups);
      return uniform;
    });
    pass.end();
    device.queue.submit([encoder.finish()]);
    // Submitted work keeps what it uses.
    for (const uniform of uniforms) uniform.destroy();
  }

  /** Copies buffers, one after the other, into one that can be mapped. */
  stage(buffers: readonly { readonly buffer: GPUBuffer; readonly bytes: number }[]): GPUBuffer {
    const total = buffers.reduce((sum, { bytes }) => sum + bytes, 0);
    const staging = this.buffer(total, GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST);
    const encoder = this.open.device.createCommandEncoder();
    let at = 0;
    for (const { buffer, bytes } of buffers) {
      encoder.copyBufferToBuffer(buffer, 0, staging, at, bytes);
      at += bytes;
    }
    this.open.device.queue.submit([encoder.finish()]);
    return staging;
  }

  /** Adds what the passes since the last time took; waits for them. */
  async readClock(): Promise<void> {
    if (this.#stamps === undefined || this.#passes === 0) return;
    const count = 2 * this.#passes;
    this.#passes = 0;
    const resolved = this.buffer(8 * count, GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC);
    const encoder = this.open.device.createCommandEncoder();
    encoder.resolveQuerySet(this.#stamps, 0, count, resolved, 0);
    this.open.device.queue.submit([encoder.finish()]);
    const staging = this.stage([{ buffer: resolved, bytes: 8 * count }]);
    await staging.mapAsync(GPUMapMode.READ);
    const times = new BigUint64Array(staging.getMappedRange().slice(0), 0, count);
    for (let at = 0; at < count; at += 2) this.#seconds += Number(times[at + 1] - times[at]) / 1e9;
    staging.destroy();
    resolved.destroy();
  }

  close(): void {
    this.#stamps?.destroy();
  }

  #stamp(): GPUComputePassTimestampWrites | undefined {
    if (this.#stamps === undefined || this.#passes >= TIMED_PASSES) return undefined;
    const at = 2 * this.#passes++;
    return { querySet: this.#stamps, beginningOfPassWriteIndex: at, endOfPassWriteIndex: at + 1 };
  }
}

/** Bytes written at a time: what the process copies for it stays small. */
const UPLOAD = 2 ** 26;
