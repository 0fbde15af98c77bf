import { fnv1a } from '../gpu/fingerprint.ts';
import type { Entry, KernelRecord, Statement } from './entry.ts';

/** What a kernel computed on. */
export interface Place {
  readonly device: string;
  readonly driver: string;
  /** What stands between kernel and device: Dawn, a browser, a runtime on the processor. */
  readonly implementation: string;
}

/** Of what nobody says. */
export const UNSAID = 'not said';

/**
 * Where a kernel of a run computed. A program that has a device of its own, as PyTorch on a GPU, says so among its versions;
 * others use that of the run.
 */
export function placeOf(
  { adapter, said = {} }: Pick<Statement, 'adapter' | 'said'>,
  { versions = {} }: Pick<KernelRecord, 'versions'> = {},
): Place {
  const { backend, dawn } = adapter;
  const own = versions.device;
  if (own !== undefined) {
    const runtime = versions.CUDA === undefined ? 'its own' : `CUDA ${versions.CUDA}`;
    return {
      ...{ device: own, driver: said.driver ?? UNSAID },
      implementation: said.implementation ?? runtime,
    };
  }
  const isKnown = !['processor', 'browser'].includes(backend);
  return {
    device: said.device ?? deviceName(adapter),
    driver: said.driver ?? (adapter.driver.trim() || UNSAID),
    implementation: said.implementation ?? [inWords(dawn), ...(isKnown ? [backend] : [])].join(', '),
  };
}

/** Browsers name no device, but for its maker and architecture. */
function deviceName({ name, vendor, architecture }: Entry['adapter']): string {
  const isBare = ['', 'unnamed', vendor].includes(name.trim());
  return isBare ? [vendor, architecture].filter((part) => part !== '').join(' ') || UNSAID : name.trim();
}

/** "webgpu 0.6.2", which is Dawn as npm has it. */
const inWords = (dawn: string): string => dawn.replace(/^webgpu (?=\d)/, 'Dawn for Node ');

const LONGEST = 60;

/**
 * A name for files and fragments that follows from what it names alone, so that links outlive rebuilds: readable first, then a
 * hash of all of it.
 */
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

/** Names of devices that differ in marks and spaces alone are one: "Intel(R) Xeon(R)  CPU". */
export const deviceKey = (device: string): string =>
  device
    .replace(/\((r|tm|c)\)/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
