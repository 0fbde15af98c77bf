import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ownScript } from '../../base/node/own-script.ts';
import { endingText, OWN_GROUP, watchOver } from '../../kernels/host/node/child.ts';
import { nodeOptions } from '../../kernels/host/node/open-external.ts';

const MAIN = fileURLToPath(ownScript('../../cli/main', import.meta.url));

/** What a command of ours printed, and how it ended. */
export interface Called {
  readonly code: number;
  readonly output: string;
  /** Why there may be no output: its last line on the standard error, else how it ended. */
  readonly last: string;
}

/**
 * Runs a command of ours in a process of its own, so that whatever it judges leaves the caller as it is.
 * @param words of the command line.
 * @param stop ends it, and all that it has started.
 */
export async function call(words: readonly string[], stop: AbortSignal): Promise<Called> {
  const child = spawn(process.execPath, [...nodeOptions(), MAIN, ...words], {
    ...OWN_GROUP,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const watched = watchOver(child);
  stop.addEventListener('abort', watched.kill, { once: true });
  if (stop.aborted) watched.kill();
  try {
    const [output, ending] = await Promise.all([text(child.stdout), watched.ended]);
    const last = watched.lastWords();
    return { code: ending.code ?? -1, output, last: last === '' ? endingText(ending, '') : last };
  } finally {
    stop.removeEventListener('abort', watched.kill);
  }
}
