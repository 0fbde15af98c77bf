export { systemReason as fileReason } from '../system-errors.ts';

import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { StoredBytes } from '../stored-bytes.ts';
import { systemCode } from '../system-errors.ts';

/** A file that is read in parts. */
export interface OpenFile extends StoredBytes {
  /** Returns all of its bytes. */
  whole(): Buffer;
}

/** Most bytes of one read: a single call reads no more than two gigabytes. */
const AT_ONCE = 2 ** 30;

/**
 * Opens a file for reading, and passes it to `work`. Devices and pipes are not opened: they may never end, and block forever.
 * @param atOnce the most bytes of one read.
 * @throws Error whose message, or code, `fileReason` puts into words.
 */
export function withFile<T>(path: string, work: (file: OpenFile) => T, atOnce = AT_ONCE): T {
  const found = statSync(path);
  if (!found.isFile()) throw new Error(otherThanFile(found));
  // A pipe that has replaced the file since then does not block.
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const { size } = fstatSync(fd);
    const view: OpenFile['view'] = (from, count, make) => {
      const memory = make(count);
      fill(fd, from, memory, count, atOnce);
      return new DataView(memory, 0, count);
    };
    return work({
      size,
      view,
      whole: () => Buffer.from(view(0, size, (bytes) => new ArrayBuffer(bytes)).buffer),
    });
  } finally {
    closeSync(fd);
  }
}

/** Reads the bytes of a file. @throws as {@link withFile} */
export const readWhole = (path: string): Buffer => withFile(path, (file) => file.whole());

/** Reads the text of a file in UTF-8. @throws as {@link withFile} */
export const readText = (path: string): string => readWhole(path).toString();

function fill(fd: number, from: number, memory: ArrayBufferLike, count: number, atOnce: number): void {
  for (let at = 0; at < count; ) {
    const part = new Uint8Array(memory, at, Math.min(atOnce, count - at));
    const read = readSync(fd, part, 0, part.length, from + at);
    if (read === 0) throw new Error('it became shorter while it was read');
    at += read;
  }
}

/** Names the thing at a path where a file was expected. */
export function otherThanFile(found: Stats): string {
  if (found.isDirectory()) return 'it is a folder';
  if (found.isFIFO()) return 'it is a pipe';
  return found.isSocket() ? 'it is a socket' : 'it is a device';
}

/** Error codes of a path where no file can be. */
const ABSENT: readonly string[] = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG'];

/** True if there is something at a path. @throws the file system's error where that is unknown: something may be there */
export function pathExists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return refuseUnlessAbsent(error) ?? false;
  }
}

/** Resolves a path to its real path. Undefined where nothing is there. @throws as {@link pathExists} */
export async function resolveRealPath(path: string): Promise<string | undefined> {
  return realpath(path).catch(refuseUnlessAbsent);
}

function refuseUnlessAbsent(error: unknown): undefined {
  if (!ABSENT.includes(systemCode(error))) throw error;
}

/** Formats the path of an unreadable file for a message: the path as given, and the absolute path it resolves to. */
export function formatPath(given: string): string {
  const absolute = resolve(given);
  return absolute === given ? given : `${given} (${absolute})`;
}
