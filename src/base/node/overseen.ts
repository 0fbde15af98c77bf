import { isMainThread, Worker } from 'node:worker_threads';
import type { ParanoiaError } from '../errors.ts';
import { ownScript } from './own-script.ts';

/** What this thread and its overseer share: which turn it is (odd while code of the user's runs), and milliseconds that it has. */
export type Overseen = SharedArrayBuffer;
export const [TURN, LIMIT] = [0, 1];

let cells: Int32Array | undefined;
let leave: ((why: ParanoiaError) => never) | undefined;
let depth = 0;

/** Where the overseer finds what ends this process, in the middle of a loop. */
const PLACE = Symbol.for('gemm-paranoia: leaves in the middle');
export const LEAVE = `globalThis[Symbol.for(${JSON.stringify(PLACE.description)})]()`;

/**
 * From here on endless loops end this process, which nobody else watches.
 * @param leaving says why, and ends it.
 */
export function oversee(leaving: (why: ParanoiaError) => never): void {
  leave = leaving;
}

/**
 * Waits for code of the user's in the main thread, but not for ever. In an endless loop nothing can be thrown: from another thread this
 * process is then ended, with what is late as its last words.
 * @param late what is thrown where it neither gives nor throws anything in time.
 * @throws what it throws
 */
export async function overseen<T>(
  seconds: number,
  work: () => Promise<T>,
  late: () => ParanoiaError,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), 1000 * seconds);
    // Who keeps this process alive is waited for; where nobody does, Node ends it.
    timer.unref();
  });
  const release =
    leave !== undefined && (await canStop()) ? begin(1000 * seconds, () => leave?.(late())) : undefined;
  try {
    return await Promise.race([work(), end]);
  } finally {
    release?.();
    clearTimeout(timer);
  }
}

/** In a thread the debugger would stop another one; who debugs, waits; and not every Node has one. */
async function canStop(): Promise<boolean> {
  if (!isMainThread || !process.features.inspector) return false;
  const { url } = await import('node:inspector');
  return url() === undefined;
}

/** Has this thread watched from another. @returns what ends that */
function begin(milliseconds: number, leaving: () => void): () => void {
  cells ??= start();
  const shared = cells;
  if (depth++ === 0) {
    Reflect.set(globalThis, PLACE, leaving);
    Atomics.store(shared, LIMIT, Math.ceil(milliseconds));
    turn(shared);
  }
  return () => {
    if (--depth > 0) return;
    turn(shared);
    Reflect.deleteProperty(globalThis, PLACE);
  };
}

function turn(shared: Int32Array): void {
  Atomics.add(shared, TURN, 1);
  Atomics.notify(shared, TURN);
}

function start(): Int32Array {
  const shared: Overseen = new SharedArrayBuffer(8);
  const worker = new Worker(ownScript('./overseer', import.meta.url), { workerData: shared, execArgv: [] });
  // Without it loops are not ended, and all else is as ever.
  worker.on('error', () => {});
  worker.unref();
  return new Int32Array(shared);
}
