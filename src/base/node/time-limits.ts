import { Script } from 'node:vm';
import { Worker } from 'node:worker_threads';
import type { ParanoiaError } from '../errors.ts';
import { ownScript } from './invocation.ts';
import { maskSecrets } from './secrets.ts';

/** The end of this process: the seconds until then, its last words, and its exit code. */
export interface ProcessDeadline {
  readonly seconds: number;
  readonly message: string;
  readonly exitCode: number;
}

let isWatched = false;
let watchdog: Worker | undefined;
let depth = 0;

/** Lets endless loops end this process from now on. No other process watches it. */
export function endLoops(): void {
  isWatched = true;
}

/**
 * Awaits user code, but not forever. An endless loop lets no timer of its thread fire: a watchdog in another thread then ends this process,
 * with the same sentence and exit code.
 * @param late returns the error where the code neither returns nor throws in time.
 * @throws errors of the code
 */
export async function withinLimit<T>(
  seconds: number,
  work: () => Promise<T>,
  late: () => ParanoiaError,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), 1000 * seconds);
    // Code that keeps this process alive is awaited. Without such code, Node ends the process.
    timer.unref();
  });
  const release = isWatched && !(await isDebugged()) ? watch(seconds, late()) : undefined;
  try {
    return await Promise.race([work(), end]);
  } finally {
    release?.();
    clearTimeout(timer);
  }
}

/** True if a debugger is attached to this process. It may pause the process for any time. */
async function isDebugged(): Promise<boolean> {
  return process.features.inspector && (await import('node:inspector')).url() !== undefined;
}

/** Makes the watchdog end this process in time. Of nested limits the outermost holds. @returns a function that cancels it */
function watch(seconds: number, { message, exitCode }: ParanoiaError): () => void {
  watchdog ??= start();
  const dog = watchdog;
  const deadline: ProcessDeadline = { seconds, message: maskSecrets(message), exitCode };
  if (depth++ === 0) dog.postMessage(deadline);
  return () => {
    if (--depth === 0) dog.postMessage(undefined);
  };
}

function start(): Worker {
  const worker = new Worker(ownScript('./watchdog', import.meta.url), { execArgv: [] });
  // Without the watchdog, loops are not ended. All else stays the same.
  worker.on('error', () => {});
  worker.unref();
  return worker;
}

const TIMED_OUT = 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/** Key under which the script finds the function that it calls. */
const PLACE = Symbol.for('gemm-paranoia: the function that is called');
const CALL = new Script(`globalThis[Symbol.for(${JSON.stringify(PLACE.description)})]()`);

/**
 * Calls a user function in this process, and interrupts it if it does not return. A timer could not, since it never fires in an endless
 * loop. Work that the function schedules for later is not interrupted. A call takes some 70 µs more.
 * @throws the error that `late` makes if it does not return, and errors of the function itself
 */
export function limitedCall<R>(seconds: number, work: () => R, late: (cause: unknown) => Error): R {
  const outer: unknown = Reflect.get(globalThis, PLACE);
  Reflect.set(globalThis, PLACE, work);
  try {
    return CALL.runInThisContext({ timeout: Math.ceil(1000 * seconds) }) as R;
  } catch (error) {
    throw (error as NodeJS.ErrnoException | undefined)?.code === TIMED_OUT ? late(error) : error;
  } finally {
    if (outer === undefined) Reflect.deleteProperty(globalThis, PLACE);
    else Reflect.set(globalThis, PLACE, outer);
  }
}
