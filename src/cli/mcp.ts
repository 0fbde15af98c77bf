import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { EXIT } from '../base/errors.ts';
import { type Flags, parseChoice } from '../config/flags.ts';
import { sandboxes } from '../config/node/referee.ts';
import { openRuns } from './mcp/runs.ts';
import { openServer } from './mcp/server.ts';
import { say } from './say.ts';

/**
 * Serves the Model Context Protocol over standard input and output until the input ends.
 * @returns the exit code.
 * @throws ParanoiaError `unknown-name` of a way to hold kernels
 */
export async function runMcp(flags: Flags): Promise<number> {
  const sandbox = flags.sandbox === undefined ? 'auto' : parseChoice('--sandbox', flags.sandbox, sandboxes);
  const runs = openRuns();
  const served = serveStdio(() => openServer({ runs, sandbox }), { onerror: (error) => say(error.message) });
  await new Promise((resolve) => process.stdin.once('end', resolve).once('close', resolve));
  await served.close();
  runs.close();
  return EXIT.pass;
}
