/**
 * How long the second poll for something waits, in milliseconds, by what factor each one after it waits longer, and how
 * long at most: an answer comes later by a tenth of the time it takes. The first poll, which answers most, never waits.
 */
const PAUSE = { first: 0.05, growth: 1.1, most: 0.25 };

/** What nobody ever wakes; undefined where this runtime has no shared memory, and waiting is a busy loop. */
const nobody =
  typeof SharedArrayBuffer === 'undefined' ? undefined : new Int32Array(new SharedArrayBuffer(4));

/** Dawn's callbacks are native functions without names; so is what resolves a promise, which can wait as well. */
const isNative = (callback: unknown): boolean =>
  typeof callback === 'function' &&
  callback.name === '' &&
  Function.prototype.toString.call(callback).includes('[native code]');

let patient = false;
/** The pause before the next poll; undefined outside of a poll: whoever polls then has only begun. */
let next: number | undefined;

/** Polls, such that what polls again from within it waits. */
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
 * Makes Dawn wait for the device without keeping a core busy. Dawn asks whether the device has finished by a
 * `setImmediate` that renews itself until it has: millions of turns of the event loop, on the very cores that a software
 * adapter computes with. From here on each such turn but the first first pauses the thread. Measured on SwiftShader, 2
 * cores, 576 cases of the gate: 44.7 s of processor time without pauses, 34.4 s with short ones; 3.5 million turns, 0.09
 * million; of 899 cases 0.11 million, and 0.05 million with pauses that grow.
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
