import { chmodSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import type { Findings } from './holds.ts';

/** What a prober is given that it may not have. */
export interface Forbidden {
  /** A file of others. */
  readonly file: string;
  /** A port of this machine on which somebody listens. */
  readonly port: number;
  /** A process of others. */
  readonly pid: number;
}

/** Tries, as a program that is not trusted, what it may not do, and says what it could not. */
const { file, port, pid }: Forbidden = JSON.parse(process.argv[2]);

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

const findings: Findings = {
  files: [
    () => readFileSync(file),
    () => writeFileSync(file, 'x'),
    () => writeFileSync(join(dirname(file), 'other'), 'x'),
    () => chmodSync(file, 0o777),
    // Which the first versions of Landlock do not hold.
    () => truncateSync(file),
  ].every(fails),
  network: await isDeaf,
  processes: fails(() => process.kill(pid, 0)),
};
process.stdout.write(JSON.stringify(findings), () => process.exit());
