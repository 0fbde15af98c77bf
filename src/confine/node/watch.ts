import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { ownScript } from '../../base/node/own-script.ts';
import type { Limits } from './confinement.ts';

/** A process that is watched with all that it starts. */
export interface Watched {
  readonly pid: number;
  readonly limits: Limits;
  /** Folders that it may write in on disks of ours: their bytes are added up. */
  readonly folders: readonly string[];
}

/** What the watcher is told: whom to watch, or no more. */
export type ToWatcher = { readonly id: number } & ({ readonly watch: Watched } | { readonly end: true });

/** What it tells before it kills a process: why. */
export interface FromWatcher {
  readonly id: number;
  readonly why: string;
}

const breaches = new Map<number, (why: string) => void>();
let worker: Worker | undefined;
let reasons: MessagePort | undefined;
let last = 0;

/**
 * Watches a process from a thread of its own, since this one may compute for seconds: what uses too much is killed there.
 * @param breach is then told why: before the watch ends at the latest.
 * @returns what ends the watch.
 */
export function watch(watched: Watched, breach: (why: string) => void): () => void {
  const id = ++last;
  breaches.set(id, breach);
  worker ??= startWorker();
  worker.postMessage({ id, watch: watched } satisfies ToWatcher);
  return () => {
    hear();
    if (breaches.delete(id)) worker?.postMessage({ id, end: true } satisfies ToWatcher);
  };
}

function startWorker(): Worker {
  const { port1, port2 } = new MessageChannel();
  const started = new Worker(ownScript('./watcher', import.meta.url), {
    workerData: port2,
    transferList: [port2],
  });
  reasons = port1;
  port1.on('message', ({ id, why }: FromWatcher) => told(id, why));
  started.on('error', ({ message }) => {
    worker = undefined;
    for (const id of [...breaches.keys()]) told(id, `it could no longer be watched (${message})`);
  });
  // Listening keeps this process alive, unless it is said afterwards that it does not.
  port1.unref();
  started.unref();
  return started;
}

/** Takes the reasons that have arrived: the end of a process may be heard before the event that brings its reason. */
function hear(): void {
  if (reasons === undefined) return;
  for (let one = receiveMessageOnPort(reasons); one !== undefined; one = receiveMessageOnPort(reasons)) {
    const { id, why } = one.message as FromWatcher;
    told(id, why);
  }
}

function told(id: number, why: string): void {
  const breach = breaches.get(id);
  breaches.delete(id);
  breach?.(why);
}
