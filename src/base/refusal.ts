import { ParanoiaError } from './errors.ts';
import { systemRefuses, tooFewResources } from './messages.ts';
import { systemCode, systemReason } from './system-reason.ts';

/** What an operating system says that gives no more: files, processes, memory. */
const SHORT: readonly string[] = ['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM'];
/** What it says of a file or disk that is there and cannot be used. */
const REFUSED: readonly string[] = [
  ...['EACCES', 'EPERM', 'EIO', 'ESTALE', 'EROFS', 'ENOSPC', 'EDQUOT', 'EFBIG', 'EINTR', 'EBUSY'],
];
/** What Node calls asking for the folder that a process runs in, which may be gone. */
const CWD = 'uv_cwd';
/** Node's name for making a folder for temporary files, whose own folder may be gone. */
const MKDTEMP = 'mkdtemp';
/** Codes of Node for memory that it does not get. */
const OF_MEMORY: readonly string[] = ['ERR_MEMORY_ALLOCATION_FAILED', 'ERR_WORKER_OUT_OF_MEMORY'];
/** What V8 says of it. */
const NO_MEMORY = /\ballocation failed|could not allocate memory|out of memory/i;

/** The problem that this machine gives no more, if an error or what caused it says so: it is nobody's claim that fails. */
export function shortOfResources(error: unknown): ParanoiaError | undefined {
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

/** What an error that nobody expected says of the machine instead of this program, if anything. */
export function refusalOf(error: unknown): ParanoiaError | undefined {
  const short = shortOfResources(error);
  if (short !== undefined || error instanceof ParanoiaError) return short;
  const code = systemCode(error);
  const { path, syscall } = (error ?? {}) as { readonly path?: unknown; readonly syscall?: unknown };
  if (syscall === CWD)
    return systemRefuses({ code, what: 'the folder it runs in', why: systemReason(error) }, error);
  if (syscall === MKDTEMP) {
    const folder = String(path).replace(/[\\/][^\\/]*$/, '');
    const what = `a folder in ${folder}, where temporary files go (TMPDIR)`;
    return systemRefuses({ code, what, why: systemReason(error) }, error);
  }
  if (!REFUSED.includes(code)) return undefined;
  const what =
    typeof path === 'string' ? path : typeof syscall === 'string' ? `a call of ${syscall}` : 'a file';
  return systemRefuses({ code, what, why: systemReason(error) }, error);
}
