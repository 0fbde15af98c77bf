import { type CallToolResult, McpServer, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { EXIT, ParanoiaError } from '../../base/errors.ts';
import { say } from '../../base/node/say.ts';
import { toOneLine } from '../../base/printable.ts';
import { createTaskQueue } from '../../base/task-queue.ts';
import { VERSION } from '../../base/version.ts';
import type { sandboxes } from '../../config/command-options.ts';
import { openRuns } from './runs.ts';
import { type Tool, type ToolSession, tools } from './tools.ts';

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

/** Instructions to a client, about all tools. */
const INSTRUCTIONS = [
  'Tests matrix multiplication kernels: compares each product with the exact product.',
  'Begin with judge. explain describes a failure. replay runs one case again after a change.',
  'inspect infers precision, order of sums and algorithm from the outputs. Inconclusive is not a pass.',
].join(' ');

/** Opens a server for one client; kernels run in the isolation that `sandbox` names. */
function openServer(kept: Pick<ToolSession, 'runs' | 'sandbox'>): McpServer {
  const server = new McpServer(
    { name: 'gemm-paranoia', version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  // Runs take turns: two at once would slow each other down.
  const turn = createTaskQueue();
  for (const [name, tool] of Object.entries(tools))
    offer(server, name, tool, (given, stop) => turn(() => tool.run(given, { ...kept, stop })));
  return server;
}

type Run = (given: Record<string, unknown>, stop: AbortSignal) => Promise<Record<string, unknown>>;

function offer(server: McpServer, name: string, tool: Tool, run: Run): void {
  const { title, what: description, input: inputSchema, output } = tool;
  const outputSchema = written(output);
  // Kernels run, but no file of the caller changes.
  const annotations = { readOnlyHint: true, openWorldHint: false };
  server.registerTool(
    name,
    { title, description, inputSchema, outputSchema, annotations },
    async (given, { mcpReq }): Promise<CallToolResult> => {
      try {
        const structuredContent = await run(given, mcpReq.signal);
        return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
      } catch (error) {
        return { content: [{ type: 'text', text: sentence(error) }], isError: true };
      }
    },
  );
}

/** Adds a schema's JSON form, in one piece: schemas of zod's small build cannot produce it themselves. */
function written(schema: z.ZodObject): StandardSchemaWithJSON<Record<string, unknown>> {
  const as = (io: 'input' | 'output') => () => z.toJSONSchema(schema, { io }) as Record<string, unknown>;
  return {
    '~standard': { ...schema['~standard'], jsonSchema: { input: as('input'), output: as('output') } },
  };
}

function sentence(error: unknown): string {
  if (error instanceof ParanoiaError) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  return `Internal error of gemm-paranoia: ${toOneLine(message)}`;
}
