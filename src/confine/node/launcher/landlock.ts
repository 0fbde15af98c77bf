import { closeSync, openSync, statSync } from 'node:fs';
import { landlockAdd, landlockCreate, landlockRestrict, succeed } from './libc.ts';
import type { LaunchPlan } from './plan.ts';

/** What may be done to files, by the versions of Landlock that know of it: include/uapi/linux/landlock.h. */
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
/** TCP: to bind, and to connect. */
const [TCP, TCP_SINCE] = [0b11n, 4];
/** Sockets of an abstract name, and signals: none that lead out. */
const [SCOPES, SCOPES_SINCE] = [0b11n, 6];

const READ = EXECUTE | READ_FILE | READ_DIR;
const OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV;

/** Shared memory, which a process that is alone has for itself. */
const OWN_SHARED = '/dev/shm';

const VERSION = 1;
const PATH_BENEATH = 1;
/** Linux's O_PATH: the place of a file, not what is in it. */
const O_PATH = 0x200000;

/** The version of Landlock that this kernel has; 0 where it has none, or it is off. */
export const landlockVersion = (): number => Math.max(0, landlockCreate(null, 0, VERSION));

/** From this version on, it holds signals to others. */
export const HOLDS_SIGNALS = SCOPES_SINCE;

/** From here on this thread, and the program that it becomes, may use no files but those of the plan. @throws Error */
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
  succeed(landlockRestrict(ruleset, 0), 'landlock_restrict_self');
}

function createRuleset(version: number, handled: bigint): number {
  const size = version >= SCOPES_SINCE ? 24 : version >= TCP_SINCE ? 16 : 8;
  const attributes = Buffer.alloc(24);
  attributes.writeBigUInt64LE(handled, 0);
  attributes.writeBigUInt64LE(TCP, 8);
  attributes.writeBigUInt64LE(SCOPES, 16);
  return succeed(landlockCreate(attributes, size, 0), 'landlock_create_ruleset');
}

/** What is not there needs no right. */
function allowBeneath(ruleset: number, path: string, rights: bigint): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  const place = openSync(path, O_PATH);
  const rule = Buffer.alloc(12);
  rule.writeBigUInt64LE(found.isDirectory() ? rights : rights & OF_FILES, 0);
  rule.writeInt32LE(place, 8);
  succeed(landlockAdd(ruleset, PATH_BENEATH, rule, 0), `landlock_add_rule of ${path}`);
  closeSync(place);
}
