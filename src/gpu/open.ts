import { navigatorHere } from '../base/navigator.ts';
import { measureArithmetic } from './arithmetic.ts';
import type { OpenDevice } from './device.ts';
import {
  type AdapterProvenance,
  fingerprint,
  identifyByMeasurement,
  isHidden,
  listLimits,
} from './fingerprint.ts';
import { deviceRefused, noAdapter } from './messages.ts';
import { rememberAdapter } from './subgroup-matrix-configs.ts';
import { builtInTuning } from './tuning/tables.ts';
import type { Gpu, GpuAdapter, GpuDevice } from './web-gpu.ts';

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

/** The loader's information about an adapter that WebGPU does not give. */
export interface OpenOptions extends Partial<AdapterProvenance> {
  /** The reason for choosing this adapter, for a person. */
  readonly chosenBecause?: string;
}

/**
 * Opens an adapter with all its limits and features, and measures its arithmetic. Runs in a browser too: `openAdapter(await
 * navigator.gpu.requestAdapter())`.
 * @throws ParanoiaError no-adapter if there is none, device-refused if it gives no device, computes-nothing for a null backend.
 */
export async function openAdapter(
  adapter: GpuAdapter | null | undefined,
  options: OpenOptions = {},
): Promise<OpenDevice> {
  if (adapter === null || adapter === undefined)
    throw noAdapter({ found: [], notes: ['WebGPU offers none'] });
  const device = await requestDevice(adapter, options.name ?? adapter.info.device);
  try {
    return { ...(await opened(device, adapter, options)), close: () => device.destroy() };
  } catch (error) {
    device.destroy();
    throw error;
  }
}

/**
 * Wraps a device that the caller opened, and measures its arithmetic. Closing the result leaves the device open.
 * @throws ParanoiaError `computes-nothing`
 */
export function openOwned(device: GpuDevice): Promise<OpenDevice> {
  return opened(device, { info: device.adapterInfo, features: device.features });
}

async function opened(
  device: GpuDevice,
  adapter: Pick<GpuAdapter, 'info' | 'features'>,
  options: OpenOptions = {},
): Promise<OpenDevice> {
  rememberAdapter(device, adapter.info);
  let lost: string | undefined;
  device.lost.then(({ reason, message }) => {
    lost = message === '' ? reason : message;
  });
  const watched = { device, lostReason: () => lost };
  const able = { limits: device.limits, subgroup: subgroupSize(device, adapter.info) };
  const open = {
    ...{ ...watched, ...able },
    fingerprint: fingerprint(adapter, options),
    arithmetic: await measureArithmetic(watched),
    chosenBecause: options.chosenBecause ?? 'it was given',
    close: () => {},
  };
  const whole = isHidden(adapter) ? { ...open, ...(await measured(open, adapter, options)) } : open;
  return { ...whole, tuning: builtInTuning(whole.fingerprint, able) };
}

/** Measures an adapter that hides its device, to identify it. @throws ParanoiaError as the probe does */
async function measured(
  open: OpenDevice,
  adapter: Pick<GpuAdapter, 'info' | 'features'>,
  options: OpenOptions,
): Promise<Pick<OpenDevice, 'fingerprint' | 'probe'>> {
  // Loaded lazily: the probe is large, and few adapters need it here.
  const { probeDevice } = await import('./probe/probe.ts');
  const probe = await probeDevice(open);
  return {
    probe,
    fingerprint: fingerprint(adapter, { ...options, measured: identifyByMeasurement(probe, open.limits) }),
  };
}

async function requestDevice(adapter: GPUAdapter, name: string): Promise<GPUDevice> {
  try {
    return await adapter.requestDevice({
      requiredFeatures: [...adapter.features] as GPUFeatureName[],
      requiredLimits: listLimits(adapter.limits),
    });
  } catch (error) {
    throw deviceRefused({ name, why: (error as Error).message }, error);
  }
}

/** Members that WebGPU's types lack so far. */
interface SubgroupInfo {
  readonly subgroupMinSize?: number;
  readonly subgroupMaxSize?: number;
}

/** Returns the size of every subgroup of a device, in invocations. Undefined if shaders may not use subgroups, or sizes differ. */
function subgroupSize(
  { features }: Pick<GPUDevice, 'features'>,
  { subgroupMinSize, subgroupMaxSize }: SubgroupInfo,
): number | undefined {
  if (!features.has('subgroups')) return undefined;
  return subgroupMinSize === subgroupMaxSize ? subgroupMaxSize : undefined;
}
