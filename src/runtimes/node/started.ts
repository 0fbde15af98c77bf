import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PrivateFolder, privateFolder } from '../../confine/node/private-folder.ts';
import { deadline } from '../../kernels/deadline.ts';
import { asItIs, type Child, endingText, OWN_GROUP, watchOver } from '../../kernels/host/node/child.ts';
import type { Runtime, StartOptions } from './runtime.ts';

/** A runtime that was started. */
export interface Started {
  /** Settles when it has ended by itself, with how, as a clause. */
  readonly ended: Promise<string>;
  /** Ends it with all that it started, and removes its folder. */
  end(): Promise<void>;
}

/** Addresses on this machine are asked for as they are, whatever proxy there is; and last words have no colours. */
const ALWAYS = { NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1', NO_COLOR: '1' };

/** Seconds for a process that was killed to be gone. */
const FAREWELL = 5;

/**
 * Starts a runtime in a folder of its own. It ends when this process does, however that ends, and its folder goes with it.
 * @throws Error of the file system
 */
export function startRuntime(
  runtime: Runtime,
  path: string,
  how: Omit<StartOptions, 'folder'>,
  verbose: boolean,
): Started {
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
): Child {
  const { words, env, files = {} } = runtime.start({ ...how, folder });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const child = spawn(path, words, {
    ...OWN_GROUP,
    cwd: folder,
    // What it keeps beside its folder would outlive both.
    env: { ...process.env, ...ALWAYS, TMPDIR: folder, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return watchOver(child, verbose ? asItIs : undefined);
}

/** Waits until a process has ended, but not for ever. */
async function gone(child: Child): Promise<void> {
  let late: ReturnType<typeof deadline> | undefined;
  const limit = new Promise<void>((resolve) => {
    late = deadline(FAREWELL, resolve);
  });
  await Promise.race([child.ended, limit]);
  late?.cancel();
}
