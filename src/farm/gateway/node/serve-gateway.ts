import { createServer as createPlain, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import { ParanoiaError } from '../../../base/errors.ts';
import { lookUp } from '../../../base/look-up.ts';
import { fileReason } from '../../../base/node/file-reason.ts';
import { firstFault, plainWords } from '../../../base/plain-words.ts';
import { VERSION } from '../../../base/version.ts';
import { badMessage, notListening, openGateway, otherProtocol, tooOften } from '../../messages.ts';
import type { Ledger, StrangersMachine } from '../ledger.ts';
import {
  type Body,
  bodies,
  type Envelope,
  envelope,
  GATEWAY_SCHEMA,
  type Kind,
  MOST_BYTES,
} from '../protocol.ts';
import { requireSigned } from '../signed.ts';
import { rateLimit } from './rate-limit.ts';

/** Where a gateway listens, and for which campaign. */
export interface ServeOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** For HTTPS: a certificate and its key, in PEM. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  readonly campaign: string;
  readonly ledger: Ledger;
  readonly nameOf: (machine: Body<'join'>['machine']) => Promise<string>;
  readonly finished: () => boolean;
  /** Told of faults of this program. */
  readonly say: (sentence: string) => void;
}

/** A gateway that listens. */
export interface Served {
  readonly url: string;
  close(): Promise<void>;
}

/** Milliseconds for the head of a request, for all of it, and between looks at that; and connections at once. */
const LIMITS = { head: 10_000, request: 60_000, look: 2000, connections: 2000 } as const;
const LOOPBACK: readonly string[] = ['127.0.0.1', '::1', 'localhost'];
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '86400',
} as const;

/** Answers the workers of a ledger. @throws ParanoiaError `open-gateway`, `not-listening` */
export async function serveGateway(options: ServeOptions): Promise<Served> {
  const { host, port, tls } = options;
  const listen = `${host}:${port}`;
  if (tls === undefined && !LOOPBACK.includes(host)) throw openGateway({ listen });
  const allows = rateLimit();
  const times = {
    ...{ headersTimeout: LIMITS.head, requestTimeout: LIMITS.request },
    connectionsCheckingInterval: LIMITS.look,
  };
  const handler = (request: IncomingMessage, response: ServerResponse) =>
    void answer(request, response, options, allows).catch(() => response.destroy());
  try {
    const server =
      tls === undefined ? createPlain(times, handler) : createSecure({ ...times, ...tls }, handler);
    server.maxConnections = LIMITS.connections;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    const { port: found } = server.address() as AddressInfo;
    const shown = host.includes(':') ? `[${host}]` : host;
    return {
      url: `http${tls === undefined ? '' : 's'}://${shown}:${found}/`,
      close: () =>
        new Promise((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    };
  } catch (error) {
    throw notListening({ listen, why: fileReason(error) }, error);
  }
}

/** The status of each refusal; 400 of others. */
const STATUS: Readonly<Record<string, number>> = {
  ...{ 'too-often': 429, 'banned-worker': 403, 'not-joined': 401, 'no-lease': 409, 'other-protocol': 426 },
};

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: ServeOptions,
  allows: (address: string) => boolean,
): Promise<void> {
  const send = (status: number, body: object | undefined) => {
    // What is not read to its end is not waited for.
    const ends = request.complete ? {} : { connection: 'close' };
    response.writeHead(status, { ...CORS, ...ends, 'content-type': 'application/json' });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };
  try {
    const { method, url = '' } = request;
    if (!allows(addressOf(request, options.tls !== undefined)))
      throw tooOften({ what: 'this address sends more messages than a worker does' });
    if (method === 'OPTIONS') return send(204, undefined);
    if (method === 'GET' && url === '/v1/about')
      return send(200, { schema: GATEWAY_SCHEMA, campaign: options.campaign, version: VERSION });
    const kind = Object.hasOwn(bodies, url.slice('/v1/'.length))
      ? (url.slice('/v1/'.length) as Kind)
      : undefined;
    if (method !== 'POST' || kind === undefined || !url.startsWith('/v1/'))
      return send(404, { error: { code: 'bad-message', message: 'The gateway knows no such address.' } });
    const message = await readMessage(request, kind, options.campaign);
    send(200, await carryOut(kind, message, options));
  } catch (error) {
    if (!(error instanceof ParanoiaError)) options.say(`A worker's message was not taken: ${String(error)}`);
    const { code, message } =
      error instanceof ParanoiaError
        ? error
        : { code: 'internal', message: 'The gateway failed; ask again later.' };
    send(error instanceof ParanoiaError ? (lookUp(STATUS, code) ?? 400) : 500, { error: { code, message } });
    if (!request.complete) response.once('finish', () => request.destroy());
  }
}

/** Behind a proxy on this machine, who asks is whom the proxy names last. */
function addressOf(request: IncomingMessage, isDirect: boolean): string {
  const forwarded = isDirect ? undefined : request.headers['x-forwarded-for'];
  const last = String(forwarded ?? '')
    .split(',')
    .at(-1)
    ?.trim();
  return last || (request.socket.remoteAddress ?? '');
}

/** @throws ParanoiaError `bad-message`, `other-protocol` */
async function readMessage(request: IncomingMessage, kind: Kind, campaign: string): Promise<Envelope> {
  const text = await readText(request, MOST_BYTES[kind]);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw badMessage({ why: 'it holds no JSON' }, error);
  }
  const { schema } = (value ?? {}) as { readonly schema?: unknown };
  if (typeof schema === 'string' && schema !== GATEWAY_SCHEMA)
    throw otherProtocol({ what: 'the protocol', theirs: schema.slice(0, 64), ours: GATEWAY_SCHEMA });
  const read = envelope.safeParse(value, { error: plainWords });
  if (!read.success) throw badMessage({ why: firstFault(read.error, value) }, read.error);
  if (read.data.kind !== kind) throw badMessage({ why: `it is of the kind ${read.data.kind}` });
  if (read.data.campaign !== campaign) throw badMessage({ why: 'it is for another campaign' });
  await requireSigned(read.data);
  return read.data;
}

/** @throws ParanoiaError `bad-message` of what is too long, whatever it says of its length */
async function readText(request: IncomingMessage, most: number): Promise<string> {
  const tooLong = () => badMessage({ why: `it has more than ${most} bytes` });
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLong();
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > most) throw tooLong();
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

async function carryOut(kind: Kind, { key, body }: Envelope, options: ServeOptions): Promise<object> {
  const { ledger, nameOf, finished } = options;
  const ways: { readonly [K in Kind]: (body: Body<K>) => Promise<object> } = {
    async join({ version, machine }) {
      if (version !== VERSION) throw otherProtocol({ what: 'gemm-paranoia', theirs: version, ours: VERSION });
      const named: StrangersMachine = { machine, name: await nameOf(machine) };
      ledger.join(key, named);
      return {};
    },
    lease: async () => (finished() ? { finished: true } : ledger.lease(key)),
    async renew({ lease }) {
      ledger.renew(key, lease);
      return {};
    },
    async release({ lease }) {
      ledger.release(key, lease);
      return {};
    },
    async result(given) {
      await ledger.result(key, given);
      return {};
    },
  };
  const read = bodies[kind].safeParse(body, { error: plainWords });
  if (!read.success) throw badMessage({ why: firstFault(read.error, body) }, read.error);
  return (ways[kind] as (given: unknown) => Promise<object>)(read.data);
}
