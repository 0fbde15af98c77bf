import { randomUUID } from 'node:crypto';
import { readdirSync, readlinkSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { sha256Sync } from './sha256-sync.ts';

/** Names of temporary files. They contain the process that writes them, so that another can remove them if that was killed. */
const NAMED = /\.(?<where>[\da-f]{8})-(?<pid>\d+)-[\da-f-]{36}\.tmp$/;

let known: string | undefined;

/** Returns an id of the space of process ids: this machine and its process namespace. */
function here(): string {
  known ??= sha256Sync(`${hostname()} ${namespace()}`).slice(0, 8);
  return known;
}

function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    // Not every system has namespaces.
    return '';
  }
}

/** Returns the path of a new temporary file next to another, or in a folder. This process must remove or rename it. */
export const temporaryPathFor = (path: string): string =>
  `${path}.${here()}-${process.pid}-${randomUUID()}.tmp`;

/** Removes the files that killed processes left in a folder, as far as they can be seen and removed. */
export function removeStaleFiles(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const { where, pid } = NAMED.exec(name)?.groups ?? {};
      if (where === here() && !isRunning(Number(pid))) rmSync(join(folder, name), { force: true });
    }
  } catch {
    // A writable folder need not be readable.
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The error for another user's process is that it may not be signaled.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
