import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import type { Writable } from 'node:stream';

/**
 * What is done where this process ends without a word, as by SIGKILL: a shell outside of it, in a session of its own, hears its
 * input end, kills the groups of processes that it was told of, and removes the folders. Of lines that begin with a minus it
 * forgets what they say.
 */
const SCRIPT = `
trap '' HUP INT QUIT TERM
groups=
without() {
  kept=
  for one in $groups; do [ "$one" = "$1" ] || kept="$kept $one"; done
  groups=$kept
}
while IFS= read -r line; do
  case $line in
    g*) groups="$groups \${line#g}" ;;
    -g*) without "\${line#-g}" ;;
    f*) set -- "$@" "\${line#f}" ;;
    -f*)
      left=$#
      while [ "$left" -gt 0 ]; do
        [ "$1" = "\${line#-f}" ] || set -- "$@" "$1"
        shift
        left=$((left - 1))
      done ;;
  esac
done
for one in $groups; do kill -9 "-$one" 2>/dev/null; done
for one; do
  chmod -R u+rwx "$one" 2>/dev/null
  rm -rf "$one" 2>/dev/null || { sleep 1; rm -rf "$one" 2>/dev/null; }
done
`;

/** What is to be ended or removed after this process. */
const lines = new Set<string>();
let watchdog: ChildProcess | undefined;

/**
 * Has a group of processes killed should this process be.
 * @returns what calls it off
 * @throws Error of `spawn` if the system starts no process for it: then the group is killed at once
 */
export const killGroupAfterUs = (group: number): (() => void) =>
  register(`g${group}`, () => {
    try {
      process.kill(-group, 'SIGKILL');
    } catch {
      // It has ended.
    }
  });

/**
 * Has a folder removed should this process be killed.
 * @returns what calls it off
 * @throws Error of `spawn` if the system starts no process for it: then the folder is removed at once
 */
export const removeAfterUs = (folder: string): (() => void) =>
  register(`f${folder}`, () => rmSync(folder, { recursive: true, force: true }));

/** @param now does it at once. */
function register(line: string, now: () => void): () => void {
  // Node lets no children of its outlive it on Windows; and no line has two.
  if (process.platform === 'win32' || line.includes('\n')) return () => {};
  lines.add(line);
  try {
    tell(line);
  } catch (error) {
    lines.delete(line);
    now();
    throw error;
  }
  return () => {
    if (lines.delete(line)) tell(`-${line}`);
  };
}

function tell(line: string): void {
  if (watchdog?.exitCode === null && watchdog.signalCode === null) {
    (watchdog.stdin as Writable).write(`${line}\n`);
    return;
  }
  watchdog = undefined;
  const started = spawn('/bin/sh', ['-c', SCRIPT], {
    ...{ cwd: '/', env: { PATH: '/usr/bin:/bin' }, detached: true },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  started.on('error', () => {});
  const input = started.stdin as (Writable & { unref?(): void }) | undefined;
  // Node gives no streams where the system has no file descriptor left.
  if (input === undefined)
    throw Object.assign(new Error('spawn /bin/sh EMFILE'), { code: 'EMFILE', syscall: 'spawn' });
  watchdog = started;
  input.on('error', () => {});
  watchdog.unref();
  input.unref?.();
  for (const one of lines) input.write(`${one}\n`);
}
