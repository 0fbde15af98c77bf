import { Worker } from 'node:worker_threads';
import type { ParanoiaError } from '../errors.ts';
import { ownScript } from './own-script.ts';
import { maskSecrets } from './secrets.ts';

/** The end of this process: the seconds until it comes, its last words, and its exit code. */
export interface Deadline {
  readonly seconds: number;
  readonly message: string;
  readonly exitCode: number;
}

let isWatched = false;
let watchdog: Worker | undefined;
let depth = 0;

/** From here on endless loops end this process, which nobody else watches. */
export function endLoops(): void {
  isWatched = true;
}

/**
 * Waits for code of the user's, but not for ever. An endless loop lets no timer of its thread run: a watchdog in another thread then
 * ends this process, with the same sentence and exit code.
 * @param late what is thrown where the code neither gives nor throws anything in time.
 * @throws what it throws
 */
export async function withinLimit<T>(
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
  const release = isWatched && !(await isDebugged()) ? watch(seconds, late()) : undefined;
  try {
    return await Promise.race([work(), end]);
  } finally {
    release?.();
    clearTimeout(timer);
  }
}

/** True if somebody debugs this process, who may stop it for as long as they like. */
async function isDebugged(): Promise<boolean> {
  return process.features.inspector && (await import('node:inspector')).url() !== undefined;
}

/** Has the watchdog end this process in time; of limits within limits the outermost holds. @returns what calls it off */
function watch(seconds: number, { message, exitCode }: ParanoiaError): () => void {
  watchdog ??= start();
  const dog = watchdog;
  const deadline: Deadline = { seconds, message: maskSecrets(message), exitCode };
  if (depth++ === 0) dog.postMessage(deadline);
  return () => {
    if (--depth === 0) dog.postMessage(undefined);
  };
}

function start(): Worker {
  const worker = new Worker(ownScript('./watchdog', import.meta.url), { execArgv: [] });
  // Without it loops are not ended, and all else is as ever.
  worker.on('error', () => {});
  worker.unref();
  return worker;
}
