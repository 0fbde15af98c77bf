import { fnv1a } from '../gpu/fingerprint.ts';
import type { AtlasEntry, EntryStatement, KernelRecord } from './entry.ts';

/** The device that a kernel computed on, with its driver and implementation. */
export interface Platform {
  readonly device: string;
  readonly driver: string;
  /** The layer between kernel and device: Dawn, a browser, a runtime on the processor. */
  readonly implementation: string;
}

/** The text for unknown parts. */
const UNSAID = 'not said';

/**
 * Finds the place of a kernel of a run. A program that has a device of its own, as PyTorch on a GPU, names it among its versions;
 * others use the run's device.
 */
export function findPlatform(
  { adapter, description = {} }: Pick<EntryStatement, 'adapter' | 'description'>,
  { versions = {} }: Pick<KernelRecord, 'versions'> = {},
): Platform {
  const { backend, dawn } = adapter;
  const own = versions.device;
  if (own !== undefined) {
    const runtime = versions.CUDA === undefined ? 'its own' : `CUDA ${versions.CUDA}`;
    return {
      ...{ device: own, driver: description.driver ?? UNSAID },
      implementation: description.implementation ?? runtime,
    };
  }
  const isKnown = !['processor', 'browser'].includes(backend);
  return {
    device: description.device ?? deviceName(adapter),
    driver: description.driver ?? (adapter.driver.trim() || UNSAID),
    implementation: description.implementation ?? [inWords(dawn), ...(isKnown ? [backend] : [])].join(', '),
  };
}

/** Names a device; browsers report only its vendor and architecture. */
function deviceName({ name, vendor, architecture }: AtlasEntry['adapter']): string {
  const isBare = ['', 'unnamed', vendor].includes(name.trim());
  return isBare ? [vendor, architecture].filter((part) => part !== '').join(' ') || UNSAID : name.trim();
}

/** Spells out "webgpu 0.6.2", which is Dawn's package for Node. */
const inWords = (dawn: string): string => dawn.replace(/^webgpu (?=\d)/, 'Dawn for Node ');

const LONGEST = 60;

/** Makes a name for files and fragments from its parts alone, so that links outlive rebuilds: a readable part, then a hash. */
export function slugOf(...parts: readonly string[]): string {
  const readable = parts
    .map((part) =>
      part
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, ''),
    )
    .filter((part) => part !== '')
    .join('-')
    .slice(0, LONGEST)
    .replace(/-$/, '');
  const hash = fnv1a(JSON.stringify(parts)).toString(16).padStart(8, '0');
  return readable === '' ? hash : `${readable}-${hash}`;
}

/** Returns the key of a device's name: names that differ only in marks and spaces are equal, as "Intel(R) Xeon(R)  CPU". */
export const deviceKey = (device: string): string =>
  device
    .replace(/\((r|tm|c)\)/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
