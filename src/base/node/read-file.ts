import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { otherThanFile } from './file-reason.ts';

/** A file that is read in parts. */
export interface OpenFile {
  readonly size: number;
  /** Returns its first bytes, up to `count`. */
  head(count: number): Buffer;
  /** Returns all of its bytes. @param make returns memory for them. */
  whole(make?: (bytes: number) => Buffer): Buffer;
}

/** Most bytes of one read: a single call reads no more than two gigabytes. */
const AT_ONCE = 2 ** 30;

/**
 * Opens a file for reading, and passes it to `work`. Devices and pipes are not opened: they may never end, and block forever.
 * @throws Error whose message, or code, `fileReason` puts into words.
 */
export function withFile<T>(path: string, work: (file: OpenFile) => T): T {
  const found = statSync(path);
  if (!found.isFile()) throw new Error(otherThanFile(found));
  // A pipe that has replaced the file since then does not block.
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const { size } = fstatSync(fd);
    const head = (count: number) => readFrom(fd, Buffer.allocUnsafe(Math.min(count, size)));
    return work({ size, head, whole: (make = Buffer.allocUnsafe) => readFrom(fd, make(size)) });
  } finally {
    closeSync(fd);
  }
}

/** Reads the bytes of a file. @throws as {@link withFile} */
export const readWhole = (path: string): Buffer => withFile(path, (file) => file.whole());

/** Reads the text of a file in UTF-8. @throws as {@link withFile} */
export const readText = (path: string): string => readWhole(path).toString();

function readFrom(fd: number, bytes: Buffer): Buffer {
  let at = 0;
  while (at < bytes.length) {
    const read = readSync(fd, bytes, at, Math.min(AT_ONCE, bytes.length - at), at);
    if (read === 0) break;
    at += read;
  }
  return bytes.subarray(0, at);
}
