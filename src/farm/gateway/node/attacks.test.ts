import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seeded } from '../../../base/random.ts';
import { VERSION } from '../../../base/version.ts';
import {
  campaignOf,
  FAILED,
  foundOf,
  honestly,
  ledgerOf,
  machineNamed,
  wholeTextOf,
} from '../gateway.testing.ts';
import { type Body, type Envelope, GATEWAY_SCHEMA, type Kind, type Leased, MOST_BYTES } from '../protocol.ts';
import { makeKey, signed, type WorkerKey } from '../signed.ts';
import { workFor } from '../work-for.ts';
import { rateLimit } from './rate-limit.ts';
import { type Served, serveGateway } from './serve-gateway.ts';

const BATCHES = 40;
const { ledger, campaign } = ledgerOf(BATCHES);
let [served, honest, other]: [Served, WorkerKey, WorkerKey] = [] as never;
let address = 0;

beforeAll(async () => {
  served = await serveGateway({
    ...{ host: '127.0.0.1', port: 0, campaign: campaign.id, ledger, finished: () => false, say: () => {} },
    nameOf: async ({ adapter }) => adapter.id,
  });
  [honest, other] = [await makeKey(), await makeKey()];
  for (const key of [honest, other])
    await says('join', { version: VERSION, machine: machineNamed('one').machine }, key);
});
afterAll(() => served.close());

/** Posts a text, each from an address of its own, as a proxy names them. */
async function post(path: string, body: string) {
  const headers = { 'x-forwarded-for': `10.0.0.${address++}` };
  const answer = await fetch(new URL(path, served.url), { method: 'POST', body, headers });
  return {
    status: answer.status,
    body: (await answer.json()) as { error?: { code: string; message: string } },
  };
}

const says = async (
  kind: Kind,
  body: unknown,
  key = honest,
  change: (one: Envelope) => object = (one) => one,
) => post(`v1/${kind}`, JSON.stringify(change(await signed(key, kind, campaign.id, body))));

async function leased(key = honest): Promise<Leased> {
  return (await says('lease', {}, key)).body as unknown as Leased;
}

const resultOf = ({ lease, batch, cases }: Leased, more = {}): Body<'result'> => ({
  ...{
    lease,
    batch,
    found: foundOf(
      cases.map(({ case: text }) => text),
      more,
    ),
  },
});

it('takes a result once, and of nobody but whom it was leased to', async () => {
  const batch = await leased();
  expect(await says('result', resultOf(batch), other)).toMatchObject({ status: 409 });
  expect(await says('renew', { lease: batch.lease }, other)).toMatchObject({ status: 409 });
  const before = ledger.believed().length;
  const message = JSON.stringify(await signed(honest, 'result', campaign.id, resultOf(batch)));
  expect(await post('v1/result', message)).toMatchObject({ status: 200 });
  expect(await post('v1/result', message)).toMatchObject({
    status: 409,
    body: { error: { code: 'no-lease' } },
  });
  expect(ledger.believed()).toHaveLength(before + 1);
});

it('takes the result of another batch for no lease', async () => {
  const [one, two] = [await leased(), await leased()];
  expect(await says('result', { ...resultOf(two), lease: one.lease })).toMatchObject({ status: 409 });
  for (const { lease } of [one, two]) await says('release', { lease });
});

it.each([
  ['without a signature', ({ signature: _, ...rest }: Envelope) => rest],
  ['with the signature of another text', (one: Envelope) => ({ ...one, body: { lease: 'x' } })],
  ['of another kind', (one: Envelope) => ({ ...one, kind: 'release' })],
  ['in the name of another key', (one: Envelope) => ({ ...one, key: other.name })],
  ['for another campaign', (one: Envelope) => ({ ...one, campaign: 'd'.repeat(64) })],
  ['with a path as its key', (one: Envelope) => ({ ...one, key: '../../etc/passwd'.padEnd(43, 'a') })],
  ['with a signature that is none', (one: Envelope) => ({ ...one, signature: 'A'.repeat(86) })],
])('refuses a message %s', async (_, change) => {
  expect(await says('lease', {}, honest, change)).toMatchObject({
    status: 400,
    body: { error: { code: 'bad-message' } },
  });
});

