import { noAdapter } from '../../gpu/messages.ts';
import { bundledSwiftShader } from '../../gpu/node/swiftshader.ts';
import { hasVulkanDriver } from '../../gpu/node/vulkan.ts';
import type { RuntimeTask } from '../task.ts';
import type { Runtime, StartOptions } from './runtime.ts';

/**
 * The software driver of a runtime, if software is requested, or on Linux without a Vulkan driver; undefined if the runtime is to choose.
 * @throws ParanoiaError `no-adapter` if software is requested and there is none
 */
export function softwareFor(runtime: Runtime, wanted: RuntimeTask['adapter']): StartOptions['software'] {
  const isAlone = wanted === undefined && process.platform === 'linux' && !hasVulkanDriver();
  if (wanted !== 'software' && !isAlone) return undefined;
  if (runtime.bringsSoftware) return 'own';
  const notes: string[] = [];
  const driver = bundledSwiftShader((why) => notes.push(why));
  if (driver === undefined && wanted === 'software') throw noAdapter({ wanted, found: [], notes });
  return driver;
}
