import { closeSync, openSync, statSync } from 'node:fs';
import { landlockAdd, landlockCreate, landlockRestrict, requireSuccess } from './libc.ts';
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
