import { findAdapters } from './adapters.ts';
import { createGpu } from './dawn.ts';
import { chooseAdapter, type OpenNodeOptions } from './open.ts';

/** The errors that a library caused on the devices it opened through `navigator.gpu`. */
export interface OfferedGpu {
  /** Returns the errors that its devices have reported since the last call: validation errors, lost devices. */
  takeErrors(): readonly string[];
}

let offered: Promise<OfferedGpu> | undefined;

/**
 * Gives libraries that use `navigator.gpu` the requested adapter, with its full name and Dawn's globals. This happens once a process: later
 * calls return the first call's adapter. Import such libraries afterwards.
 * @throws ParanoiaError no-adapter
 */
export function offerGpu(options: OpenNodeOptions = {}): Promise<OfferedGpu> {
  offered ??= offer(options);
  return offered;
}

async function offer({ adapter: wanted, toggles = [] }: OpenNodeOptions): Promise<OfferedGpu> {
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

/** Sets `navigator.gpu`. Node has no navigator before version 21, and a read-only one from then on. Libraries also read its user agent. */
function setNavigator(gpu: Omit<GPU, '__brand'>): void {
  const { navigator = { userAgent: `Node.js/${process.versions.node.split('.')[0]}` } } = globalThis as {
    navigator?: object;
  };
  Object.defineProperty(navigator, 'gpu', { value: gpu, configurable: true });
  Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true, writable: true });
}

/** Listens to the errors of the adapter's device. Dawn only prints errors without a listener. */
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

/** Makes `writeBuffer` accept shared memory. Its specification allows it and WebAssembly threads use it, but Dawn for Node refuses it. */
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

/** Returns shared memory as bytes; `writeBuffer` then counts in bytes too. */
function sharedBytes(data: unknown): Uint8Array | undefined {
  if (typeof SharedArrayBuffer === 'undefined') return undefined;
  if (data instanceof SharedArrayBuffer) return new Uint8Array(data);
  return data instanceof Uint8Array && data.buffer instanceof SharedArrayBuffer ? data : undefined;
}
