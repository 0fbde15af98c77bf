import type { Limits } from '../confinement.ts';

/** What a launcher is told: how it is to hold the program that it becomes. */
export interface LaunchPlan {
  /** The program's file, and its words. */
  readonly file: string;
  readonly words: readonly string[];
  readonly cwd: string;
  /** Files and folders that it may read and execute. */
  readonly reads: readonly string[];
  /** Folders in which it may do anything to files. */
  readonly writes: readonly string[];
  /** Devices that it may read, write and control. */
  readonly devices: readonly string[];
  readonly limits: Limits;
  /** Threads of others that the system counts with its own. */
  readonly others: number;
  /** Processes that its namespace has had before it: else all would have the same number. */
  readonly earlier: number;
  /** Whether it computes on a GPU, whose driver reserves more memory than it uses. */
  readonly gpu: boolean;
  /** Whether it is alone with its processes: it sees no others, and they end with the first of them. */
  readonly alone: boolean;
  /** Whether all that it sees is read-only but for what it may write. */
  readonly readOnly: boolean;
  /** Whether it sees no sockets of others. */
  readonly unseen: boolean;
  /** The private folder, of which it is to make a file system of its own, and make all others read-only, before it begins. */
  readonly mounts?: string | undefined;
}

/** Exit code of a launcher that could not hold what it was to start: it has started nothing. */
export const NOT_HELD = 125;
