import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import type { Allowance, Confinement, Start } from '../../../confine/node/confinement.ts';
import { type Child, OWN_GROUP, watchOver } from './child.ts';

/** What holds the processes of a kernel that is not trusted. */
export interface HeldBy {
  /** @defaultValue none: they do what their user may */
  readonly confinement?: Confinement | undefined;
  /** Files and folders that they may read beside the system's and ours. @defaultValue none */
  readonly reads?: readonly string[] | undefined;
  /** Whether they compute on a GPU. @defaultValue false */
  readonly gpu?: boolean | undefined;
}

/** How a process is started. */
export interface Launch extends Pick<Allowance, 'writes'> {
  readonly stdio: StdioOptions;
  /** Whether what it writes to its standard error goes to ours. */
  readonly passOn: boolean;
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
  { stdio, passOn, named, writes }: Launch,
  { confinement, reads = [], gpu = false }: HeldBy,
): Launched {
  const confined = confinement?.confine(start, { reads, writes, env: named, gpu });
  const { file, words, env, cwd } = confined ?? start;
  try {
    const process = spawn(file, words, { ...OWN_GROUP, cwd, env, stdio });
    return { process, ...watchOver(process, passOn, confined) };
  } catch (error) {
    confined?.release();
    throw error;
  }
}
