import { ParanoiaError } from './errors.ts';
import { systemRefuses, tooFewResources } from './messages.ts';
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

/** Error codes of an operating system that is out of files, processes or memory. */
const SHORT: readonly string[] = ['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'];
/** Error codes of an existing file or disk that cannot be used. */
const REFUSED: readonly string[] = [
  ...['EACCES', 'EPERM', 'EIO', 'ESTALE', 'EROFS', 'ENOSPC', 'EDQUOT', 'EFBIG', 'EINTR', 'EBUSY'],
];
/** Node's name of the system call for the working folder of a process, which may be gone. */
const CWD = 'uv_cwd';
/** Node's name of the system call that makes a temporary folder, whose parent may be gone. */
const MKDTEMP = 'mkdtemp';
/** Codes of Node for failed memory allocations. */
const OF_MEMORY: readonly string[] = ['ERR_MEMORY_ALLOCATION_FAILED', 'ERR_WORKER_OUT_OF_MEMORY'];
/** V8's messages of failed memory allocations. */
const NO_MEMORY = /\ballocation failed|could not allocate memory|out of memory/i;

/** Returns the error of a machine out of resources, if an error or its cause says so. No claim of a kernel fails then. */
export function resourceError(error: unknown): ParanoiaError | undefined {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (one instanceof ParanoiaError) continue;
    const code = isOfMemory(one) ? 'ENOMEM' : systemCode(one);
    if (SHORT.includes(code)) return tooFewResources({ code, why: systemReason({ code }) }, error);
  }
  return undefined;
}

function isOfMemory(error: Error): boolean {
  return (
    (error instanceof RangeError && NO_MEMORY.test(error.message)) || OF_MEMORY.includes(systemCode(error))
  );
}

/** Converts an unexpected error that concerns the machine instead of this program. Undefined for other errors. */
export function machineError(error: unknown): ParanoiaError | undefined {
  const short = resourceError(error);
  if (short !== undefined || error instanceof ParanoiaError) return short;
  const code = systemCode(error);
  const { path, syscall } = (error ?? {}) as { readonly path?: unknown; readonly syscall?: unknown };
  if (syscall === CWD)
    return systemRefuses({ code, what: 'the working directory', why: systemReason(error) }, error);
  if (syscall === MKDTEMP) {
    const folder = String(path).replace(/[\\/][^\\/]*$/, '');
    const what = `a temporary folder in ${folder} (TMPDIR)`;
    return systemRefuses({ code, what, why: systemReason(error) }, error);
  }
  if (!REFUSED.includes(code)) return undefined;
  const what =
    typeof path === 'string' ? path : typeof syscall === 'string' ? `the system call ${syscall}` : 'a file';
  return systemRefuses({ code, what, why: systemReason(error) }, error);
}
