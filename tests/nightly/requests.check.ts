import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { createRandom, pickRandom, type Random } from '../../src/base/random.ts';
import { serveRuntime } from '../../src/runtimes/node/serve.ts';
import { servePage } from '../../src/web/node/serve.ts';

/** The number of random requests to each server. */
const COUNT = 10_000;
const SEED = Number(process.env.TESTS_SEED ?? 1);

const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'CONNECT', 'get', '', 'G\xffT', 'PRI'];
const PIECES = [
  '/',
  '//',
  '[',
  ']',
  '%',
  '%00',
  '%2e',
  '..',
  '\\',
  '?',
  '#',
  '*',
  ':',
  '@',
  'http://',
  'x',
  '\xff',
];
const HEADERS = [
  'host: localhost',
  'content-length: 3',
  'content-length: -1',
  'transfer-encoding: chunked',
  ': x',
  'upgrade: x',
];

const several = (dice: Random, all: readonly string[], most: number) =>
  Array.from({ length: dice.int(0, most) }, () => pickRandom(dice, all));

/** A random request, valid or not. */
function drawn(dice: Random, path: string): string {
  const target = `${pickRandom(dice, ['', path])}${several(dice, PIECES, 6).join('')}`;
  const head = [`${pickRandom(dice, METHODS)} ${target} HTTP/${pickRandom(dice, ['1.1', '1.0', '9', ''])}`];
  return [
    ...head,
    ...several(dice, HEADERS, 3),
    'connection: close',
    '',
    pickRandom(dice, ['', '{"', '\0']),
  ].join('\r\n');
}

/** Sends bytes, and waits for the end of the answer, if there is one. */
const send = (port: number, request: string, host: string) =>
  new Promise<void>((resolve) => {
    const socket = connect(port, host, () => socket.end(request, 'latin1'));
    socket.on('error', () => undefined).on('close', () => resolve());
    socket.resume();
  });

async function sendAll(port: number, path: string, host: string): Promise<void> {
  const dice = createRandom(SEED);
  const requests = Array.from({ length: COUNT }, () => drawn(dice, path));
  for (let at = 0; at < COUNT; at += 50)
    await Promise.all(requests.slice(at, at + 50).map((request) => send(port, request, host)));
}

it('the page is served after any requests', async () => {
  const { url, server } = await servePage(0);
  await sendAll((server.address() as AddressInfo).port, '/page.js', 'localhost');
  expect((await fetch(url)).status).toBe(200);
  server.closeAllConnections();
  server.close();
});

it('a runtime is served after any requests', async () => {
  const nothing = () => undefined;
  const served = await serveRuntime({
    ...{ code: 'export {};', task: {} as never, onTold: async () => false, baselines: nothing as never },
    ...{ onHello: nothing, onGone: nothing },
  });
  await sendAll(Number(served.page.port), `${served.page.pathname}told`, '127.0.0.1');
  expect((await fetch(served.page)).status).toBe(200);
  served.close();
});

it('the tools of MCP are served after any lines', async () => {
  const server = spawn(process.execPath, ['dist/cli/main.js', 'mcp'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const said = text(server.stdout);
  const dice = createRandom(SEED);
  const words = [
    '{',
    '}',
    '[',
    ']',
    '"',
    'null',
    '1',
    '"jsonrpc":"2.0"',
    '"method":"x"',
    '"id":1',
    ',',
    ':',
    '\xff',
  ];
  for (let at = 0; at < COUNT; at++) server.stdin.write(`${several(dice, words, 8).join('')}\n`);
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'check', version: '1' },
  };
  server.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 'last', method: 'initialize', params })}\n`);
  const [code] = await once(server, 'close');
  expect({ code, said: await said }).toMatchObject({ code: 0, said: expect.stringContaining('"id":"last"') });
});
