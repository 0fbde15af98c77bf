import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mount, mountAttributes, requireSuccess } from './libc.ts';
import type { LaunchPlan } from './plan.ts';

/** Flags of mounts: include/uapi/linux/mount.h. */
const [NOSUID, NODEV, BIND] = [2, 4, 4096];
const [READ_ONLY, NO_SUID] = [1n, 2n];
const RECURSIVE = 0x8000;
const AT_FDCWD = -100;
/** The most files and folders in a file system in memory: each takes some memory. */
const INODES = 100_000;

/**
 * Mounts file systems in memory over the private folder and shared memory, in its own mount namespace. All others become
 * read-only, except folders that may be written. @throws Error
 */
export function mountPrivately(folder: string, { limits, writes }: LaunchPlan): void {
  const size = `size=${limits.fileBytes},nr_inodes=${INODES},mode=700`;
  const others = writes.filter((path) => path !== folder);
  const shown = ordinaryProcess();
  for (const path of others) requireSuccess(mount(path, path, null, BIND, null), `mount of ${path}`);
  for (const path of [folder, SHARED]) {
    requireSuccess(mount('tmpfs', path, 'tmpfs', NOSUID | NODEV, size), `mount of ${path}`);
  }
  show(shown, folder);
  change('/', RECURSIVE, READ_ONLY | NO_SUID, 0n);
  for (const path of [...others, folder, SHARED]) change(path, 0, 0n, READ_ONLY);
}

const SHARED = '/dev/shm';

/**
 * Contents, by path, of files in /proc that would otherwise describe the sandbox: of the process that this one becomes, and of
 * those above it.
 */
function ordinaryProcess(): ReadonlyMap<string, string> {
  const read = (path: string) => readFileSync(path, 'utf8');
  const own = `/proc/${process.pid}`;
  const [parent, map] = [`/proc/${process.ppid}`, '         0          0 4294967295\n'];
  const isRoot = process.getuid?.() === 0;
  const status = read('/proc/self/status')
    .replace(/^(NoNewPrivs|Seccomp|Seccomp_filters):.*$/gm, '$1:\t0')
    .replace(/^(Cap(?:Prm|Eff|Amb)):.*$/gm, (line, name) => (isRoot ? line : `${name}:\t0000000000000000`));
  return new Map([
    [`${own}/status`, status],
    ...['mountinfo', 'mounts'].map((name) => [`${own}/${name}`, read(`/proc/self/${name}`)] as const),
    ...['uid_map', 'gid_map'].map((name) => [`${own}/${name}`, map] as const),
    [`${own}/setgroups`, 'allow\n'],
    ...(process.ppid === 1
      ? []
      : ([
          [`${parent}/cmdline`, '-bash\0'],
          [`${parent}/comm`, 'bash\n'],
        ] as const)),
    ...([
      ['/proc/1/cmdline', '/sbin/init\0'],
      ['/proc/1/comm', 'systemd\n'],
    ] as const),
  ]);
}

/** Mounts files over others of the system; where the system refuses, the originals stay visible. */
function show(files: ReadonlyMap<string, string>, folder: string): void {
  const made = join(folder, 'shown');
  for (const [path, text] of files) {
    writeFileSync(made, text, { mode: 0o444 });
    mount(made, path, null, BIND, null);
    rmSync(made);
  }
}

function change(path: string, flags: number, set: bigint, clear: bigint): void {
  const attributes = Buffer.alloc(32);
  attributes.writeBigUInt64LE(set, 0);
  attributes.writeBigUInt64LE(clear, 8);
  requireSuccess(
    mountAttributes(AT_FDCWD, path, flags, attributes, attributes.length),
    `mount_setattr of ${path}`,
  );
}
