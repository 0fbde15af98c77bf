import { navigatorHere } from '../base/navigator.ts';
import type { OpenDevice } from './device.ts';
import { noAdapter } from './messages.ts';
import { type OpenOptions, openAdapter } from './open.ts';
import type { Gpu } from './web-gpu.ts';

/**
 * Opens the device that the runtime offers a page or a worker: `navigator.gpu`'s, the fast one where there are two.
 * @throws ParanoiaError `no-adapter` where it has no WebGPU, or WebGPU no adapter; `device-refused`, `computes-nothing`
 */
export async function openOwnDevice(options: OpenOptions = {}): Promise<OpenDevice> {
  const { gpu } = navigatorHere() as { gpu?: Gpu };
  if (gpu === undefined) throw noAdapter({ found: [], notes: [WITHOUT] });
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  return openAdapter(adapter, { chosenBecause: 'WebGPU offers it', ...options });
}

/** Browsers hide it from pages that others could have changed on their way. */
const WITHOUT =
  'navigator.gpu is not there: open the page in a browser with WebGPU, over https or from localhost; in Node, give a device of openNodeDevice';
