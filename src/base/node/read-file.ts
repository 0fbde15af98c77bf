import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { otherThanFile } from './file-reason.ts';

/** A file that is read part by part. */
export interface OpenFile {
  readonly size: number;
  /** Its first bytes, so many or all. */
  head(count: number): Buffer;
  /** All of its bytes. */
  whole(): Buffer;
}

/** Bytes that are read at once: a single call reads no more than two gigabytes. */
const AT_ONCE = 2 ** 30;

/**
 * Does something with a file that is read. Of devices and pipes none is opened: they may never end, and wait for ever.
 * @throws Error whose message, or code, `fileReason` puts into words.
 */
export function withFile<T>(path: string, work: (file: OpenFile) => T): T {
  const found = statSync(path);
  if (!found.isFile()) throw new Error(otherThanFile(found));
  // What has taken its place since is not waited for.
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const { size } = fstatSync(fd);
    const head = (count: number) => readFrom(fd, Math.min(count, size));
    return work({ size, head, whole: () => head(size) });
  } finally {
    closeSync(fd);
  }
}

/** The bytes of a file. @throws as {@link withFile} */
export const readWhole = (path: string): Buffer => withFile(path, (file) => file.whole());

/** The text of a file in UTF-8. @throws as {@link withFile} */
export const readText = (path: string): string => readWhole(path).toString();

function readFrom(fd: number, count: number): Buffer {
  const bytes = Buffer.allocUnsafe(count);
  let at = 0;
  while (at < count) {
    const read = readSync(fd, bytes, at, Math.min(AT_ONCE, count - at), at);
    if (read === 0) break;
    at += read;
  }
  return bytes.subarray(0, at);
}
