import { chmodSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import type { SandboxFindings } from './isolation.ts';

/** Resources that a probe tries to reach though it must not. */
export interface ForbiddenTargets {
  /** A file outside the sandbox. */
  readonly file: string;
  /** An open port of this machine. */
  readonly port: number;
  /** A process outside the sandbox. */
  readonly pid: number;
}

/** Attempts forbidden actions as an untrusted program would, and reports which of them failed. */
const { file, port, pid }: ForbiddenTargets = JSON.parse(process.argv[2]);

const fails = (work: () => unknown): boolean => {
  try {
    work();
    return false;
  } catch {
    return true;
  }
};

const isDeaf = new Promise<boolean>((resolve) => {
  const socket = connect(port, '127.0.0.1');
  socket.on('connect', () => resolve(false));
  socket.on('error', () => resolve(true));
});

const findings: SandboxFindings = {
  files: [
    () => readFileSync(file),
    () => writeFileSync(file, 'x'),
    () => writeFileSync(join(dirname(file), 'other'), 'x'),
    () => chmodSync(file, 0o777),
    // The first versions of Landlock do not restrict truncation.
    () => truncateSync(file),
  ].every(fails),
  network: await isDeaf,
  processes: fails(() => process.kill(pid, 0)),
};
process.stdout.write(JSON.stringify(findings), () => process.exit());
