import { ParanoiaError } from './errors.ts';
import { systemRefuses, tooFewResources } from './messages.ts';
import { systemCode, systemReason } from './system-reason.ts';

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
