import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ownScript } from '../../base/node/own-script.ts';
import { endingText, OWN_GROUP, watchProcessTree } from '../../kernels/host/node/child.ts';
import { nodeOptions } from '../../kernels/host/node/open-external.ts';

const MAIN = fileURLToPath(ownScript('../../cli/main', import.meta.url));

/** Output and exit code of a command of ours. */
export interface CommandOutput {
  readonly code: number;
  readonly output: string;
  /** The likely reason for missing output: the last line on standard error, else the exit code or signal. */
  readonly last: string;
}

/**
 * Runs a command of ours in a process of its own, which protects the caller from the code it judges.
 * @param words arguments of the command line
 * @param stop ends the command and all that it has started
 */
export async function runCommandProcess(words: readonly string[], stop: AbortSignal): Promise<CommandOutput> {
  const child = spawn(process.execPath, [...nodeOptions(), MAIN, ...words], {
    ...OWN_GROUP,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const watched = watchProcessTree(child);
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
