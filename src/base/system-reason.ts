import { lookUp } from './objects.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EEXIST: 'a file is in the way',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  ELOOP: 'its symbolic links form a loop',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'it would exceed the file size limit',
  EROFS: 'the disk is read-only',
  EIO: 'the disk or its connection reports an error',
  ESTALE: 'its file server no longer knows it',
  EINTR: 'a signal interrupted it',
  EBUSY: 'another process uses it',
  ENAMETOOLONG: 'its name is too long',
  EBADF: 'it is not open for this operation',
  EPIPE: 'its reader closed it',
  EMFILE: 'this process has too many open files, see ulimit -n',
  EAGAIN: 'no more processes can be started',
  ENOMEM: 'no memory is left',
  ENFILE: 'this machine has too many open files',
};

/** Errors that Node only knows by number: on Linux, and on macOS. */
const UNNAMED: Readonly<Record<string, string>> = {
  'Unknown system error -122': 'EDQUOT',
  'Unknown system error -69': 'EDQUOT',
  'Unknown system error -116': 'ESTALE',
  'Unknown system error -70': 'ESTALE',
};

/** Returns the operating system's code of an error. It is empty for other errors. */
export function systemCode(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? (lookUp(UNNAMED, code) ?? code) : '';
}

/** Returns the reason why an operation of the operating system failed, in words. */
export function systemReason(error: unknown): string {
  return lookUp(REASONS, systemCode(error)) ?? (error instanceof Error ? error.message : String(error));
}

/** Replaces error numbers that Node cannot name by words in a message. */
export const withoutNumbers = (message: string): string =>
  message.replace(
    NUMBERED,
    (found, number) => lookUp(REASONS, lookUp(UNNAMED, `Unknown system error ${number}`) ?? '') ?? found,
  );
/** Node prints the number twice: as the code, and as its meaning. */
const NUMBERED = /Unknown system error (-\d+)(?:: Unknown system error \1)?/g;
