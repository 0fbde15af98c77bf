import type { ResourceLimits } from '../sandbox.ts';

/** Instructions to a launcher: how to sandbox the program that it becomes. */
export interface LaunchPlan {
  /** The program's file, and its arguments. */
  readonly file: string;
  readonly words: readonly string[];
  readonly cwd: string;
  /** Files and folders that it may read and execute. */
  readonly reads: readonly string[];
  /** Folders in which it has all rights to files. */
  readonly writes: readonly string[];
  /** Devices that it may read, write and control. */
  readonly devices: readonly string[];
  readonly limits: ResourceLimits;
  /** Threads of other processes that the system counts towards the same limit. */
  readonly others: number;
  /** Process ids that its namespace uses up first: otherwise all programs would have the same id. */
  readonly earlier: number;
  /** True if it computes on a GPU, whose driver reserves more memory than it uses. */
  readonly gpu: boolean;
  /** True if it has its own PID namespace: it sees no other processes, and all end with the first. */
  readonly alone: boolean;
  /** True if all that it sees is read-only, except folders that it may write. */
  readonly readOnly: boolean;
  /** True if sockets of other processes are hidden from it. */
  readonly unseen: boolean;
  /** The private folder, if the launcher must mount a file system in memory over it and make all others read-only. */
  readonly mounts?: string | undefined;
}

/** Exit code of a launcher that could not set up the sandbox; it has started nothing. */
export const NOT_HELD = 125;
