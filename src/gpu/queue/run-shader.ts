import { openBuffers } from './buffers.ts';
import { type CurrentWork, type ErrorSource, readMapped, withScopes } from './errors.ts';
import { pipelineOf } from './pipelines.ts';
import { bindGroup, makeCopyCommand, submit } from './submit.ts';

export interface ShaderRun {
  /** The WGSL, which reads binding 0 and writes binding 1. */
  readonly shader: string;
  readonly input: Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;
  /** The bytes that the shader writes. */
  readonly bytes: number;
  readonly workgroups: number;
}

/** Runs a shader on an input and returns its output. @throws ParanoiaError bad-shader, and others that the device reports. */
export async function runShader(
  open: ErrorSource,
  { shader, input, bytes, workgroups }: ShaderRun,
  running: CurrentWork,
): Promise<ArrayBuffer> {
  const { device } = open;
  const pipeline = await pipelineOf(open, shader, running);
  const buffers = openBuffers(device, running);
  const { STORAGE, COPY_DST, COPY_SRC, MAP_READ } = GPUBufferUsage;
  try {
    const staging = await withScopes(open, running, () => {
      const read = buffers.create(input.byteLength, STORAGE | COPY_DST);
      const written = buffers.create(bytes, STORAGE | COPY_SRC);
      const staging = buffers.create(bytes, MAP_READ | COPY_DST);
      device.queue.writeBuffer(read, 0, input);
      const group = bindGroup(device, pipeline, [{ buffer: read }, { buffer: written }]);
      submit(device, [{ pipeline, group, workgroups: [workgroups] }, makeCopyCommand(written, staging)]);
      return staging;
    });
    return await readMapped(open, staging, running);
  } finally {
    buffers.destroy();
  }
}
