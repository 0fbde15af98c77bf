import { navigatorHere } from '../base/navigator.ts';
import { assumed } from '../precision/arithmetic.ts';
import type { Fingerprint, Machine } from './device.ts';
import type { ProbeAnswer } from './probe/question.ts';
import type { GpuLimits } from './web-gpu.ts';

/** The information that an adapter gives about itself. */
interface Saying {
  readonly info: {
    readonly vendor: string;
    readonly architecture: string;
    readonly device: string;
    readonly description: string;
    readonly isFallbackAdapter: boolean;
  };
  readonly features: Iterable<string>;
}

/** The implementation's information about an adapter beyond its `GPUAdapterInfo`. */
export interface AdapterProvenance
  extends Pick<Fingerprint, 'kind' | 'name' | 'backend' | 'dawn' | 'toggles'> {
  /** The package of a bundled driver: the driver's own version may stay the same across releases. */
  readonly origin: string | undefined;
  /** A hash that identifies an adapter whose device is hidden: {@link identifyByMeasurement}. */
  readonly measured: string | undefined;
}

/** True if WebGPU hides the device and its driver, as in browsers. */
export const isHidden = ({ info: { device, description } }: Pick<Saying, 'info'>): boolean =>
  device === '' && description === '';

/** Builds an adapter's fingerprint from the information that WebGPU and the loader give. */
export function fingerprint(adapter: Saying, known: Partial<AdapterProvenance>): Fingerprint {
  const { vendor, architecture, device, description, isFallbackAdapter } = adapter.info;
  const { origin, measured } = known;
  const told = origin === undefined ? description : `${description} (${origin})`.trim();
  const made = [vendor, architecture].filter((word) => word !== '').join(' ');
  const parts = {
    kind: known.kind ?? (isFallbackAdapter ? 'software' : 'hardware'),
    name: known.name ?? (description || device || made || 'unnamed'),
    vendor,
    architecture,
    device,
    driver: measured === undefined ? told : `${told} measured as ${measured}`.trim(),
    backend: known.backend ?? 'browser',
    dawn: known.dawn ?? implementationHere() ?? 'browser',
    features: [...adapter.features].sort(),
    toggles: [...(known.toggles ?? [])].sort(),
  } as const;
  return addId(parts);
}

/** Identifies an adapter that hides its device: eight hexadecimal digits of its limits and its probe answers. */
export function identifyByMeasurement(answers: readonly ProbeAnswer[], limits: GpuLimits): string {
  const all = Object.entries(listLimits(limits)).sort(([one], [other]) => (one < other ? -1 : 1));
  return hex(fnv1a(JSON.stringify([answers.map(({ id, answer }) => [id, answer]), all])));
}

/** Returns the limits by name. They are getters of a prototype. */
export function listLimits(limits: GpuLimits): Record<string, number> {
  const all = new Map<string, number>();
  for (const name in limits) {
    const value = limits[name as keyof GpuLimits];
    if (typeof value === 'number') all.set(name, value);
  }
  return Object.fromEntries(all);
}

/** Adds the id, which follows from all fields that decide results. */
export function addId(parts: Omit<Fingerprint, 'id'>): Fingerprint {
  return { id: slug(parts), ...parts };
}

/** Returns the machine of kernels that need no WebGPU adapter. */
export const processorMachine = (
  name: string,
  { architecture, device, driver, dawn }: Pick<Fingerprint, 'architecture' | 'device' | 'driver' | 'dawn'>,
): Machine => ({
  fingerprint: addId({
    ...{ kind: 'hardware', name, vendor: '', architecture, device, driver },
    ...{ backend: 'processor', dawn, features: [], toggles: [] },
  }),
  arithmetic: assumed,
  chosenBecause: 'no kernel of this run needs a WebGPU adapter',
  close: () => {},
});

// "swiftshader-vulkan-webgpu0.6.2-1a2b3c4d": first readable, then a hash of all fields that decide results. Features are left out: they
// follow from the other fields.
function slug({ kind, features, ...decisive }: Omit<Fingerprint, 'id'>): string {
  const { name, backend, dawn } = decisive;
  const model = name.replace(/ *\(.*| device\b.*/gi, '');
  const readable = [model, backend, dawn.replace(' ', '').replace(')', '')].map(word).join('-');
  return `${readable}-${hex(fnv1a(JSON.stringify(Object.values(decisive))))}`;
}

const hex = (value: number): string => value.toString(16).padStart(8, '0');

function word(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9.]+/g, '_');
}

/** Returns the 32-bit FNV-1a hash of a string's UTF-16 units. */
export function fnv1a(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}

/** A runtime that has WebGPU, with the library that implements it. */
interface Implementation {
  readonly name: string;
  /** A pattern of the runtime's user agent; its group is the version. */
  readonly says: RegExp;
  readonly by: string;
}

/** Runtimes whose user agent also names another runtime come first. */
const implementations: readonly Implementation[] = [
  { name: 'deno', says: /^Deno\/([\d.]+)/, by: 'wgpu' },
  { name: 'firefox', says: /\bFirefox\/(\d+)/, by: 'wgpu' },
  { name: 'edge', says: /\bEdg\/(\d+)/, by: 'Dawn' },
  { name: 'chromium', says: /\b(?:Headless)?Chrome\/(\d+)/, by: 'Dawn' },
  { name: 'safari', says: /\bVersion\/(\d+).*\bSafari\//, by: 'WebKit' },
];

/** Returns the implementation of WebGPU of a runtime, by its user agent: "firefox 153 (wgpu)"; undefined if unknown. */
export function implementationOf(userAgent: string | undefined): string | undefined {
  for (const { name, says, by } of implementations) {
    const version = says.exec(userAgent ?? '')?.[1];
    if (version !== undefined) return `${name} ${version} (${by})`;
  }
  return undefined;
}

/** Returns {@link implementationOf} the current runtime. */
export const implementationHere = (): string | undefined => implementationOf(navigatorHere().userAgent);