it('says which protocol it speaks to a worker of a newer one', async () => {
  const answer = await says('lease', {}, honest, (one) => ({ ...one, schema: 'gemm-paranoia/gateway/3' }));
  expect(answer).toMatchObject({ status: 426, body: { error: { code: 'other-protocol' } } });
  expect(answer.body.error?.message).toContain(GATEWAY_SCHEMA);
  const older = await says('join', { version: '0.0.1', machine: machineNamed('one').machine });
  expect(older.status).toBe(426);
});

it.each([
  ['no JSON', '{"schema":'],
  ['nothing', ''],
  ['null', 'null'],
  ['a list', '[[[]]]'],
  ['what is nested deeply', `${'['.repeat(5000)}${']'.repeat(5000)}`.slice(0, MOST_BYTES.join)],
  ['a prototype', '{"__proto__":{"schema":"gemm-paranoia/gateway/2","isAdmin":true}}'],
])('refuses %s', async (_, text) => {
  expect((await post('v1/join', text)).status).toBe(400);
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
});

it('refuses a signed body that is nested deeper than any message', async () => {
  const deep = JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`);
  const message = {
    schema: GATEWAY_SCHEMA,
    kind: 'join',
    campaign: campaign.id,
    key: honest.name,
    body: deep,
  };
  expect(await post('v1/join', JSON.stringify({ ...message, signature: 'A'.repeat(86) }))).toMatchObject({
    body: { error: { message: expect.stringContaining('nested deeper') } },
  });
});

it('takes prototypes and unknown fields of a result for nothing', async () => {
  const batch = await leased();
  const result = resultOf(batch);
  const [first] = result.found.cases;
  Object.assign(first, { html: '<script>' });
  await says('result', result);
  const [found] = ledger.believed().filter((one) => one.batch.id === batch.batch);
  expect(found.opinions[0].found.cases[0]).not.toHaveProperty('html');
});

it('refuses what is too long, whether it says so or not', async () => {
  const long = 'x'.repeat(MOST_BYTES.lease + 1);
  await expect(post('v1/lease', long))
    .resolves.toMatchObject({ status: 400 })
    .catch(() => {});
  const stream = new ReadableStream({
    start(control) {
      for (let part = 0; part < 64; part++) control.enqueue(new TextEncoder().encode(long));
      control.close();
    },
  });
  const chunked = { method: 'POST', body: stream, duplex: 'half' } as RequestInit;
  const answer = await fetch(new URL('v1/lease', served.url), chunked).catch(() => undefined);
  expect(answer?.status ?? 400).toBe(400);
});

it('does not wait for who says a part of a message and no more', async () => {
  const { port } = new URL(served.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write('POST /v1/lease HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{');
  const batch = await leased();
  expect(batch.cases).toHaveLength(4);
  await says('release', { lease: batch.lease });
  socket.destroy();
});

it.each(['/v1/../join', '/v1/__proto__', '/v1/constructor', '/v2/join', '/', '/v1/join/../../etc/passwd'])(
  'knows no address %s',
  async (path) => {
    const { port } = new URL(served.url);
    const text = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`),
      );
      socket.on('data', (bytes) => resolve(bytes.toString()));
    });
    expect(text).toMatch(/^HTTP\/1\.1 404/);
  },
);

it('lets pages ask, without what would name them', async () => {
  const answer = await fetch(new URL('v1/join', served.url), { method: 'OPTIONS' });
  expect(answer.status).toBe(204);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
});

