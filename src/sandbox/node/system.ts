import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cleanEnvironment } from './environment.ts';

/** Folders of the system's programs, libraries and their data. /etc contributes single files only: others hold secrets. */
const SYSTEM = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store'],
  ...['/etc/ld.so.cache', '/etc/ld.so.conf', '/etc/ld.so.conf.d', '/etc/ld-musl-x86_64.path'],
  ...[
    '/etc/alternatives',
    '/etc/localtime',
    '/etc/timezone',
    '/etc/nsswitch.conf',
    '/etc/passwd',
    '/etc/group',
  ],
  ...[
    '/etc/os-release',
    '/etc/locale.conf',
    '/etc/locale.alias',
    '/etc/mime.types',
    '/etc/python3',
    '/etc/ssl/openssl.cnf',
    '/etc/pki/tls/openssl.cnf',
    '/etc/crypto-policies',
  ],
  // The numbers of processors and the memory size decide how libraries compute.
  ...['/sys/devices/system', '/sys/fs/cgroup', '/sys/kernel/mm/transparent_hugepage'],
];

/** Files of /proc about the machine only. Of processes only {@link OWN_PROCESS} is readable, or all where other processes are hidden. */
const MACHINE = [
  ...[
    'cpuinfo',
    'meminfo',
    'stat',
    'version',
    'filesystems',
    'loadavg',
    'uptime',
    'devices',
    'cgroups',
    'swaps',
  ],
  ...[
    'sys/kernel/osrelease',
    'sys/kernel/ostype',
    'sys/kernel/version',
    'sys/kernel/random',
    'sys/kernel/threads-max',
  ],
  ...[
    'sys/kernel/pid_max',
    'sys/kernel/cap_last_cap',
    'sys/kernel/ngroups_max',
    'sys/vm',
    'sys/fs/pipe-max-size',
  ],
].map((name) => `/proc/${name}`);
const OWN_PROCESS = '/proc/self';

/** Devices that every process may use. */
export const DEVICES = ['null', 'zero', 'full', 'random', 'urandom'].map((name) => `/dev/${name}`);

/** Files that GPU drivers read. */
const GPU_READS = [
  ...[
    '/etc/vulkan',
    '/etc/OpenCL',
    '/etc/glvnd',
    '/etc/drirc',
    '/opt/rocm',
    '/opt/amdgpu',
    '/opt/nvidia',
    '/opt/intel',
  ],
  ...['/run/opengl-driver', '/run/nvidia-persistenced', '/etc/nvidia', '/usr/local/cuda'],
  ...[
    '/sys/class',
    '/sys/dev',
    '/sys/bus/pci',
    '/sys/devices',
    '/sys/module/nvidia',
    '/sys/module/nvidia_uvm',
    '/sys/module/amdgpu',
  ],
  ...['/proc/driver/nvidia', '/proc/driver/nvidia-caps', '/proc/modules'],
];

/** Folders that hold only GPU devices, and prefixes of such names in /dev. */
export const GPU_FOLDERS = ['/dev/dri', '/dev/nvidia-caps', '/dev/dxg', '/dev/kfd'];
export const GPU_DEVICE = /^(nvidia|davinci|accel|mali|kgsl)/;

/** Returns the paths that every untrusted process may read. @param seesOthers true if /proc shows processes other than its own */
export function systemReads(gpu: boolean, seesOthers: boolean): readonly string[] {
  const processes = seesOthers ? [...MACHINE, OWN_PROCESS] : ['/proc'];
  return [...SYSTEM, ...processes, ...(gpu ? GPU_READS : []), ...libraryFolders(), ...ownReads()];
}

/** Library folders that the user configured: the user decides what is readable there. */
function libraryFolders(): readonly string[] {
  const named = [process.env.LD_LIBRARY_PATH ?? '', process.env.NODE_PATH ?? ''];
  return named
    .flatMap((list) => list.split(delimiter))
    .filter((folder) => folder.length > 1 && folder.startsWith('/'));
}

/** This package, the packages that it imports, and Node. */
function ownReads(): readonly string[] {
  const root = realpathSync(fileURLToPath(new URL('../../../', import.meta.url)));
  const parts = ['dist', 'share/programs', 'package.json'].map((name) => join(root, name));
  return [
    process.execPath,
    realpathSync(process.execPath),
    ...parts,
    ...packageFolders(join(root, 'package.json')),
  ];
}

/** Returns the package folders above a file, in which Node resolves its imports. */
function packageFolders(file: string): readonly string[] {
  const found: string[] = [];
  for (let at = dirname(file), last = ''; at !== last; last = at, at = dirname(at)) {
    found.push(at.endsWith('/node_modules') ? at : join(at, 'node_modules'));
  }
  return found;
}

/**
 * Files that kernels in files must read, in addition to the system's libraries and ours. An untrusted file could import any
 * other: files beside it are readable only if the user allows their folder.
 */

/**
 * Lists the files that a JavaScript or TypeScript module needs: itself, the package.json that decides its module type, and the packages
 * above it.
 */
export function moduleNeeds(path: string): readonly string[] {
  const real = realpathSync(path);
  const packages = packageFolders(real);
  const kinds = packages.map((folder) => join(dirname(folder), 'package.json'));
  return existing([path, real, ...packages, ...kinds]);
}

/** Returns files that a shared library needs: itself. Its dependencies lie in the system's folders or in those of LD_LIBRARY_PATH. */
export const libraryNeeds = (path: string): readonly string[] => existing([path, realpathSync(path)]);

/** A Python interpreter, and the files that it reads. */
interface PythonNeeds {
  /** The interpreter itself; the given path may be a script that searches for it. */
  readonly file: string;
  readonly reads: readonly string[];
}

/** Prints where an interpreter, its library and its packages lie. */
const ASK = `
import json, sys, sysconfig
names = [sys.executable, sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix]
print(json.dumps([sys.executable, [*names, *sys.path, *sysconfig.get_paths().values()]]))`;

/** The interpreter's time limit for this, in seconds. */
const PATIENCE = 60;

/**
 * Finds the files that a Python file needs: itself, the interpreter's prefixes, and all folders of its path.
 * @throws Error of an interpreter that does not start, or prints nothing
 */
export async function pythonNeeds(python: string, path: string): Promise<PythonNeeds> {
  // The working folder is not the file's, from which Python would import. There is no home either: its packages are not for the sandbox.
  const env = cleanEnvironment(process.env, '/nonexistent');
  const about = { cwd: '/', env: { ...env, HOME: process.env.HOME ?? '/' }, timeout: 1000 * PATIENCE };
  const { stdout } = await promisify(execFile)(python, ['-s', '-c', ASK], about);
  const [file, found] = JSON.parse(stdout) as [string, readonly string[]];
  return { file, reads: existing([path, realpathSync(path), ...found.filter(isOfPython)]) };
}

/** A prefix may be the system's root or a home folder. Neither is a folder of Python's own, so neither becomes readable. */
const isOfPython = (path: string): boolean =>
  path.split(sep).filter((part) => part !== '').length > 1 && path !== process.env.HOME;

function existing(paths: readonly string[]): readonly string[] {
  const all = paths.filter((path) => existsSync(path));
  return [...new Set([...all, ...all.map((path) => realpathSync(path))])];
}
