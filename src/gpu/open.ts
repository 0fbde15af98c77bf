import { measureArithmetic } from './arithmetic.ts';
import type { OpenDevice } from './device.ts';
import { fingerprint, type Provenance } from './fingerprint.ts';
import { deviceRefused, noAdapter } from './messages.ts';
import { subgroupSize } from './queue/subgroup-size.ts';
import { rememberAdapter } from './subgroup-matrix-configs.ts';
import { builtInTuning } from './tuning/tables.ts';
import type { GpuAdapter, GpuDevice } from './web-gpu.ts';

/** What the loader knows about an adapter and WebGPU does not say. */
export interface OpenOptions extends Partial<Provenance> {
  /** Why this adapter was chosen, for a person. */
  readonly chosenBecause?: string;
}

/**
 * Opens an adapter with all its limits and features, and measures its arithmetic. Runs in a browser too:
 * `openAdapter(await navigator.gpu.requestAdapter())`.
 * @throws ParanoiaError no-adapter when there is none, device-refused when it gives no device, computes-nothing
 * for a null backend.
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
 * Takes a device that others opened, and measures its arithmetic. Closing it leaves it open.
 * @throws ParanoiaError `computes-nothing`
 */
export function openGiven(device: GpuDevice, options: OpenOptions = {}): Promise<OpenDevice> {
  return opened(device, { info: device.adapterInfo, features: device.features }, options);
}

async function opened(
  device: GpuDevice,
  adapter: Pick<GpuAdapter, 'info' | 'features'>,
  options: OpenOptions,
): Promise<OpenDevice> {
  rememberAdapter(device, adapter.info);
  let lost: string | undefined;
  device.lost.then(({ reason, message }) => {
    lost = message === '' ? reason : message;
  });
  const watched = { device, lostReason: () => lost };
  const known = fingerprint(adapter, options);
  const able = { limits: device.limits, subgroup: subgroupSize(device, adapter.info) };
  return {
    ...watched,
    ...able,
    fingerprint: known,
    tuning: builtInTuning(known, able),
    arithmetic: await measureArithmetic(watched),
    chosenBecause: options.chosenBecause ?? 'it was given',
    close: () => {},
  };
}

async function requestDevice(adapter: GPUAdapter, name: string): Promise<GPUDevice> {
  try {
    return await adapter.requestDevice({
      requiredFeatures: [...adapter.features] as GPUFeatureName[],
      requiredLimits: allLimits(adapter.limits),
    });
  } catch (error) {
    throw deviceRefused({ name, why: (error as Error).message }, error);
  }
}

// The limits are getters of a prototype.
function allLimits(limits: GPUSupportedLimits): Record<string, number> {
  const all: Record<string, number> = {};
  for (const name in limits) {
    const value = limits[name as keyof GPUSupportedLimits];
    if (typeof value === 'number') all[name] = value;
  }
  return all;
}
