import { randomUUID } from 'node:crypto';
import { readdirSync, readlinkSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { sha256Sync } from './sha256-sync.ts';

/** Files whose names say which process writes them, so that another removes them where that was killed. */
const NAMED = /\.(?<where>[\da-f]{8})-(?<pid>\d+)-[\da-f-]{36}\.tmp$/;

let known: string | undefined;

/** Where numbers of processes are the same: this machine, and what of its processes can be seen. */
function here(): string {
  known ??= sha256Sync(`${hostname()} ${namespace()}`).slice(0, 8);
  return known;
}

function namespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    // Not every system has one.
    return '';
  }
}

/** The path of a new file beside another, or in a folder, that this process is to remove or to rename. */
export const temporaryBeside = (path: string): string =>
  `${path}.${here()}-${process.pid}-${randomUUID()}.tmp`;

/** Removes what processes have left in a folder that ended in the middle of writing, as far as it can be seen and removed. */
export function removeLeftBehind(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const { where, pid } = NAMED.exec(name)?.groups ?? {};
      if (where === here() && !isRunning(Number(pid))) rmSync(join(folder, name), { force: true });
    }
  } catch {
    // Who may write into a folder need not see what is in it.
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Of another user's it is told that it may not be signalled.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
