import type { Stats } from 'node:fs';

export { systemReason as fileReason } from '../system-reason.ts';

/** Names the thing at a path where a file was expected. */
export function otherThanFile(found: Stats): string {
  if (found.isDirectory()) return 'it is a folder';
  if (found.isFIFO()) return 'it is a pipe';
  return found.isSocket() ? 'it is a socket' : 'it is a device';
}
