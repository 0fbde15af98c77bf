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
  const free = process.availableMemory();
  if (bytes > free) throw tooLittleMemory({ what, bytes, free });
}
