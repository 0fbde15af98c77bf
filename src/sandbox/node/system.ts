import { realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

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
export function packageFolders(file: string): readonly string[] {
  const found: string[] = [];
  for (let at = dirname(file), last = ''; at !== last; last = at, at = dirname(at)) {
    found.push(at.endsWith('/node_modules') ? at : join(at, 'node_modules'));
  }
  return found;
}