it('bans a forged pass, and lets a forged failure wait for a second key', async () => {
  const [liar, scaremonger] = [await makeKey(), await makeKey()];
  for (const key of [liar, scaremonger])
    await says('join', { version: VERSION, machine: machineNamed('one').machine }, key);
  const batch = await leased(liar);
  const wrong = foundOf(['seed=900']).cases[0].exact;
  expect(await says('result', resultOf(batch, { exact: wrong }), liar)).toMatchObject({ status: 200 });
  expect(await says('lease', {}, liar)).toMatchObject({
    status: 403,
    body: { error: { code: 'banned-worker' } },
  });
  await says('result', resultOf(await leased(scaremonger), FAILED), scaremonger);
  expect(ledger.doubtful).toBe(1);
  expect(await says('lease', {}, liar)).toMatchObject({ status: 403 });
});

it('bans a worker that computes nothing of whole numbers, and believes one that does', async () => {
  const whole = campaignOf(3, 6, wholeTextOf);
  const own = ledgerOf(3, { campaign: whole, planted: 1, random: seeded(3) });
  const settled = () => own.ledger.believed().length === 3;
  const gateway = await serveGateway({
    ...{
      host: '127.0.0.1',
      port: 0,
      campaign: whole.id,
      ledger: own.ledger,
      finished: settled,
      say: () => {},
    },
    nameOf: async ({ adapter }) => adapter.id,
  });
  const { machine } = machineNamed('one');
  const inventing = async ({ cases }: Leased) => foundOf(cases.map(({ case: text }) => text));
  await expect(workFor(gateway.url, { judge: { machine, judge: inventing } })).rejects.toMatchObject({
    code: 'gateway-refuses',
    message: expect.stringContaining('which was given to it so that it fails'),
  });
  expect(own.ledger.believed()).toEqual([]);
  await workFor(gateway.url, { judge: { machine, judge: honestly } });
  expect(own.ledger.believed()).toHaveLength(3);
  await gateway.close();
});

it('answers no more of an address than a worker asks', () => {
  let now = 0;
  const allows = rateLimit(() => now);
  const answers = Array.from({ length: 10_000 }, () => allows('one'));
  expect(answers.filter((isAllowed) => isAllowed)).toHaveLength(200);
  expect(allows('another')).toBe(true);
  now = 1000;
  expect(Array.from({ length: 100 }, () => allows('one')).filter((isAllowed) => isAllowed)).toHaveLength(50);
});

it('refuses plain HTTP for others than this machine', async () => {
  const options = {
    campaign: campaign.id,
    ledger,
    finished: () => false,
    say: () => {},
    nameOf: async () => '',
  };
  await expect(serveGateway({ ...options, host: '0.0.0.0', port: 0 })).rejects.toMatchObject({
    code: 'open-gateway',
  });
  const taken = Number(new URL(served.url).port);
  await expect(serveGateway({ ...options, host: '127.0.0.1', port: taken })).rejects.toMatchObject({
    code: 'not-listening',
  });
});

it('an honest worker judges until it is told to end, and survives a gateway that gives no answer', async () => {
  const ends = new AbortController();
  let count = 0;
  const done = await workFor(served.url, {
    backOff: [0.01, 0.05],
    signal: ends.signal,
    judge: {
      machine: machineNamed('one').machine,
      judge: async ({ cases }) => foundOf(cases.map(({ case: text }) => text)),
    },
    onBatch: () => {
      if (++count === 5) ends.abort();
    },
  });
  expect(done).toBe(5);
  expect(ledger.believed().length).toBeGreaterThanOrEqual(5);
  const waiting = new AbortController();
  const said: string[] = [];
  const work = workFor('http://127.0.0.1:9/', {
    backOff: [0.01, 0.05],
    signal: waiting.signal,
    judge: { machine: machineNamed('one').machine, judge: async () => undefined },
    say: (sentence) => {
      said.push(sentence);
      waiting.abort();
    },
  });
  expect(await work).toBe(0);
  expect(said[0]).toMatch(/gives no batch now/);
});

it('a worker that is refused says why', async () => {
  const machine = { ...machineNamed('one').machine, adapter: {} } as never;
  await expect(
    workFor(served.url, { judge: { machine, judge: async () => undefined } }),
  ).rejects.toMatchObject({
    code: 'gateway-refuses',
    message: expect.stringContaining('adapter'),
  });
});
