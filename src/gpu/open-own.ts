import { navigatorHere } from '../base/navigator.ts';
import type { OpenDevice } from './device.ts';
import { noAdapter } from './messages.ts';
import { type OpenOptions, openAdapter } from './open.ts';
import type { Gpu } from './web-gpu.ts';

/**
 * Opens the device of a page's or worker's `navigator.gpu`, preferring the high-performance adapter.
 * @throws ParanoiaError `no-adapter` if there is no WebGPU or no adapter; `device-refused`, `computes-nothing`
 */
export async function openOwnDevice(options: OpenOptions = {}): Promise<OpenDevice> {
  const { gpu } = navigatorHere() as { gpu?: Gpu };
  if (gpu === undefined) throw noAdapter({ found: [], notes: [WITHOUT] });
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  return openAdapter(adapter, { chosenBecause: 'WebGPU offers it', ...options });
}

/** Browsers hide `navigator.gpu` from pages of insecure origins. */
const WITHOUT =
  'navigator.gpu is missing: open the page in a browser with WebGPU, over https or from localhost; in Node, give a device of openNodeDevice';
