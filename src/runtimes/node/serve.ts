import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { lookUp } from '../../base/objects.ts';
import type { Baselines } from '../../run/baselines.ts';
import { decode, encode, type RuntimeMessage, type RuntimeTask } from '../wire.ts';

/** The contents served to a runtime, and the handlers of its messages. */
export interface ServedContent {
  readonly code: string;
  readonly task: RuntimeTask;
  /** Handles each message in order. @returns true if no further case may begin */
  readonly onTold: (told: RuntimeMessage) => Promise<boolean>;
  readonly baselines: (id: string) => Promise<Baselines> | Baselines;
  /** Called when the runtime requests its task, and when its connection has ended. */
  readonly onHello: () => void;
  readonly onGone: () => void;
}

export interface RuntimeServer {
  readonly page: URL;
  readonly module: URL;
  /** Tells the runtime once to end. */
  stop(): void;
  close(): void;
}

const MODULE = 'gate.mjs';
const PAGE = `<!doctype html><meta charset="utf-8"><title>gemm-paranoia</title>
<script type="module">
  import('./${MODULE}').catch((error) => {
    const told = { error: { message: String(error?.message ?? error) } };
    return fetch('told', { method: 'POST', body: JSON.stringify(told) });
  });
</script>
`;

/** The most bytes of a message: a result with excerpt and maps has about ten thousand, all results of a run about a million. */
const MOST = 2 ** 30;

/**
 * Serves a runtime on this machine. Its address contains a secret, so other programs and pages of other origins cannot connect.
 * @throws Error of the system if no port can be opened
 */
export async function serveRuntime({
  code,
  task,
  onTold,
  baselines,
  onHello,
  onGone,
}: ServedContent): Promise<RuntimeServer> {
  const secret = randomUUID();
  let connection: ServerResponse | undefined;
  let isStopped = false;
  const sendStop = () => connection?.write('event: stop\ndata:\n\n');
  const answers: Readonly<Record<string, Answer>> = {
    '': (_, answer) => answer.setHeader('content-type', 'text/html').end(PAGE),
    [MODULE]: (_, answer) => answer.setHeader('content-type', 'text/javascript').end(code),
    stop(_, answer) {
      connection = answer.setHeader('content-type', 'text/event-stream');
      answer.write(':\n\n');
      answer.on('close', onGone);
      if (isStopped) sendStop();
    },
    async task(_, answer) {
      onHello();
      answer.end(encode(task));
    },
    async told(request, answer) {
      answer.end(encode(await onTold(decode(await bodyOf(request)) as RuntimeMessage)));
    },
    async baselines(request, answer) {
      answer.end(encode(await baselines(decode(await bodyOf(request)) as string)));
    },
  };
  const server = createServer((request, answer) => {
    const [, first, name = ''] = (request.url ?? '').split('/');
    const found = first === secret ? lookUp(answers, name) : undefined;
    answer.setHeader('cache-control', 'no-store');
    if (found === undefined) answer.writeHead(404).end();
    // An unreadable message comes from another program, or from a runtime that is ending.
    else Promise.resolve(found(request, answer)).catch(() => refuse(answer));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const page = new URL(`http://127.0.0.1:${port}/${secret}/`);
  return {
    page,
    module: new URL(MODULE, page),
    stop() {
      if (!isStopped) sendStop();
      isStopped = true;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Answers an unreadable request. */
function refuse(answer: ServerResponse): void {
  if (answer.headersSent) answer.destroy();
  else answer.writeHead(400).end();
}

type Answer = (request: IncomingMessage, answer: ServerResponse) => unknown;

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > MOST) throw new Error(`A runtime sent a message of more than ${MOST} bytes.`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
