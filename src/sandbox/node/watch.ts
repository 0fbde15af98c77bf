import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { ownScript } from '../../base/node/invocation.ts';
import type { ResourceLimits } from './sandbox.ts';

/** A process to watch, with all that it starts. */
export interface WatchedProcess {
  readonly pid: number;
  readonly limits: ResourceLimits;
  /** Folders on our disks that it may write to; their sizes are added up. */
  readonly folders: readonly string[];
}

/** A message to the watcher: watch a process, or stop watching it. */
export type WatcherRequest = { readonly id: number } & (
  | { readonly watch: WatchedProcess }
  | { readonly end: true }
);

/** A message from the watcher before it kills a process: the reason. */
export interface KillNotice {
  readonly id: number;
  readonly why: string;
}

const breaches = new Map<number, (why: string) => void>();
let worker: Worker | undefined;
let reasons: MessagePort | undefined;
let last = 0;

/**
 * Watches a process in another thread, since this one may compute for seconds. The watcher kills a process that exceeds a limit.
 * @param breach called with the reason, before the watch ends at the latest
 * @returns a function that ends the watch
 */
export function watchProcess(watched: WatchedProcess, breach: (why: string) => void): () => void {
  const id = ++last;
  breaches.set(id, breach);
  worker ??= startWorker();
  worker.postMessage({ id, watch: watched } satisfies WatcherRequest);
  return () => {
    hear();
    if (breaches.delete(id)) worker?.postMessage({ id, end: true } satisfies WatcherRequest);
  };
}

function startWorker(): Worker {
  const { port1, port2 } = new MessageChannel();
  const started = new Worker(ownScript('./watcher', import.meta.url), {
    workerData: port2,
    transferList: [port2],
  });
  reasons = port1;
  port1.on('message', ({ id, why }: KillNotice) => told(id, why));
  started.on('error', ({ message }) => {
    worker = undefined;
    for (const id of [...breaches.keys()]) told(id, `the watch over its limits failed (${message})`);
  });
  // A listener keeps this process alive unless it is unreferenced afterwards.
  port1.unref();
  started.unref();
  return started;
}

/** Delivers reasons that have arrived: a process's end may be noticed before the message with its reason. */
function hear(): void {
  if (reasons === undefined) return;
  for (let one = receiveMessageOnPort(reasons); one !== undefined; one = receiveMessageOnPort(reasons)) {
    const { id, why } = one.message as KillNotice;
    told(id, why);
  }
}

function told(id: number, why: string): void {
  const breach = breaches.get(id);
  breaches.delete(id);
  breach?.(why);
}
