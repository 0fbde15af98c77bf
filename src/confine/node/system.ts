import { realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where systems keep programs, libraries and what these read. Of /etc it is single files: others hold secrets. */
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
  // How many processors and how much memory there is decides how libraries compute.
  ...['/sys/devices/system', '/sys/fs/cgroup', '/sys/kernel/mm/transparent_hugepage'],
];

/** What of /proc tells of the machine alone; of processes it is {@link OWN_PROCESS}, or all where others are not seen. */
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

/** What drivers of GPUs read. */
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

/** Folders whose devices are all of GPUs, and how names of those in /dev begin. */
export const GPU_FOLDERS = ['/dev/dri', '/dev/nvidia-caps', '/dev/dxg', '/dev/kfd'];
export const GPU_DEVICE = /^(nvidia|davinci|accel|mali|kgsl)/;

/** What every process that is not trusted may read. @param seesOthers whether /proc has processes that are not its own. */
export function systemReads(gpu: boolean, seesOthers: boolean): readonly string[] {
  const processes = seesOthers ? [...MACHINE, OWN_PROCESS] : ['/proc'];
  return [...SYSTEM, ...processes, ...(gpu ? GPU_READS : []), ...libraryFolders(), ...ownReads()];
}

/** Where the user has libraries looked for, who decides what is read there. */
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

/** The folders of packages above a file that Node looks for them in. */
export function packageFolders(file: string): readonly string[] {
  const found: string[] = [];
  for (let at = dirname(file), last = ''; at !== last; last = at, at = dirname(at)) {
    found.push(at.endsWith('/node_modules') ? at : join(at, 'node_modules'));
  }
  return found;
}
