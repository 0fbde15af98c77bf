import { freemem, totalmem } from 'node:os';
import { tooLittleMemory } from '../messages.ts';

/** Bytes below which free memory is not asked for. */
const ANYWHERE = 2 ** 28;

/**
 * Checks that memory is free before it is allocated: Linux grants more, and ends the process when it writes there.
 * @param what the file or request, in messages.
 * @throws ParanoiaError `too-little-memory`
 */
export function requireFree(bytes: number, what: string): void {
  if (bytes <= ANYWHERE) return;
  const free = freeMemory();
  if (bytes > free) throw tooLittleMemory({ what, bytes, free });
}

/** Returns the bytes that this process may still allocate. In a container, cached files count as used, but the system gives their memory back. */
export function freeMemory(): number {
  const available = process.availableMemory();
  const limit = process.constrainedMemory();
  const isContainer = limit > 0 && limit < totalmem();
  return isContainer
    ? Math.max(available, Math.min(freemem(), limit - process.memoryUsage.rss()))
    : available;
}
