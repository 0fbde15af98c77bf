import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownScript } from '../../base/node/invocation.ts';
import { isExecutable, searchPath } from '../../base/node/search-path.ts';
import type { SandboxBackend } from './backends.ts';
import { cleanEnvironment } from './environment.ts';
import type { LaunchPlan } from './launcher/plan.ts';
import { type PrivateFolder, privateFolder } from './private-folder.ts';
import { threadsOfUser } from './processes.ts';
import type { ProcessCommand, ResourceLimits, SandboxAllowance, SandboxedCommand } from './sandbox.ts';
import { DEVICES, GPU_DEVICE, GPU_FOLDERS, systemReads } from './system.ts';
import { watchProcess } from './watch.ts';

const LAUNCHER = fileURLToPath(ownScript('./launcher/launcher', import.meta.url));

/** Prepares a process that starts in a sandbox lane. @throws Error of the file system, or of a program that does not exist */
export function prepareSandboxed(
  lane: SandboxBackend,
  limits: ResourceLimits,
  start: ProcessCommand,
  allowance: SandboxAllowance,
): SandboxedCommand {
  const file = fileOf(start);
  const folder = privateFolder();
  const plan = planOf(lane, limits, { ...start, file }, allowance, folder);
  const command = [process.execPath, LAUNCHER, JSON.stringify(plan)];
  const [program, ...words] = lane.wrap(plan, command);
  let unwatch = () => {};
  return {
    ...{ file: program, words, cwd: folder.path, folder: folder.path, tellsSignals: lane.tellsSignals },
    env: cleanEnvironment(start.env, folder.path, allowance.env),
    watch(pid, breach) {
      const folders = lane.gives.readOnly ? plan.writes.filter((path) => path !== folder.path) : plan.writes;
      unwatch = watchProcess({ pid, limits, folders }, breach);
    },
    release() {
      unwatch();
      folder.remove();
    },
  };
}

/** The path of a program, as a start without a shell resolves it. @throws Error with the code ENOENT or EACCES */
function fileOf({ file, env, cwd = '.' }: ProcessCommand): string {
  const isPath = file.includes('/');
  const places = isPath ? [resolve(cwd, file)] : searchPath(env).map((folder) => join(folder, file));
  const files = places.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
  const found = files.find(isExecutable);
  if (found !== undefined) return found;
  const code = files.length > 0 ? 'EACCES' : 'ENOENT';
  throw Object.assign(new Error(`spawn ${file} ${code}`), { code });
}

function planOf(
  { gives, mounts }: SandboxBackend,
  limits: ResourceLimits,
  { file, words }: ProcessCommand,
  { reads, writes = [], gpu, processes: earlier = 0 }: SandboxAllowance,
  { path }: PrivateFolder,
): LaunchPlan {
  const seesOthers = !gives.alone;
  const all = new Set([file, ...systemReads(gpu, seesOthers), ...reads]);
  const devices = [...DEVICES, ...(gpu ? gpuDevices() : [])];
  return {
    ...{ file, words, cwd: path, limits, gpu, earlier, ...gives },
    reads: withTargets([...all].filter((one) => existsSync(one))),
    writes: [path, ...writes],
    devices: devices.filter((one) => existsSync(one)),
    others: threadsOfUser(),
    ...(mounts ? { mounts: path } : {}),
  };
}

/** Paths, with the targets of those that are links. */
const withTargets = (paths: readonly string[]): readonly string[] => [
  ...new Set(paths.flatMap((path) => [path, realpathSync(path)])),
];

const gpuDevices = (): readonly string[] => [
  ...GPU_FOLDERS,
  ...readdirSync('/dev')
    .filter((name) => GPU_DEVICE.test(name))
    .map((name) => join('/dev', name)),
];
