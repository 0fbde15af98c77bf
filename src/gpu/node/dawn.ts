import { create, globals } from 'webgpu';
import { expectComputing } from '../../base/node/ending.ts';
import type { Gpu } from '../web-gpu.ts';

// The process aborts if an object that create() returned is collected.
const alive: GPU[] = [];

/** Creates Dawn's GPU object for the given flags and keeps it for the life of the process. */
export function createGpu(flags: readonly string[]): Gpu {
  for (const [name, value] of Object.entries(globals)) {
    if (!Object.hasOwn(globalThis, name)) Object.assign(globalThis, { [name]: value });
  }
  pollPatiently();
  expectComputing();
  const gpu = create([...flags]);
  alive.push(gpu);
  return gpu;
}

export interface ListedAdapter {
  readonly backend: string;
  readonly name: string;
}

/** Lists the adapters that Dawn would open, best first, without the null backend's. Reads the environment before it returns. */
export function listAdapters(
  options: { readonly forceFallbackAdapter?: boolean } = {},
): Promise<ListedAdapter[]> {
  // Dawn's error for an unknown adapter lists the adapters that it has.
  const refusal = createGpu(['adapter=(list)']).requestAdapter(options);
  return refusal.then(
    () => [],
    (error: Error) =>
      [...error.message.matchAll(/\* backend: '(.*?)', name: '(.*)'/g)]
        .map(([, backend, name]) => ({ backend, name }))
        .filter(({ backend }) => backend !== 'null'),
  );
}

/** Returns the flags that make Dawn open the listed adapter with the given toggles. */
export function flagsFor({ backend, name }: ListedAdapter, toggles: readonly string[]): string[] {
  const flags = [`backend=${backend}`, `adapter=${name}`];
  return toggles.length > 0 ? [...flags, `enable-dawn-features=${toggles.join(',')}`] : flags;
}

/**
 * The pauses between polls, in milliseconds: the pause before the second poll, the factor by which pauses grow, and the longest pause. An
 * answer is thus late by at most a tenth of its time. The first poll, which answers most waits, never pauses.
 */
const PAUSE = { first: 0.05, growth: 1.1, most: 0.25 };

/** Memory that no thread ever notifies. Undefined if the runtime has no shared memory: waiting is then a busy loop. */
const nobody =
  typeof SharedArrayBuffer === 'undefined' ? undefined : new Int32Array(new SharedArrayBuffer(4));

/**
 * True if a callback is native. Dawn's callbacks are native functions without names. A promise's resolver looks the same, and may be
 * delayed too.
 */
const isNative = (callback: unknown): boolean =>
  typeof callback === 'function' &&
  callback.name === '' &&
  Function.prototype.toString.call(callback).includes('[native code]');

let patient = false;
/** The pause before the next poll. Undefined outside of a poll: a poll scheduled then is the first of its wait. */
let next: number | undefined;

/** Wraps a poll so that a poll which it schedules pauses first. */
function polling(poll: () => void, pause: number): () => void {
  return () => {
    next = Math.min(Math.max(pause * PAUSE.growth, PAUSE.first), PAUSE.most);
    try {
      poll();
    } finally {
      next = undefined;
    }
  };
}

/**
 * Makes Dawn wait for the device without keeping a core busy. Dawn polls the device by a `setImmediate` that renews itself until the device
 * has finished. That takes millions of turns of the event loop, on the very cores that a software adapter computes with. After this call,
 * each poll but the first pauses the thread before it runs.
 * Measured on SwiftShader, 2 cores, 576 cases of the gate: 44.7 s of processor time without pauses, 34.4 s with short ones; 3.5 million
 * turns, 0.09 million; of 899 cases 0.11 million, and 0.05 million with pauses that grow.
 */
export function pollPatiently(): void {
  if (patient) return;
  patient = true;
  globalThis.setImmediate = new Proxy(globalThis.setImmediate, {
    apply(target, self, args) {
      if (args.length !== 1 || !isNative(args[0])) return Reflect.apply(target, self, args);
      const pause = next ?? 0;
      if (pause > 0 && nobody !== undefined) Atomics.wait(nobody, 0, 0, pause);
      return Reflect.apply(target, self, [polling(args[0], pause)]);
    },
  });
}
