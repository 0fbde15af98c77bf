import { fstatSync, writeFileSync } from 'node:fs';
import { HOLDS_SIGNALS, landlockVersion, mountPrivately, restrictFiles } from './file-access.ts';
import { encodeFilter, filterFor } from './filter.ts';
import {
  addressOfBytes,
  architecture,
  execve,
  lastError,
  limit,
  prctl,
  requireSuccess,
  resetSignal,
  setCapabilities,
  setDescriptorFlags,
} from './libc.ts';
import { type LaunchPlan, NOT_HELD } from './plan.ts';

/** Numbers of limits: include/uapi/asm-generic/resource.h. */
const LIMITS = {
  cpu: 0,
  fileSize: 1,
  data: 2,
  core: 4,
  tasks: 6,
  files: 7,
  locked: 8,
  messages: 12,
} as const;

/** Files that a process may hold open. */
const FILES = 4096;
/** Threads for each process that is allowed. */
const TASKS_EACH = 16;
/** The ratio of the address space that one process may reserve to the memory that all may use. */
const RESERVED = 2;

/** Sets the limits of each process that this one becomes and starts. @throws Error */
function limitResources({ limits, gpu, others }: LaunchPlan): void {
  const { memoryBytes, processes, fileBytes, cpuSeconds } = limits;
  set('core', 0);
  set('messages', 0);
  set('files', FILES);
  set('fileSize', fileBytes);
  set('tasks', TASKS_EACH * processes + others);
  if (!gpu) set('data', RESERVED * memoryBytes);
  if (cpuSeconds !== undefined) set('cpu', Math.ceil(cpuSeconds));
}

/** Lowers a limit; a lower one stays. */
function set(name: keyof typeof LIMITS, most: number): void {
  const now = Buffer.alloc(16);
  requireSuccess(limit(0, LIMITS[name], null, now), `prlimit of ${name}`);
  const hard = now.readBigUInt64LE(8);
  const value = hard < BigInt(most) ? hard : BigInt(most);
  const next = Buffer.alloc(16);
  next.writeBigUInt64LE(value, 0);
  next.writeBigUInt64LE(value, 8);
  requireSuccess(limit(0, LIMITS[name], next, null), `prlimit of ${name}`);
}

/**
 * Replaces this process by an untrusted program, in the sandbox that the plan in its arguments describes. Restrictions of a
 * thread are inherited by all that it executes and starts, and cannot be lifted. Other threads of this process end at execve.
 */

/** Operations of prctl: include/uapi/linux/prctl.h. */
const [PDEATHSIG, DUMPABLE, SECCOMP, NO_NEW_PRIVS] = [1, 4, 22, 38];
const FILTER = 2;
const SIGKILL = 9;
const LAST_SIGNAL = 64;
const STOPS = [SIGKILL, 19];
/** fcntl's F_SETFD. */
const SET_FLAGS = 2;
/** File descriptors of every program, and those of the protocol with our own host. */
const [STANDARD, BESIDE] = [
  [0, 1, 2],
  [3, 4],
];
const CAPABILITY_VERSION = 0x20080522;

function become(plan: LaunchPlan): never {
  if (architecture === undefined) throw new Error(`no filter of system calls is known for ${process.arch}`);
  const env = Object.entries(process.env).map(([name, value]) => `${name}=${value}`);
  // The first process to be killed when memory runs out.
  writeFileSync('/proc/self/oom_score_adj', '1000');
  if (plan.mounts !== undefined) mountPrivately(plan.mounts, plan);
  process.chdir(plan.cwd);
  const holdsSignals = landlockVersion() >= HOLDS_SIGNALS;
  const steps = filterFor(architecture, { ...plan, pid: process.pid, holdsSignals });
  const code = encodeFilter(steps);
  const program = Buffer.alloc(16);
  program.writeUInt16LE(steps.length, 0);
  program.writeBigUInt64LE(addressOfBytes(code), 8);
  limitResources(plan);
  requireSuccess(prctl(PDEATHSIG, SIGKILL, null, 0, 0), 'prctl');
  requireSuccess(prctl(DUMPABLE, 0, null, 0, 0), 'prctl');
  dropCapabilities();
  // Node ignores some signals, and ignored signals stay ignored after execve.
  for (let signal = 1; signal <= LAST_SIGNAL; signal++) if (!STOPS.includes(signal)) resetSignal(signal, 0);
  requireSuccess(prctl(NO_NEW_PRIVS, 1, null, 0, 0), 'no_new_privs');
  if (landlockVersion() > 0) restrictFiles(plan);
  requireSuccess(prctl(SECCOMP, FILTER, program, 0, 0), 'seccomp');
  keepDescriptors();
  execve(plan.file, [plan.file, ...plan.words, null], [...env, null]);
  throw new Error(`${plan.file} cannot be executed: ${lastError()}`);
}

/** Keeps the inherited descriptors open, which Node would close at execve. Of Node's own files none is a socket. */
function keepDescriptors(): void {
  for (const fd of STANDARD) setDescriptorFlags(fd, SET_FLAGS, 0);
  for (const fd of BESIDE) if (isSocket(fd)) setDescriptorFlags(fd, SET_FLAGS, 0);
}

function isSocket(fd: number): boolean {
  try {
    return fstatSync(fd).isSocket();
  } catch {
    // The descriptor is not open.
    return false;
  }
}

/** Drops root's capabilities beyond others' files and processes. */
function dropCapabilities(): void {
  const header = Buffer.alloc(8);
  header.writeUInt32LE(CAPABILITY_VERSION, 0);
  requireSuccess(setCapabilities(header, Buffer.alloc(24)), 'capset');
}

try {
  become(JSON.parse(process.argv[2]));
} catch (error) {
  process.stderr.write(`It could not be held, and was not started: ${(error as Error).message}\n`);
  process.exitCode = NOT_HELD;
}
