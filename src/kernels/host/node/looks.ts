import childProcess, { ChildProcess } from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Watches what a JavaScript kernel looks at that a product does not need and that tells who calls it: files about processes and the
 * machine, files that it may not read outside of its folder, and the network. Its own copies of these functions, other threads and native
 * code are not watched.
 */

/** Functions of files, whose first argument is a path. */
const OF_FILES = [
  ...['readFile', 'open', 'readdir', 'readlink', 'stat', 'lstat', 'access', 'opendir', 'realpath'],
  ...['writeFile', 'appendFile', 'mkdir', 'copyFile', 'cp', 'mkdtemp', 'statfs'],
];
const AT_ONCE = ['exists', 'createReadStream', 'createWriteStream', 'existsSync', 'openAsBlob', 'watch'];
const REFUSED = new Set(['EACCES', 'EPERM', 'EROFS']);

/** Files that tell who runs a process, and how: no product depends on them. Files about its own memory and the machine are allowed. */
const TELLING = [
  /^\/proc\/?$/,
  /^\/proc\/(self|thread-self|\d+)(?!\/(maps|statm|smaps|smaps_rollup|io|numa_maps|auxv)$)/,
  /^\/proc\/(net|mounts|keys|sys\/kernel\/(hostname|domainname|random\/boot_id|seccomp))/,
  /^\/(\.dockerenv|run\/(\.containerenv|systemd\/container))/,
  /^\/etc\/(hostname|hosts|machine-id|resolv\.conf)$/,
  /^\/sys\/(class\/(dmi|net)|hypervisor|kernel\/security)/,
];

const isTelling = (path: string): boolean => TELLING.some((one) => one.test(path));

const COMMANDS =
  /\/proc\/(self|\d|\$)|(^|[\s"'/;|&])(ps|pgrep|pstree|hostname|systemd-detect-virt|printenv|lsof|strace)(["'\s;|&]|$)/;

/** True if a command asks about processes or the machine. */
const isTellingCommand = (words: string): boolean => COMMANDS.test(words);

type Called = (this: unknown, ...given: unknown[]) => unknown;

/** Starts watching. @returns a function that returns, once each, what was seen since its last call. */
export function startLookout(): () => readonly string[] {
  const told = new Set<string>();
  let found: string[] = [];
  const note = (what: string) => {
    if (told.has(what)) return;
    told.add(what);
    found.push(what);
  };
  const files = fileNotes(note);
  for (const name of OF_FILES) {
    watched(fs, name, files);
    watched(fs, `${name}Sync`, files);
    watched(fs.promises, name, files);
  }
  for (const name of AT_ONCE) watched(fs, name, files);
  const network: Watching = () => note('the network');
  watched(Socket.prototype, 'connect', network);
  watched(dgram, 'createSocket', network);
  for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6']) {
    watched(dns, name, network);
    watched(dns.promises, name, network);
  }
  const commands: Watching = (given) => {
    const words = JSON.stringify(given) ?? '';
    if (isTellingCommand(words)) note('lists of processes from other programs');
  };
  watched(ChildProcess.prototype, 'spawn', ([about]) => {
    const { file, args } = about as { readonly file?: unknown; readonly args?: unknown };
    commands([file, args], undefined);
  });
  for (const name of ['spawnSync', 'execSync', 'execFileSync']) watched(childProcess, name, commands);
  syncBuiltinESMExports();
  return () => {
    const now = found;
    found = [];
    return now;
  };
}

/** Receives the arguments of a function, and the code of its error. */
type Watching = (given: readonly unknown[], refused: string | undefined) => void;

function fileNotes(note: (what: string) => void): Watching {
  const own = process.cwd();
  return ([path], refused) => {
    const named = nameOf(path);
    if (named === undefined) return;
    if (isTelling(named)) note(named);
    else if (refused !== undefined && REFUSED.has(refused) && !named.startsWith(own))
      note(`${named}, which it may not read,`);
  };
}

function nameOf(path: unknown): string | undefined {
  try {
    if (typeof path === 'string') return resolve(path);
    if (path instanceof URL) return fileURLToPath(path);
    return Buffer.isBuffer(path) ? resolve(path.toString('latin1')) : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces a method by one that behaves the same and is watched. */
function watched(holder: object, name: string, watching: Watching): void {
  const method: unknown = Reflect.get(holder, name);
  if (typeof method !== 'function') return;
  const shown = new Proxy(method as Called, {
    apply(target, self, given) {
      try {
        const answer = Reflect.apply(target, self, given);
        watching(given, undefined);
        if (answer instanceof Promise) answer.catch((error) => watching(given, codeIn(error)));
        return answer;
      } catch (error) {
        watching(given, codeIn(error));
        throw error;
      }
    },
  });
  const found = Object.getOwnPropertyDescriptor(holder, name);
  if (found?.configurable === true)
    Object.defineProperty(holder, name, { ...described(found), value: shown });
}

const described = ({ enumerable = true }: PropertyDescriptor): PropertyDescriptor => ({
  ...{ enumerable, writable: true, configurable: true },
});

const codeIn = (error: unknown): string | undefined => {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? code : undefined;
};
