import { lstatSync, readlinkSync } from 'node:fs';
import type { LaunchPlan } from './launcher/plan.ts';

/** A way to start a launcher: in namespaces of its own, or without any. */
export interface SandboxBackend {
  readonly name: 'bwrap' | 'unshare' | 'launcher';
  /** The parts of its launcher's plan that the lane decides. */
  readonly gives: Pick<LaunchPlan, 'alone' | 'readOnly' | 'unseen'>;
  /** True if the launcher makes the mounts that bubblewrap makes itself. */
  readonly mounts: boolean;
  /** True if the lane reports a program ended by a signal as exit code 128 plus the signal's number. */
  readonly tellsSignals: boolean;
  /** Wraps a command so that it starts in this lane. */
  wrap(plan: LaunchPlan, command: readonly string[]): readonly string[];
}

/** Lanes, the strongest first. */
export const sandboxBackends: readonly SandboxBackend[] = [
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
 * The first process of a PID namespace ignores signals and must reap orphans: a shell does. It first starts as many idle
 * processes as the plan says, one after the other, to use up process ids. A child of it then starts the program, as usual.
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

/** Devices that bubblewrap makes itself. */
const OWN_DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'shm'].map((name) => `/dev/${name}`);

/** Paths without those that lie inside others. */
const outermost = (paths: readonly string[]): readonly string[] =>
  paths.filter((path) => !paths.some((other) => path.startsWith(`${other}/`)));

/** Arguments that bind a path: a link as a link, anything else read-only. */
function shown(path: string): readonly string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return found.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
}
