import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import {
  allProcesses,
  countBytesIn,
  listFamily,
  type ProcessInfo,
  proportionalBytes,
  unlinkedBytes,
} from './processes.ts';
import { bytesText } from './sandbox.ts';
import type { KillNotice, WatchedProcess, WatcherRequest } from './watch.ts';

/** The watcher thread: checks untrusted processes, and kills those that exceed their limits. */

/** Milliseconds between two checks; the pause is at least this multiple of the last check's duration. */
const PAUSE = 250;
const REST = 4;
const PAGE = 4096;

const reasons = workerData as MessagePort;
const watched = new Map<number, WatchedProcess>();
let isLooking = false;

parentPort?.on('message', (told: WatcherRequest) => {
  if ('end' in told) watched.delete(told.id);
  else watched.set(told.id, told.watch);
  if (isLooking || watched.size === 0) return;
  isLooking = true;
  setTimeout(look, 0);
});

function look(): void {
  const start = performance.now();
  const all = allProcesses();
  for (const [id, one] of watched) {
    const why = breachOf(one, all);
    if (why === undefined) continue;
    watched.delete(id);
    // Sent before the kill, so that the reason has arrived when the end is noticed.
    reasons.postMessage({ id, why } satisfies KillNotice);
    kill(one.pid);
  }
  const took = performance.now() - start;
  isLooking = watched.size > 0;
  if (isLooking) setTimeout(look, Math.max(PAUSE, REST * took));
}

/** The limit that a process and its descendants exceed, as a clause. */
function breachOf({ pid, limits, folders }: WatchedProcess, all: readonly ProcessInfo[]): string | undefined {
  const own = listFamily(pid, all);
  const { memoryBytes, processes, fileBytes } = limits;
  if (own.length > processes) return `it ran ${own.length} processes (limit ${processes})`;
  const pages = own.reduce((sum, one) => sum + one.pages, 0);
  // Shared memory is counted once per process that shares it, unless PSS is read.
  const used =
    PAGE * pages <= memoryBytes
      ? 0
      : own.reduce((sum, one) => sum + (proportionalBytes(one.pid) ?? PAGE * one.pages), 0);
  if (used > memoryBytes) return `it used ${bytesText(used)} of memory (limit ${bytesText(memoryBytes)})`;
  const inFolders = bytesOf(folders, fileBytes);
  if (inFolders === undefined) return 'it created folders that cannot be read';
  const written = inFolders + (folders.length > 0 ? unlinkedBytes(own.map((one) => one.pid)) : 0);
  if (written > fileBytes) return `it wrote ${bytesText(written)} to files (limit ${bytesText(fileBytes)})`;
  return undefined;
}

/** Bytes in folders; undefined if they cannot be counted. */
function bytesOf(folders: readonly string[], enough: number): number | undefined {
  try {
    return countBytesIn(folders, enough);
  } catch {
    return undefined;
  }
}

function kill(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has ended.
  }
}
