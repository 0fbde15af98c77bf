import type { OpenDevice } from '../device.ts';
import { noAdapter } from '../messages.ts';
import { openAdapter } from '../open.ts';
import { readTuning } from '../tuning/node/tuning-file.ts';
import { type FoundAdapter, type FoundAdapters, findAdapters } from './adapters.ts';
import { dawnVersion } from './dawn-version.ts';

export interface OpenNodeOptions {
  /** 'hardware', 'software', or part of an adapter's name. @defaultValue hardware if there is any */
  readonly adapter?: string | undefined;
  /** Dawn toggles to enable, such as `vulkan_enable_f16_on_nvidia`. */
  readonly toggles?: readonly string[] | undefined;
}

export interface AdapterChoice {
  readonly adapter: FoundAdapter;
  readonly because: string;
}

/**
 * Opens a GPU device in Node: the requested adapter, otherwise hardware, otherwise software.
 * @throws ParanoiaError no-adapter if the machine has no such adapter, device-refused if the adapter gives no device.
 */
export async function openNodeDevice(options: OpenNodeOptions = {}): Promise<OpenDevice> {
  return openChoice(chooseAdapter(await findAdapters(), options.adapter), options.toggles);
}

export async function openChoice(
  { adapter, because }: AdapterChoice,
  toggles: readonly string[] = [],
): Promise<OpenDevice> {
  const { kind, name, backend, origin } = adapter;
  const open = await openAdapter(await adapter.request(toggles), {
    kind,
    name,
    backend,
    dawn: dawnVersion(),
    toggles,
    origin,
    chosenBecause: because,
  });
  const { tuning = open.tuning, note } = readTuning(open.fingerprint);
  return { ...open, tuning, tuningNote: note };
}

/**
 * Chooses the first of the found adapters that fits the request.
 * @throws ParanoiaError no-adapter if none fits.
 */
export function chooseAdapter({ adapters, notes }: FoundAdapters, wanted?: string): AdapterChoice {
  const first = (test: (a: FoundAdapter) => boolean): FoundAdapter | undefined => adapters.find(test);
  if (wanted === 'hardware' || wanted === 'software') {
    const adapter = first(({ kind }) => kind === wanted);
    if (adapter !== undefined) return { adapter, because: `${wanted} was requested` };
  } else if (wanted !== undefined) {
    const adapter = first(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
    if (adapter !== undefined) return { adapter, because: `"${wanted}" was requested` };
  } else {
    const hardware = first(({ kind }) => kind === 'hardware');
    if (hardware !== undefined) return { adapter: hardware, because: 'it is the hardware adapter' };
    const software = first(({ kind }) => kind === 'software');
    if (software !== undefined) {
      const why = notes.length > 0 ? ` (${notes.join('; ')})` : '';
      return { adapter: software, because: `no hardware adapter was found${why}` };
    }
  }
  const found = adapters.map(({ name }) => name);
  throw noAdapter({ wanted, found, notes });
}
