import { noAdapter } from '../../gpu/messages.ts';
import { bundledSwiftShader } from '../../gpu/node/swiftshader.ts';
import { hasVulkanDriver } from '../../gpu/node/vulkan.ts';
import type { Task } from '../task.ts';
import type { Runtime, StartOptions } from './runtime.ts';

/**
 * What a runtime is to compute with in software, where that is asked for, or nothing else is there: on Linux without a driver of
 * Vulkan. Undefined where it is to choose.
 * @throws ParanoiaError `no-adapter` where software is asked for and there is none
 */
export function softwareFor(runtime: Runtime, wanted: Task['adapter']): StartOptions['software'] {
  const isAlone = wanted === undefined && process.platform === 'linux' && !hasVulkanDriver();
  if (wanted !== 'software' && !isAlone) return undefined;
  if (runtime.bringsSoftware) return 'own';
  const notes: string[] = [];
  const driver = bundledSwiftShader((why) => notes.push(why));
  if (driver === undefined && wanted === 'software') throw noAdapter({ wanted, found: [], notes });
  return driver;
}
