import { alignUp } from '../../base/numbers.ts';
import type { OpenDevice } from '../device.ts';
import { bindGroup, type GpuCommand, makeCopyCommand, submit } from '../queue/submit.ts';
import { hasTimestamps, openTimestamps, type Timestamps } from '../queue/timestamps.ts';
import type { GpuBuffer, GpuComputePipeline } from '../web-gpu.ts';

/** A dispatch, with the buffers that it reads and writes. */
export interface BufferedDispatch {
  readonly pipeline: GpuComputePipeline;
  /** The words of the uniform at binding 0. */
  readonly params: readonly number[];
  /** The buffers at bindings 1, 2, … */
  readonly buffers: readonly GpuBuffer[];
  readonly workgroups: readonly [number, number];
}

/** The most dispatches that {@link GpuWork} times. */
const TIMED = 2048;
/** Bytes written at a time, which bounds the copies that the process makes. */
const UPLOAD = 2 ** 26;

/** Submits dispatches and adds up the time that they take. Their buffers stay alive until they are destroyed. */
export class GpuWork {
  readonly open: OpenDevice;
  readonly #stamps: Timestamps | undefined;
  #timed = 0;

  private constructor(open: OpenDevice, stamps: Timestamps | undefined) {
    this.open = open;
    this.#stamps = stamps;
  }

  /** @throws ParanoiaError out-of-gpu-memory, gpu-error, device-lost */
  static async start(open: OpenDevice, kernel: string): Promise<GpuWork> {
    return new GpuWork(open, hasTimestamps(open) ? await openTimestamps(open, TIMED, kernel) : undefined);
  }

  buffer(bytes: number, usage = 0): GpuBuffer {
    const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
    return this.open.device.createBuffer({
      size: Math.max(16, alignUp(bytes, 16)),
      usage: usage === 0 ? STORAGE | COPY_SRC | COPY_DST : usage,
    });
  }

  /** Uploads an array to a new buffer. */
  upload(data: ArrayBufferView, usage = 0): GpuBuffer {
    const buffer = this.buffer(data.byteLength, usage);
    // Dawn for Node does not accept shared memory.
    const isShared = !(data.buffer instanceof ArrayBuffer);
    for (let from = 0; from < data.byteLength; from += UPLOAD) {
      const length = Math.min(UPLOAD, data.byteLength - from);
      const part = new Uint8Array(data.buffer, data.byteOffset + from, length);
      const own = isShared ? part.slice() : (part as Uint8Array<ArrayBuffer>);
      this.open.device.queue.writeBuffer(buffer, from, own);
    }
    return buffer;
  }

  /** Submits a dispatch. */
  submit({ pipeline, params, buffers, workgroups }: BufferedDispatch): void {
    const [across, down] = workgroups;
    if (across * down === 0) return;
    const { device } = this.open;
    const uniform = this.upload(Uint32Array.from(params), GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST);
    const group = bindGroup(
      device,
      pipeline,
      [uniform, ...buffers].map((buffer) => ({ buffer })),
    );
    const marks = this.#timed++ < TIMED ? this.#stamps?.next() : undefined;
    submit(device, [{ pipeline, group, workgroups }], { marks });
    // Submitted work keeps its buffers alive.
    uniform.destroy();
  }

  /** Copies buffers, one after the other, to a buffer that can be mapped. */
  stage(buffers: readonly { readonly buffer: GpuBuffer; readonly bytes: number }[]): GpuBuffer {
    const total = buffers.reduce((sum, { bytes }) => sum + bytes, 0);
    const staging = this.buffer(total, GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST);
    let at = 0;
    const commands = buffers.map(({ buffer, bytes }): GpuCommand => {
      at += bytes;
      return makeCopyCommand(buffer, staging, bytes, 0, at - bytes);
    });
    submit(this.open.device, commands);
    return staging;
  }

  /** Waits for the submitted work. @returns its seconds of device time; undefined if the device has no clock. */
  async seconds(): Promise<number | undefined> {
    const told = await this.#stamps?.read();
    return told?.reduce<number>((sum, seconds = 0) => sum + seconds, 0);
  }

  close(): void {
    this.#stamps?.destroy();
  }
}
