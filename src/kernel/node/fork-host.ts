import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type Child, OWN_GROUP, watchOver } from './child.ts';

/** A process that hosts a kernel. */
export interface Host extends Child {
  readonly process: ChildProcess;
}

/** Not built: Node is then told how to read TypeScript. */
const fromSource = import.meta.url.endsWith('.ts');

/** Starts a process for one kernel. What it prints goes to our standard error: our output may be for a program. */
export function forkHost(): Host {
  const child = fork(new URL(fromSource ? './host.ts' : './host.js', import.meta.url), [], {
    ...OWN_GROUP,
    // Typed arrays travel as they are.
    serialization: 'advanced',
    stdio: ['ignore', 2, 'pipe', 'ipc'],
    execArgv: [...inherited(), ...(fromSource ? ['--import', typescript()] : [])],
  });
  return { process: child, ...watchOver(child, true) };
}

/** Two processes cannot be debugged over one port. */
const inherited = () => process.execArgv.filter((word) => !word.startsWith('--inspect'));

function typescript(): string {
  const jiti = pathToFileURL(createRequire(import.meta.url).resolve('jiti'));
  return new URL('./jiti-register.mjs', jiti).href;
}
