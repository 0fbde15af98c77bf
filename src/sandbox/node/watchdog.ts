import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { ENDING } from '../../base/node/run-uninterrupted.ts';

/**
 * A shell script that cleans up if this process is killed, as by SIGKILL. The shell runs in its own session. When its input ends,
 * it kills the registered process groups and removes the registered folders. A line that begins with a minus cancels a
 * registration.
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

/** Process groups and folders to clean up after this process. */
const lines = new Set<string>();
let watchdog: ChildProcess | undefined;

/**
 * Registers a process group to be killed if this process is killed.
 * @returns a function that cancels it
 * @throws Error of `spawn` if the watchdog cannot start; the group is then killed at once
 */
export const killGroupAfterUs = (group: number): (() => void) =>
  register(`g${group}`, () => {
    try {
      process.kill(-group, 'SIGKILL');
    } catch {
      // The group has ended.
    }
  });

/**
 * Registers a folder to be removed if this process is killed.
 * @returns a function that cancels it
 * @throws Error of `spawn` if the watchdog cannot start; the folder is then removed at once
 */
export const removeAfterUs = (folder: string): (() => void) =>
  register(`f${folder}`, () => rmSync(folder, { recursive: true, force: true }));

/** Registers a line. @param now cleans up at once, if the watchdog cannot start */
function register(line: string, now: () => void): () => void {
  // On Windows Node's children end with it. A registration cannot hold a line break.
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
  // Node gives no streams if the system is out of file descriptors.
  if (input === undefined)
    throw Object.assign(new Error('spawn /bin/sh EMFILE'), { code: 'EMFILE', syscall: 'spawn' });
  watchdog = started;
  input.on('error', () => {});
  watchdog.unref();
  input.unref?.();
  for (const one of lines) input.write(`${one}\n`);
}

/** Cleanups that are still to run when this process ends. */
const pending = new Set<() => void>();

/**
 * Runs a cleanup when this process ends: by itself, by an uncaught error, or by a signal. If others listen to a signal too, they
 * decide whether it ends the process.
 * @returns a function that runs the cleanup now and cancels the later one
 */
export function runAtExit(cleanup: () => void): () => void {
  if (pending.size === 0) listen();
  pending.add(cleanup);
  return () => {
    if (pending.delete(cleanup) && pending.size === 0) unlisten();
  };
}

function listen(): void {
  process.on('exit', cleanUp);
  for (const signal of ENDING) process.on(signal, onSignal);
}

function unlisten(): void {
  process.off('exit', cleanUp);
  for (const signal of ENDING) process.off(signal, onSignal);
}

/** Runs cleanups in reverse order: programs end before their working folders are removed. */
function cleanUp(): void {
  for (const cleanup of [...pending].reverse()) {
    try {
      cleanup();
    } catch {
      // The other cleanups must still run, and no caller is left to report to.
    }
  }
  pending.clear();
  unlisten();
}

function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  cleanUp();
  process.kill(process.pid, signal);
}
