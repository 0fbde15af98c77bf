import type { ZodType } from 'zod';
import { VERSION } from '../../base/version.ts';
import { gatewayRefuses } from '../messages.ts';
import type { StoredMachine } from '../stored.ts';
import {
  type Found,
  GATEWAY_SCHEMA,
  gatewayAbout,
  type Kind,
  type Leased,
  leaseAnswer,
  refusal,
} from './protocol.ts';
import { makeKey, signed, type WorkerKey } from './signed.ts';

/** What judges the batches of a gateway. */
export interface GatewayJudge {
  readonly machine: Pick<StoredMachine, 'adapter' | 'arithmetic'>;
  /** @returns undefined where nothing is known of the batch, which is then given back. */
  judge(batch: Leased, signal: AbortSignal): Promise<Found | undefined>;
}

/** How a worker works. */
export interface WorkOptions {
  readonly judge: GatewayJudge;
  /** The worker's name and signature. @defaultValue a new key */
  readonly key?: WorkerKey | undefined;
  /** Ends the work: what is begun is given back. */
  readonly signal?: AbortSignal | undefined;
  /** Told of each batch that the gateway took. */
  readonly onBatch?: ((batch: Leased) => void) | undefined;
  readonly say?: ((sentence: string) => void) | undefined;
  /** Seconds between tries to reach a gateway that gives no answer, at first and at most. @defaultValue [1, 60] */
  readonly backOff?: readonly [number, number] | undefined;
}

/** Times that a lease is renewed while it holds. */
const RENEWALS = 4;
/** Codes of refusals that pass by themselves. */
const PASSING = ['too-often'];
/** Those after which a batch is somebody else's, and the next one may be taken. */
const OF_A_LEASE = ['no-lease'];

/**
 * Judges batches of a gateway, in any runtime that has `fetch` and Ed25519 in WebCrypto, until the campaign is done or the signal
 * says to end. A gateway that gives no answer is asked again, ever more seldom.
 * @returns how many batches the gateway took.
 * @throws ParanoiaError `gateway-refuses` where the gateway wants nothing of this worker
 */
export async function workFor(gateway: string | URL, options: WorkOptions): Promise<number> {
  const { judge, signal = new AbortController().signal } = options;
  const key = options.key ?? (await makeKey());
  const call = calling(new URL(gateway), key, { ...options, signal });
  let done = 0;
  await call.join(judge.machine);
  while (!signal.aborted) {
    const answer = await call.lease();
    if (answer === undefined || 'finished' in answer) break;
    if ('wait' in answer) {
      await pause(answer.wait, signal);
      continue;
    }
    if (await oneBatch(answer, call, { ...options, signal })) done++;
  }
  return done;
}

async function oneBatch(batch: Leased, call: Calls, options: WorkOptions & { readonly signal: AbortSignal }) {
  const { judge, signal, onBatch } = options;
  const every = (1000 * batch.leaseSeconds) / RENEWALS;
  const renewing = setInterval(() => void call.renew(batch.lease), every);
  try {
    const found = await judge.judge(batch, signal);
    if (found === undefined || signal.aborted) {
      await call.release(batch.lease);
      return false;
    }
    const wasTaken = await call.result(batch, found);
    if (wasTaken) onBatch?.(batch);
    return wasTaken;
  } catch (error) {
    await call.release(batch.lease);
    throw error;
  } finally {
    clearInterval(renewing);
  }
}

type Calls = ReturnType<typeof calling>;

/** What a worker says to its gateway. */
function calling(at: URL, key: WorkerKey, options: WorkOptions & { readonly signal: AbortSignal }) {
  const { signal, say, backOff: [first, most] = [1, 60] } = options;
  let campaign: Promise<string | undefined> | undefined;
  const about = async () => {
    const answer = await insisting(() => fetch(new URL('v1/about', folderOf(at)), { signal }));
    const found = answer && read(gatewayAbout, answer.body);
    if (found === undefined) return undefined;
    if (found.schema !== GATEWAY_SCHEMA)
      throw refused(`it speaks ${found.schema}, and this version ${GATEWAY_SCHEMA}`);
    if (found.version !== VERSION)
      throw refused(`its campaign is of version ${found.version}, and this is ${VERSION}`);
    return found.campaign;
  };
  const refused = (why: string) => gatewayRefuses({ gateway: at.href, why: why.replace(/\.?$/, '.') });
  const read = <T>(schema: ZodType<T>, body: unknown): T => {
    const found = schema.safeParse(body);
    if (found.success) return found.data;
    throw refused('its answer is none that this version knows');
  };
  /** Asks until there is an answer that stays; undefined where the work is to end. */
  const insisting = async (ask: () => Promise<Response>) => {
    for (let seconds = first; !signal.aborted; seconds = Math.min(most, 2 * seconds)) {
      const answer = await ask().then(bodyOf, (error: Error) => error);
      if (!(answer instanceof Error) && answer.status < 500 && !PASSING.includes(codeOf(answer.body) ?? ''))
        return answer;
      if (signal.aborted) break;
      if (seconds === first) say?.(`${at.href} gives no batch now: it is asked again until it does.`);
      await pause(seconds, signal);
    }
    return undefined;
  };
  const send = async (kind: Kind, body: unknown) => {
    campaign ??= about();
    const id = await campaign;
    if (id === undefined) return undefined;
    const text = JSON.stringify(await signed(key, kind, id, body));
    const headers = { 'content-type': 'application/json' };
    const ask = () =>
      fetch(new URL(`v1/${kind}`, folderOf(at)), { method: 'POST', headers, body: text, signal });
    return insisting(ask);
  };
  const sent = async (kind: Kind, body: unknown) => {
    const answer = await send(kind, body);
    const error = answer && refusal.safeParse(answer.body).data?.error;
    if (error === undefined) return { body: answer?.body, lost: false };
    if (OF_A_LEASE.includes(error.code)) return { body: undefined, lost: true };
    throw refused(error.message);
  };
  return {
    join: async (machine: GatewayJudge['machine']) => {
      await sent('join', { version: VERSION, machine });
    },
    async lease() {
      const { body } = await sent('lease', {});
      return body === undefined ? undefined : read(leaseAnswer, body);
    },
    /** What goes wrong with it shows when the result is sent. */
    renew: (lease: string) => sent('renew', { lease }).catch(() => {}),
    /** A worker that ends says so once: its lease runs out by itself. */
    async release(lease: string) {
      const id = await campaign;
      if (id === undefined) return;
      const body = JSON.stringify(await signed(key, 'release', id, { lease }));
      await fetch(new URL('v1/release', folderOf(at)), { method: 'POST', body }).catch(() => {});
    },
    async result({ lease, batch }: Leased, found: Found) {
      const { body, lost } = await sent('result', { lease, batch, found });
      return !lost && body !== undefined;
    },
  };
}

/** A gateway may lie below a folder of its server. */
const folderOf = (at: URL): URL => new URL(at.pathname.endsWith('/') ? at : `${at.href}/`);

const bodyOf = async (answer: Response) => ({
  status: answer.status,
  body: (await answer.json().catch(() => undefined)) as unknown,
});

const codeOf = (body: unknown): string | undefined => refusal.safeParse(body).data?.error.code;

const pause = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, 1000 * seconds);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
