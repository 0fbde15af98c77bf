import { problem } from '../problems.ts';
import { fileReason } from '../report/node/file-reason.ts';

/**
 * Watches what is printed: without this, an output that takes no more ends the process as if a claim had failed, or,
 * of what goes through the console, in silence. A reader that has seen enough, as `head` has, is no error.
 * @returns the exit code that overrides a command's, once there is one.
 */
export function watchOutput(): () => number | undefined {
  let code: number | undefined;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || code !== undefined) return;
    const lost = problem('output-lost', { why: fileReason(error) }, error);
    code = lost.exitCode;
    // The news may come after the command has ended.
    process.exitCode = code;
    process.stderr.write(`${lost.message}\n`);
  });
  // Nobody is left to be told.
  process.stderr.on('error', () => undefined);
  return () => code;
}
