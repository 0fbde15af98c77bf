import type { Fingerprint } from './device.ts';
import type { GpuAdapter } from './web-gpu.ts';

/** What the implementation says about an adapter beside its `GPUAdapterInfo`. */
export interface Provenance extends Pick<Fingerprint, 'kind' | 'name' | 'backend' | 'dawn' | 'toggles'> {
  /** The package of a driver that came with one: its own version may stand still. */
  readonly origin: string | undefined;
}

/** Says what an adapter is, as far as WebGPU and the loader know. */
export function fingerprint(
  adapter: Pick<GpuAdapter, 'info' | 'features'>,
  known: Partial<Provenance>,
): Fingerprint {
  const { vendor, architecture, device, description, isFallbackAdapter } = adapter.info;
  const parts = {
    kind: known.kind ?? (isFallbackAdapter ? 'software' : 'hardware'),
    name: known.name ?? (description || device || vendor || 'unnamed'),
    vendor,
    architecture,
    device,
    driver: known.origin === undefined ? description : `${description} (${known.origin})`,
    backend: known.backend ?? 'browser',
    dawn: known.dawn ?? 'browser',
    features: [...adapter.features].sort(),
    toggles: [...(known.toggles ?? [])].sort(),
  } as const;
  return identified(parts);
}

/** Adds the id that follows from all that decides results. */
export function identified(parts: Omit<Fingerprint, 'id'>): Fingerprint {
  return { id: slug(parts), ...parts };
}

// "swiftshader-vulkan-webgpu0.6.2-1a2b3c4d": readable first, then a hash of all that decides results. The
// features are left out: they follow from the rest.
function slug({ kind, features, ...decisive }: Omit<Fingerprint, 'id'>): string {
  const { name, backend, dawn } = decisive;
  const model = name.replace(/ *\(.*| device\b.*/gi, '');
  const readable = [model, backend, dawn.replace(' ', '')].map(word).join('-');
  return `${readable}-${fnv1a(JSON.stringify(Object.values(decisive)))
    .toString(16)
    .padStart(8, '0')}`;
}

function word(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9.]+/g, '_');
}

/** FNV-1a, 32 bits, of a string's UTF-16 units. */
export function fnv1a(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}
