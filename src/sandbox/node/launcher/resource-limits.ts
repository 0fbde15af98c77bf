import { limit, requireSuccess } from './libc.ts';
import type { LaunchPlan } from './plan.ts';

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
export function limitResources({ limits, gpu, others }: LaunchPlan): void {
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
