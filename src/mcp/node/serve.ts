import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { EXIT } from '../../base/errors.ts';
import { say } from '../../base/node/say.ts';
import type { sandboxes } from '../../config/command-options.ts';
import { openRuns } from './runs.ts';
import { openServer } from './server.ts';

/**
 * Serves the Model Context Protocol over standard input and output until the input ends.
 * @returns the exit code
 */
export async function runMcp(sandbox: (typeof sandboxes)[number] = 'auto'): Promise<number> {
  const runs = openRuns();
  const served = serveStdio(() => openServer({ runs, sandbox }), { onerror: (error) => say(error.message) });
  await new Promise((resolve) => process.stdin.once('end', resolve).once('close', resolve));
  await served.close();
  runs.close();
  return EXIT.pass;
}
