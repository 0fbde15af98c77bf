import { alignUp } from '../../base/numbers.ts';
import type { RealArray } from '../../matrix/dense.ts';
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
/** The most bytes that are written at a time. Two buffers of this size hold a panel's part of A, so that no upload waits for a product. */
const UPLOAD = 2 ** 25;

/** Submits dispatches and adds up the time that they take. Their buffers stay alive until they are destroyed. */
export class GpuWork {
  readonly open: OpenDevice;
  readonly #stamps: Timestamps | undefined;
  /** Buffers of {@link uploadOperand}, used in turn. */
  readonly #written: GpuBuffer[] = [];
  /** Buffers of {@link stage} that were read. Memory that can be mapped takes a device longer to allocate than to fill. */
  readonly #read: GpuBuffer[] = [];
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
      size: bytesOf(bytes),
      usage: usage === 0 ? STORAGE | COPY_SRC | COPY_DST : usage,
    });
  }

  upload(data: ArrayBufferView<ArrayBuffer>, usage = 0): GpuBuffer {
    const buffer = this.buffer(data.byteLength, usage);
    this.open.device.queue.writeBuffer(buffer, 0, data);
    return buffer;
  }

  /** Uploads an operand to a new buffer, in parts. */
  async uploadOperand({ buffer: memory, byteOffset, byteLength }: RealArray): Promise<GpuBuffer> {
    const { MAP_WRITE, COPY_SRC } = GPUBufferUsage;
    const buffer = this.buffer(byteLength);
    for (let from = 0, at = 0; from < byteLength; from += UPLOAD, at = 1 - at) {
      const length = Math.min(UPLOAD, byteLength - from);
      if ((this.#written[at]?.size ?? 0) < length) {
        this.#written[at]?.destroy();
        this.#written[at] = this.buffer(length, MAP_WRITE | COPY_SRC);
      }
      const staging = this.#written[at];
      await staging.mapAsync(GPUMapMode.WRITE);
      new Uint8Array(staging.getMappedRange()).set(new Uint8Array(memory, byteOffset + from, length));
      staging.unmap();
      submit(this.open.device, [makeCopyCommand(staging, buffer, length, 0, from)]);
    }
    return buffer;
  }

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

  /** Copies buffers, one after the other, to a buffer that {@link read} maps. */
  stage(buffers: readonly { readonly buffer: GpuBuffer; readonly bytes: number }[]): GpuBuffer {
    const total = buffers.reduce((sum, { bytes }) => sum + bytes, 0);
    const size = bytesOf(total);
    const kept = this.#read.findIndex((buffer) => buffer.size === size);
    const staging =
      kept < 0
        ? this.buffer(total, GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST)
        : this.#read.splice(kept, 1)[0];
    let at = 0;
    const commands = buffers.map(({ buffer, bytes }): GpuCommand => {
      at += bytes;
      return makeCopyCommand(buffer, staging, bytes, 0, at - bytes);
    });
    submit(this.open.device, commands);
    return staging;
  }

  /** Maps a buffer of {@link stage} while `use` reads it. The buffer serves the next stage of its size. */
  async read<T>(staging: GpuBuffer, use: (mapped: ArrayBuffer) => T): Promise<T> {
    await staging.mapAsync(GPUMapMode.READ);
    const found = use(staging.getMappedRange());
    staging.unmap();
    this.#read.push(staging);
    return found;
  }

  /** Waits for the submitted work. @returns its seconds of device time; undefined if the device has no clock. */
  async seconds(): Promise<number | undefined> {
    const told = await this.#stamps?.read();
    return told?.reduce<number>((sum, seconds = 0) => sum + seconds, 0);
  }

  close(): void {
    for (const buffer of [...this.#written, ...this.#read]) buffer.destroy();
    this.#stamps?.destroy();
  }
}

/** Returns the size of a buffer for so many bytes. */
const bytesOf = (bytes: number): number => Math.max(16, alignUp(bytes, 16));
