import { mount, mountAttributes, succeed } from './libc.ts';
import type { LaunchPlan } from './plan.ts';

/** Flags of mounts: include/uapi/linux/mount.h. */
const [NOSUID, NODEV, BIND] = [2, 4, 4096];
const [READ_ONLY, NO_SUID] = [1n, 2n];
const RECURSIVE = 0x8000;
const AT_FDCWD = -100;
/** Files and folders in a file system of memory: each takes some of it. */
const INODES = 100_000;

/**
 * In a namespace of its own: makes a file system in memory of the private folder and of shared memory, and all others
 * read-only but for the folders that may be written. @throws Error
 */
export function mountPrivately(folder: string, { limits, writes }: LaunchPlan): void {
  const size = `size=${limits.fileBytes},nr_inodes=${INODES},mode=700`;
  const others = writes.filter((path) => path !== folder);
  for (const path of others) succeed(mount(path, path, null, BIND, null), `mount of ${path}`);
  for (const path of [folder, SHARED]) {
    succeed(mount('tmpfs', path, 'tmpfs', NOSUID | NODEV, size), `mount of ${path}`);
  }
  change('/', RECURSIVE, READ_ONLY | NO_SUID, 0n);
  for (const path of [...others, folder, SHARED]) change(path, 0, 0n, READ_ONLY);
}

const SHARED = '/dev/shm';

function change(path: string, flags: number, set: bigint, clear: bigint): void {
  const attributes = Buffer.alloc(32);
  attributes.writeBigUInt64LE(set, 0);
  attributes.writeBigUInt64LE(clear, 8);
  succeed(mountAttributes(AT_FDCWD, path, flags, attributes, attributes.length), `mount_setattr of ${path}`);
}
