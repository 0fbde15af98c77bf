import type { Stats } from 'node:fs';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EEXIST: 'a file is in the way',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  ELOOP: 'its links lead in a circle',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'it would be larger than files may be here',
  EROFS: 'the disk is read-only',
  ENAMETOOLONG: 'its name is too long',
  EBADF: 'it is not open for that',
  EPIPE: 'nobody reads it any more',
  EMFILE: 'this process may open no more files (ulimit -n)',
  EAGAIN: 'no more processes may be started',
  ENOMEM: 'memory is used up',
  ENFILE: 'this machine may open no more files',
};

/** Why a file operation failed, in words. */
export function fileReason(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? '';
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}

/** What lies where a file was to be, in words. */
export function otherThanFile(found: Stats): string {
  if (found.isDirectory()) return 'it is a folder';
  if (found.isFIFO()) return 'it is a pipe';
  return found.isSocket() ? 'it is a socket' : 'it is a device';
}
