import { createRequire } from 'node:module';
import { type Architecture, architectures, type CallName, callNumberOf } from './calls.ts';

/** Loaded with `require`: a static import would scan its text for exports in every process. */
const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi');

/** The C library of this process. Numbers of system calls are those of {@link calls}. */
const libc = koffi.load(null);

const long = 'long';
const pointer = 'void *';

/** The processor, if there are filters for it. */
export const architecture: Architecture | undefined = architectures.find((one) => one === process.arch);

/** A system call that the C library may lack, with arguments of these types. A result below 0 is a failure. */
function call(name: CallName, ...types: readonly string[]): (...values: unknown[]) => number {
  const number = architecture && callNumberOf(name, architecture);
  if (number === undefined) return () => -1;
  const make = libc.func('syscall', long, [long, ...types]);
  return (...values) => make(number, ...values);
}

export const landlockCreate = call('landlock_create_ruleset', pointer, 'size_t', long);
export const landlockAdd = call('landlock_add_rule', long, long, pointer, long);
export const landlockRestrict = call('landlock_restrict_self', long, long);
export const limit = call('prlimit64', long, long, pointer, pointer);
export const setCapabilities = call('capset', pointer, pointer);
export const mountAttributes = call('mount_setattr', long, 'str', long, pointer, 'size_t');

export const prctl = libc.func('prctl', 'int', ['int', long, pointer, long, long]) as (
  ...values: unknown[]
) => number;
export const mount = libc.func('mount', 'int', ['str', 'str', 'str', long, 'str']) as (
  ...values: unknown[]
) => number;
/** Sets whether execve closes a file descriptor. */
export const setDescriptorFlags = libc.func('fcntl', 'int', ['int', 'int', long]) as (
  ...values: unknown[]
) => number;
/** Restores the default action of a signal. */
export const resetSignal = libc.func('signal', pointer, ['int', long]) as (
  signal: number,
  handler: number,
) => unknown;
/** Replaces this process by another program; returns only on failure. */
export const execve = libc.func('execve', 'int', ['str', 'const char **', 'const char **']) as (
  file: string,
  words: readonly (string | null)[],
  env: readonly (string | null)[],
) => number;

/** Returns the address of bytes, which must outlive its use. */
export const addressOfBytes = (bytes: Buffer): bigint => koffi.address(bytes);

/** Returns the name of the last error of the C library. */
export function lastError(): string {
  const code = koffi.errno();
  const found = Object.entries(koffi.os.errno).find(([, number]) => number === code);
  return found?.[0] ?? `error ${code}`;
}

/** Returns a result that is no failure. @throws Error that says what failed, and why */
export function requireSuccess(result: number, what: string): number {
  if (result < 0) throw new Error(`${what}: ${lastError()}`);
  return result;
}
