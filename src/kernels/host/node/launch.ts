import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Allowance, Confinement, Start } from '../../../confine/node/confinement.ts';
import type { Surroundings } from '../../surroundings.ts';
import { type Child, OWN_GROUP, watchOver } from './child.ts';
import type { Printed } from './printed.ts';

/** What holds the processes of a kernel that is not trusted. */
export interface HeldBy {
  /** @defaultValue none: they do what their user may */
  readonly confinement?: Confinement | undefined;
  /** Files and folders that they may read beside the system's and ours. @defaultValue none */
  readonly reads?: readonly string[] | undefined;
  /** Whether they compute on a GPU. @defaultValue false */
  readonly gpu?: boolean | undefined;
  /** What they see of the world around them. @defaultValue what is there */
  readonly surroundings?: Surroundings | undefined;
}

/** How a process is started. */
export interface Launch extends Pick<Allowance, 'writes'> {
  readonly stdio: StdioOptions;
  /** What it prints, where that is passed on. @defaultValue it is not */
  readonly printed?: Printed | undefined;
  /** Whether its standard output is for us, and not what it prints. @defaultValue false */
  readonly speaks?: boolean | undefined;
  /** Variables that a config names for it. */
  readonly named?: Allowance['env'];
}

/** A process of a kernel. */
export interface Launched extends Child {
  readonly process: ChildProcess;
}

/** Starts a process of a kernel, without a shell: held, where its kernel is. @throws what `spawn` does */
export function launch(
  start: Start,
  { stdio, printed, speaks, named, writes }: Launch,
  { confinement, reads = [], gpu = false, surroundings }: HeldBy,
): Launched {
  const confined = confinement?.confine(start, {
    ...{ reads, writes, gpu, processes: surroundings?.processes },
    env: { ...named, ...(speaks === true ? timeFor(surroundings) : {}) },
  });
  const { file, words, env, cwd } = confined ?? start;
  try {
    const process = spawn(file, words, { ...OWN_GROUP, cwd, env, stdio });
    if (speaks !== true) passOnOutput(process.stdout, printed?.stream());
    return { process, ...watchOver(process, printed?.stream(), confined) };
  } catch (error) {
    confined?.release();
    throw error;
  }
}

/** The variable that tells a program of ours what time it is for the kernel that it loads, in milliseconds since 1970. */
const CLOCK = 'GEMM_PARANOIA_CLOCK';

/** Our own host is told in its words, which it takes out of sight. */
const timeFor = (surroundings: Surroundings | undefined): Record<string, string> =>
  surroundings === undefined ? {} : { [CLOCK]: String(surroundings.time) };

function passOnOutput(output: Readable | null, passOn?: (chunk?: Buffer) => void): void {
  if (passOn === undefined) return;
  output?.on('data', passOn);
  output?.on('close', () => passOn());
}
