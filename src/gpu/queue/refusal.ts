import type { OpenDevice } from '../device.ts';
import type { Entry } from './pipelines.ts';

/** What a device says against the pipeline of a shader that compiles: of limits that it exceeds, say. Undefined where it makes one. */
export async function pipelineRefusal(
  { device }: OpenDevice,
  code: string,
  { entryPoint, label }: Pick<Entry, 'entryPoint'> & { readonly label: string },
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
