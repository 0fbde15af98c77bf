import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { ProcessCommand, Sandbox, SandboxAllowance } from '../../../sandbox/node/sandbox.ts';
import type { SimulatedClockAndPid } from '../../simulated-clock-and-pid.ts';
import { type OutputRelay, OWN_GROUP, type ProcessTree, watchProcessTree } from './child.ts';

/** The sandbox for the processes of an untrusted kernel. */
export interface KernelSandbox {
  /** @defaultValue none: they have the rights of their user */
  readonly confinement?: Sandbox | undefined;
  /** Files and folders that they may read beside those of the system and this package. @defaultValue none */
  readonly reads?: readonly string[] | undefined;
  /** True if they compute on a GPU. @defaultValue false */
  readonly gpu?: boolean | undefined;
  /** Their simulated surroundings. @defaultValue the true ones */
  readonly surroundings?: SimulatedClockAndPid | undefined;
}

/** Options for starting a process. */
export interface LaunchOptions extends Pick<SandboxAllowance, 'writes'> {
  readonly stdio: StdioOptions;
  /** Receives its output, where that is passed on. @defaultValue none */
  readonly printed?: OutputRelay | undefined;
  /** True if its standard output carries the protocol. @defaultValue false */
  readonly speaks?: boolean | undefined;
  /** Environment variables that a config sets for it. */
  readonly named?: SandboxAllowance['env'];
}

export interface KernelProcess extends ProcessTree {
  readonly process: ChildProcess;
}

/** Starts a process of a kernel, without a shell, and in a sandbox if there is one. @throws any error of `spawn` */
export function launch(
  start: ProcessCommand,
  { stdio, printed, speaks, named, writes }: LaunchOptions,
  { confinement, reads = [], gpu = false, surroundings }: KernelSandbox,
): KernelProcess {
  const confined = confinement?.confine(start, {
    ...{ reads, writes, gpu, processes: surroundings?.processes },
    env: { ...named, ...(speaks === true ? timeFor(surroundings) : {}) },
  });
  const { file, words, env, cwd } = confined ?? start;
  try {
    const process = spawn(file, words, { ...OWN_GROUP, cwd, env, stdio });
    if (speaks !== true) passOnOutput(process.stdout, printed?.stream());
    return { process, ...watchProcessTree(process, printed?.stream(), confined) };
  } catch (error) {
    confined?.release();
    throw error;
  }
}

/** The variable that gives a program of this package the kernel's simulated time, in milliseconds since 1970. */
const CLOCK = 'GEMM_PARANOIA_CLOCK';

/** Returns the variable. The package's own host gets the time in its arguments, which it hides. */
const timeFor = (surroundings: SimulatedClockAndPid | undefined): Record<string, string> =>
  surroundings === undefined ? {} : { [CLOCK]: String(surroundings.time) };

function passOnOutput(output: Readable | null, passOn?: (chunk?: Buffer) => void): void {
  if (passOn === undefined) return;
  output?.on('data', passOn);
  output?.on('close', () => passOn());
}
