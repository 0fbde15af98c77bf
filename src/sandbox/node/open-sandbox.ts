import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownScript } from '../../base/node/invocation.ts';
import { noSandbox } from '../messages.ts';
import { type SandboxBackend, sandboxBackends } from './backends.ts';
import { cleanEnvironment } from './environment.ts';
import { describeFailures, describeIsolation, holdsLittle, type SandboxFindings } from './isolation.ts';
import { prepareSandboxed } from './prepare-sandboxed.ts';
import { privateFolder } from './private-folder.ts';
import type { ForbiddenTargets } from './prober.ts';
import { defaultLimits, type ResourceLimits, type Sandbox, type SandboxedCommand } from './sandbox.ts';
import { killGroupAfterUs } from './watchdog.ts';

export interface SandboxOptions {
  /** Limits that replace the default ones. */
  readonly limits?: Partial<ResourceLimits> | undefined;
  /** The lanes to try. @defaultValue all */
  readonly lanes?: readonly SandboxBackend['name'][] | undefined;
}

/**
 * Probes which sandbox works on this system.
 * @param wanted `required`: files, network and processes must all be isolated; `auto`: as much as possible; `off`: only a clean
 * environment and a private folder
 * @throws ParanoiaError `no-sandbox` if isolation is required and one of these fails
 */
export async function openSandbox(
  wanted: 'required' | 'auto' | 'off',
  { limits: given, lanes: tried = sandboxBackends.map(({ name }) => name) }: SandboxOptions = {},
): Promise<Sandbox> {
  const limits = { ...defaultLimits(), ...given };
  const best =
    wanted === 'off'
      ? undefined
      : await strongest(
          limits,
          sandboxBackends.filter(({ name }) => tried.includes(name)),
        );
  const missing = describeFailures(best?.found ?? {});
  if (wanted === 'required' && missing.length > 0) throw noSandbox({ missing, advice: advice() });
  if (best === undefined) return { holds: holdsLittle, confine: inFolder };
  return {
    holds: describeIsolation(best.lane, best.found, limits),
    confine: (start, allowance) => prepareSandboxed(best.lane, limits, start, allowance),
  };
}

interface Tried {
  readonly lane: SandboxBackend;
  readonly found: SandboxFindings;
}

/** The first lane that isolates everything, else the one that isolates most. */
async function strongest(limits: ResourceLimits, all: readonly SandboxBackend[]): Promise<Tried | undefined> {
  if (process.platform !== 'linux') return undefined;
  let best: Tried | undefined;
  for (const lane of all) {
    const found = await probeBackend(lane, limits);
    if (found === undefined) continue;
    if (best === undefined || describeFailures(found).length < describeFailures(best.found).length)
      best = { lane, found };
    if (describeFailures(found).length === 0) break;
  }
  return best;
}

const advice = (): string =>
  process.platform === 'linux'
    ? 'Install bubblewrap, or use Linux 6.2 or later with Landlock (x64 or arm64)'
    : 'Run it on Linux, for example in a container';

/** Starts with a clean environment and a private folder, without isolation. */
function inFolder(...[start, allowance]: Parameters<Sandbox['confine']>): SandboxedCommand {
  const folder = privateFolder();
  return {
    ...start,
    env: cleanEnvironment(start.env, folder.path, allowance.env),
    cwd: folder.path,
    folder: folder.path,
    watch() {},
    release: () => folder.remove(),
  };
}

const PROBER = fileURLToPath(ownScript('./prober', import.meta.url));

/** The time limit of a probe in seconds. */
const PATIENCE = 30;

/** Probes a lane: the findings, or undefined if no process starts in it. */
export async function probeBackend(
  lane: SandboxBackend,
  limits: ResourceLimits,
): Promise<SandboxFindings | undefined> {
  const others = privateFolder();
  const file = join(others.path, 'file');
  writeFileSync(file, 'x');
  const server = createServer((socket) => socket.end());
  server.on('error', () => {});
  try {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    return await probe(lane, limits, { file, port, pid: process.pid });
  } catch {
    return undefined;
  } finally {
    server.close();
    others.remove();
  }
}

async function probe(
  lane: SandboxBackend,
  limits: ResourceLimits,
  forbidden: ForbiddenTargets,
): Promise<SandboxFindings | undefined> {
  const start = { file: process.execPath, words: [PROBER, JSON.stringify(forbidden)], env: process.env };
  const confined = prepareSandboxed(lane, limits, start, { reads: [], gpu: false });
  const { file, words, env, cwd } = confined;
  const child = spawn(file, words, { env, cwd, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const forget = child.pid === undefined ? () => {} : killGroupAfterUs(child.pid);
  const late = setTimeout(() => child.kill('SIGKILL'), 1000 * PATIENCE);
  try {
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await Promise.race([once(child, 'close'), once(child, 'error')]);
    return said === '' ? undefined : JSON.parse(said);
  } finally {
    clearTimeout(late);
    forget();
    confined.release();
  }
}
