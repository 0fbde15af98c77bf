import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownScript } from '../../base/node/own-script.ts';
import type { SandboxBackend } from './backends.ts';
import type { SandboxFindings } from './isolation.ts';
import { prepareSandboxed } from './prepare-sandboxed.ts';
import { privateFolder } from './private-folder.ts';
import type { ForbiddenTargets } from './prober.ts';
import type { ResourceLimits } from './sandbox.ts';
import { killGroupAfterUs } from './watchdog.ts';

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
