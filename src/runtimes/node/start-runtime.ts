import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startDeadline } from '../../kernels/deadline.ts';
import {
  endingText,
  OWN_GROUP,
  type ProcessTree,
  passOutput,
  watchProcessTree,
} from '../../kernels/host/node/child.ts';
import { type PrivateFolder, privateFolder } from '../../sandbox/node/private-folder.ts';
import type { Runtime, StartOptions } from './runtime.ts';

export interface StartedRuntime {
  /** Resolves when the runtime has ended by itself, with a clause on how it ended. */
  readonly ended: Promise<string>;
  /** Ends it with all that it started, and removes its folder. */
  end(): Promise<void>;
}

/** Variables for every runtime: no proxy for addresses on this machine, and no colors in last words. */
const ALWAYS = { NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1', NO_COLOR: '1' };

/** The time limit in seconds for the end of a killed process. */
const FAREWELL = 5;

/**
 * Starts a runtime in a temporary folder. It ends with this process, however that ends, and its folder is then removed.
 * @throws Error of the file system
 */
export function startRuntime(
  runtime: Runtime,
  path: string,
  how: Omit<StartOptions, 'folder'>,
  verbose: boolean,
): StartedRuntime {
  const folder = privateFolder();
  try {
    const child = startIn(folder, runtime, path, how, verbose);
    return {
      ended: child.ended.then((ending) => endingText(ending, child.lastWords())),
      async end() {
        child.kill();
        await gone(child);
        folder.remove();
      },
    };
  } catch (error) {
    folder.remove();
    throw error;
  }
}

function startIn(
  { path: folder }: PrivateFolder,
  runtime: Runtime,
  path: string,
  how: Omit<StartOptions, 'folder'>,
  verbose: boolean,
): ProcessTree {
  const { words, env, files = {} } = runtime.start({ ...how, folder });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const child = spawn(path, words, {
    ...OWN_GROUP,
    cwd: folder,
    // Temporary files elsewhere would outlive it and its folder.
    env: { ...process.env, ...ALWAYS, TMPDIR: folder, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return watchProcessTree(child, verbose ? passOutput : undefined);
}

/** Waits until a process has ended, up to a time limit. */
async function gone(child: ProcessTree): Promise<void> {
  let late: ReturnType<typeof startDeadline> | undefined;
  const limit = new Promise<void>((resolve) => {
    late = startDeadline(FAREWELL, resolve);
  });
  await Promise.race([child.ended, limit]);
  late?.cancel();
}
