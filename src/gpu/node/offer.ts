import { findAdapters } from './adapters.ts';
import { createGpu } from './dawn.ts';
import { chooseAdapter, type OpenNodeOptions } from './open.ts';

/** What a library that computes on `navigator.gpu` did wrong on the devices that it opened. */
export interface Offered {
  /** What its devices have reported since this was last asked: validation errors, lost devices. */
  takeErrors(): readonly string[];
}

let offered: Promise<Offered> | undefined;

/**
 * Gives libraries that look for `navigator.gpu` the adapter asked for, with its full name and Dawn's globals. Once for a
 * process: whoever asks again gets what there is, on the first one's adapter. Import such libraries afterwards.
 * @throws ParanoiaError no-adapter
 */
export function offerGpu(options: OpenNodeOptions = {}): Promise<Offered> {
  offered ??= offer(options);
  return offered;
}

async function offer({ adapter: wanted, toggles = [] }: OpenNodeOptions): Promise<Offered> {
  const { adapter } = chooseAdapter(await findAdapters(), wanted);
  const { wgslLanguageFeatures } = createGpu([]);
  acceptSharedMemory();
  const errors: string[] = [];
  setNavigator({
    wgslLanguageFeatures,
    getPreferredCanvasFormat: () => 'bgra8unorm',
    async requestAdapter() {
      const found = await adapter.request(toggles);
      if (found !== null) watch(found, (error) => errors.push(error));
      return found;
    },
  });
  return { takeErrors: () => errors.splice(0) };
}

/** Node has no navigator before version 21, and a read-only one from then on; libraries ask it who it is, too. */
function setNavigator(gpu: Omit<GPU, '__brand'>): void {
  const { navigator = { userAgent: `Node.js/${process.versions.node.split('.')[0]}` } } = globalThis as {
    navigator?: object;
  };
  Object.defineProperty(navigator, 'gpu', { value: gpu, configurable: true });
  Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true, writable: true });
}

/** Hears what the adapter's device reports: Dawn only prints what nobody listens to. */
function watch(adapter: GPUAdapter, report: (error: string) => void): void {
  const request = adapter.requestDevice.bind(adapter);
  adapter.requestDevice = async (descriptor) => {
    const device = await request(descriptor);
    device.addEventListener('uncapturederror', (event) => {
      event.preventDefault();
      report(event.error.message);
    });
    device.lost.then(({ reason, message }) => {
      if (reason !== 'destroyed') report(`the device was lost: ${message}`);
    });
    return device;
  };
}

/** `writeBuffer` takes shared memory by its specification, and WebAssembly threads give it that; Dawn for Node does not. */
function acceptSharedMemory(): void {
  const { prototype } = (globalThis as unknown as { GPUQueue: { prototype: Pick<GPUQueue, 'writeBuffer'> } })
    .GPUQueue;
  const write = prototype.writeBuffer;
  prototype.writeBuffer = function (this: GPUQueue, buffer, offset, data, from = 0, size?: number) {
    const bytes = sharedBytes(data);
    if (bytes === undefined) return write.call(this, buffer, offset, data, from, size);
    return write.call(this, buffer, offset, bytes.slice(from, size === undefined ? undefined : from + size));
  };
}

/** Shared memory as bytes, in which `writeBuffer` then counts too. */
function sharedBytes(data: unknown): Uint8Array | undefined {
  if (typeof SharedArrayBuffer === 'undefined') return undefined;
  if (data instanceof SharedArrayBuffer) return new Uint8Array(data);
  return data instanceof Uint8Array && data.buffer instanceof SharedArrayBuffer ? data : undefined;
}
