import type { GpuAdapter } from '../web-gpu.ts';
import { createGpu, flagsFor, type ListedAdapter, listAdapters } from './dawn.ts';
import { bundledSwiftShader, type SoftwareDriver } from './swiftshader.ts';
import { hasVulkanDriver, loadVulkan, withDriver } from './vulkan.ts';

/** An adapter of this machine that can be opened. */
export interface FoundAdapter extends ListedAdapter {
  readonly kind: 'hardware' | 'software';
  readonly source: 'system' | 'bundled';
  /** The package of a bundled driver, with its version. */
  readonly origin?: string;
  request(toggles: readonly string[]): Promise<GpuAdapter | null>;
}

/** The machine's adapters, and notes that explain why others are missing. */
export interface FoundAdapters {
  readonly adapters: readonly FoundAdapter[];
  readonly notes: readonly string[];
}

// Drivers that compute on the CPU, whatever their interface.
const ON_CPU = /llvmpipe|lavapipe|softpipe|swiftshader|microsoft basic render|\bwarp\b/i;

/**
 * A toggle that leaves zeroing to Dawn. SwiftShader compiles the zero initialization of workgroup memory into one store an entry, which
 * took longer to compile than the rest of most shaders. Dawn's own loop of zeros does not.
 */
const ZEROS_BY_DAWN = 'disable-dawn-features=use_vulkan_zero_initialize_workgroup_memory_extension';

// Vulkan lists its software adapters among the others; D3D12 and Metal only when forced.
const LISTINGS = process.platform === 'linux' ? [{}] : [{}, { forceFallbackAdapter: true }];

/** Finds the adapters of the system's drivers, and the bundled software adapter. */
export async function findAdapters(): Promise<FoundAdapters> {
  const notes: string[] = [];
  const driver = bundledSwiftShader((why) => notes.push(why));
  const adapters = [...(await systemAdapters(driver, notes)), ...(await bundledAdapters(driver, notes))];
  // A problem that both searches report is told once.
  return { adapters, notes: [...new Set(notes)] };
}

async function systemAdapters(driver: SoftwareDriver | undefined, notes: string[]): Promise<FoundAdapter[]> {
  if (process.platform === 'linux') {
    if (!hasVulkanDriver()) {
      notes.push('no Vulkan driver is listed in vulkan/icd.d');
      return [];
    }
    const missing = loadVulkan(driver?.loader);
    if (missing !== undefined) {
      notes.push(missing);
      return [];
    }
  }
  const found: FoundAdapter[] = [];
  for (const options of LISTINGS) {
    for (const adapter of await listAdapters(options)) {
      const known = found.some(({ name, backend }) => name === adapter.name && backend === adapter.backend);
      if (known) continue;
      found.push({
        ...adapter,
        kind: ON_CPU.test(adapter.name) ? 'software' : 'hardware',
        source: 'system',
        request: (toggles) => createGpu(flagsFor(adapter, toggles)).requestAdapter(options),
      });
    }
  }
  if (found.length === 0) notes.push("Dawn accepts none of the system's GPU drivers");
  return found;
}

async function bundledAdapters(driver: SoftwareDriver | undefined, notes: string[]): Promise<FoundAdapter[]> {
  if (driver === undefined) return [];
  const missing = loadVulkan(driver.loader);
  if (missing !== undefined) {
    notes.push(missing);
    return [];
  }
  const listed = await withDriver(driver, () => listAdapters());
  if (listed.length === 0) notes.push('Dawn does not accept the bundled SwiftShader');
  return listed.map((adapter) => ({
    ...adapter,
    kind: 'software',
    source: 'bundled',
    origin: driver.origin,
    request: (toggles) =>
      withDriver(driver, () => createGpu([...flagsFor(adapter, toggles), ZEROS_BY_DAWN]).requestAdapter()),
  }));
}
