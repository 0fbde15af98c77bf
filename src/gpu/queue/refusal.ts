import type { OpenDevice } from '../device.ts';
import type { ShaderEntryPoint } from './pipelines.ts';

/**
 * Returns a device's error about the pipeline of a shader that compiles, such as an exceeded limit; undefined if the device makes the
 * pipeline.
 */
export async function pipelineRefusal(
  { device }: OpenDevice,
  code: string,
  { entryPoint, label }: Pick<ShaderEntryPoint, 'entryPoint'> & { readonly label: string },
): Promise<string | undefined> {
  device.pushErrorScope('validation');
  try {
    const module = device.createShaderModule({ code, label });
    await device.createComputePipelineAsync({ layout: 'auto', compute: { module, entryPoint }, label });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await device.popErrorScope();
  }
}
