import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  landlockAdd,
  landlockCreate,
  landlockRestrict,
  mount,
  mountAttributes,
  requireSuccess,
} from './libc.ts';
import type { LaunchPlan } from './plan.ts';

/** A right to files; versions of Landlock differ in the rights that they know. Source: include/uapi/linux/landlock.h. */
const right = (bit: number) => 1n << BigInt(bit);
const EXECUTE = right(0);
const WRITE_FILE = right(1);
const READ_FILE = right(2);
const READ_DIR = right(3);
const MAKE_CHAR = right(6);
const MAKE_BLOCK = right(11);
const REFER = right(13);
const TRUNCATE = right(14);
const IOCTL_DEV = right(15);

const FIRST = right(13) - 1n;
const LATER: readonly (readonly [version: number, right: bigint])[] = [
  [2, REFER],
  [3, TRUNCATE],
  [5, IOCTL_DEV],
];
/** Rights to bind and to connect TCP sockets. */
const [TCP, TCP_SINCE] = [0b11n, 4];
/** Scopes of abstract sockets and of signals: none may leave the sandbox. */
const [SCOPES, SCOPES_SINCE] = [0b11n, 6];

const READ = EXECUTE | READ_FILE | READ_DIR;
const OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV;

/** Shared memory, which a process in its own namespace has for itself. */
const OWN_SHARED = '/dev/shm';

const VERSION = 1;
const PATH_BENEATH = 1;
/** Linux's O_PATH: opens a file's place without its contents. */
const O_PATH = 0x200000;

/** Returns the version of Landlock in this kernel; 0 if it is missing or off. */
export const landlockVersion = (): number => Math.max(0, landlockCreate(null, 0, VERSION));

/** The first version of Landlock that restricts signals to others. */
export const HOLDS_SIGNALS = SCOPES_SINCE;

/** Restricts this thread, and the program that it becomes, to the files of the plan. @throws Error */
export function restrictFiles({ reads, writes, devices, alone }: LaunchPlan): void {
  const version = landlockVersion();
  const handled = LATER.reduce((all, [since, one]) => (version >= since ? all | one : all), FIRST);
  const ruleset = createRuleset(version, handled);
  const allow = (paths: readonly string[], rights: bigint) => {
    for (const path of paths) allowBeneath(ruleset, path, rights & handled);
  };
  allow(reads, READ);
  allow([...writes, ...(alone ? [OWN_SHARED] : [])], handled & ~(MAKE_CHAR | MAKE_BLOCK | IOCTL_DEV));
  allow(devices, READ_FILE | WRITE_FILE | READ_DIR | IOCTL_DEV);
  requireSuccess(landlockRestrict(ruleset, 0), 'landlock_restrict_self');
}

function createRuleset(version: number, handled: bigint): number {
  const size = version >= SCOPES_SINCE ? 24 : version >= TCP_SINCE ? 16 : 8;
  const attributes = Buffer.alloc(24);
  attributes.writeBigUInt64LE(handled, 0);
  attributes.writeBigUInt64LE(TCP, 8);
  attributes.writeBigUInt64LE(SCOPES, 16);
  return requireSuccess(landlockCreate(attributes, size, 0), 'landlock_create_ruleset');
}

/** Grants rights below a path; a path that does not exist needs none. */
function allowBeneath(ruleset: number, path: string, rights: bigint): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  const place = openSync(path, O_PATH);
  const rule = Buffer.alloc(12);
  rule.writeBigUInt64LE(found.isDirectory() ? rights : rights & OF_FILES, 0);
  rule.writeInt32LE(place, 8);
  requireSuccess(landlockAdd(ruleset, PATH_BENEATH, rule, 0), `landlock_add_rule of ${path}`);
  closeSync(place);
}

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
