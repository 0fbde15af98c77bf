import { lstatSync, readlinkSync } from 'node:fs';
import type { LaunchPlan } from './launcher/plan.ts';

/** A way to start a launcher: in namespaces of its own, or as it is. */
export interface Lane {
  readonly name: 'bwrap' | 'unshare' | 'launcher';
  /** What of its plan follows from the way. */
  readonly gives: Pick<LaunchPlan, 'alone' | 'readOnly' | 'unseen'>;
  /** Whether the launcher mounts what bubblewrap does. */
  readonly mounts: boolean;
  /** Whether a program that a signal has ended is told of by 128 and the signal's number. */
  readonly tellsSignals: boolean;
  /** The command that starts a command so. */
  wrap(plan: LaunchPlan, command: readonly string[]): readonly string[];
}

/** The strongest first. */
export const lanes: readonly Lane[] = [
  {
    name: 'bwrap',
    gives: { alone: true, readOnly: true, unseen: true },
    mounts: false,
    tellsSignals: true,
    wrap: (plan, command) => ['bwrap', ...bubblewrap(plan), '--', ...looksAfter(plan, command)],
  },
  {
    name: 'unshare',
    gives: { alone: true, readOnly: true, unseen: false },
    mounts: true,
    tellsSignals: true,
    wrap: (plan, command) => ['unshare', ...UNSHARE, ...looksAfter(plan, command)],
  },
  {
    name: 'launcher',
    gives: { alone: false, readOnly: false, unseen: false },
    mounts: false,
    tellsSignals: false,
    wrap: (_, command) => command,
  },
];

const UNSHARE = [
  ...['--user', '--map-current-user', '--keep-caps', '--pid', '--fork', '--kill-child=KILL'],
  ...['--mount', '--mount-proc', '--ipc', '--net', '--uts'],
];

/**
 * The first process of a namespace takes no signals, and is to look after those that have lost their parents: a shell does. It first
 * starts as many as it is told, one after the other, which do nothing: the system counts them. The program is started by
 * another, as programs are.
 */
const LEAVE = 'exec <&- >&- 2>&- 3>&- 4>&- 5<&-; wait $!; exit $?';
const FIRST_PROCESS = `
left=$1; shift
while [ "$left" -gt 0 ]; do (:); left=$((left - 1)); done
exec 5<&0; ( "$@" <&5 5<&- & ${LEAVE} ) <&5 & ${LEAVE}`;

const looksAfter = ({ earlier }: LaunchPlan, command: readonly string[]): readonly string[] => [
  ...['/bin/sh', '-c', FIRST_PROCESS, 'sh', String(earlier)],
  ...command,
];

const NAMESPACES = ['user', 'ipc', 'pid', 'net', 'uts', 'cgroup-try'].map((name) => `--unshare-${name}`);

function bubblewrap({ cwd, reads, writes, devices, limits }: LaunchPlan): readonly string[] {
  const memory = (path: string) => ['--size', String(limits.fileBytes), '--tmpfs', path];
  return [
    ...[...NAMESPACES, '--die-with-parent', '--cap-drop', 'ALL', '--proc', '/proc', '--dev', '/dev'],
    ...memory('/dev/shm'),
    ...devices
      .filter((path) => !OWN_DEVICES.includes(path))
      .flatMap((path) => ['--dev-bind-try', path, path]),
    ...outermost(reads.filter((path) => !/^\/proc(\/|$)/.test(path))).flatMap(shown),
    ...memory(cwd),
    ...writes.filter((path) => path !== cwd).flatMap((path) => ['--bind', path, path]),
    ...['--remount-ro', '/', '--chdir', cwd],
  ];
}

/** Those that bubblewrap makes. */
const OWN_DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'shm'].map((name) => `/dev/${name}`);

/** Without what lies in others of them. */
const outermost = (paths: readonly string[]): readonly string[] =>
  paths.filter((path) => !paths.some((other) => path.startsWith(`${other}/`)));

/** A link as a link, anything else read-only. */
function shown(path: string): readonly string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return found.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
}
