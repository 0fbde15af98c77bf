import type { Baselines } from '../run/baselines.ts';
import { judgeHere, type ParentConnection } from './judge-here.ts';
import { makeUserCatalog, type UserCode } from './user-code.ts';
import { decode, encode, type RuntimeMessage, type RuntimeTask, toWireError } from './wire.ts';

/**
 * Serves a browser or another runtime: requests its task, judges it, and reports the results.
 * @param at the folder that it was served from, which answers its requests
 */
export async function serveTask(given: UserCode, at: URL): Promise<void> {
  const stopped = listen(new URL('stop', at));
  const post = async (what: string, body: unknown) => {
    const answer = await fetch(new URL(what, at), { method: 'POST', body: encode(body) });
    if (!answer.ok) throw new Error(`The request ${what} failed with HTTP status ${answer.status}`);
    return decode(await answer.text());
  };
  let told: Promise<unknown> = Promise.resolve();
  const inTurn = (what: string, body: unknown): Promise<unknown> => {
    told = told.then(() => post(what, body));
    return told;
  };
  const teller: ParentConnection = {
    ...stopped,
    tell: (one: RuntimeMessage) => void inTurn('told', one),
    begin: async (text) => (await inTurn('told', { begins: text } satisfies RuntimeMessage)) === true,
    baselines: async (id) => (await inTurn('baselines', id)) as Baselines,
  };
  try {
    const task = (await post('task', undefined)) as RuntimeTask;
    await judgeHere(task, await makeUserCatalog(given), teller);
  } catch (error) {
    teller.tell({ error: toWireError(error) });
  }
  await told;
  stopped.close();
}

/** Listens for the end of the run; the open connection shows the server that this runtime is alive. */
function listen(at: URL) {
  let isStopped = false;
  const source = new EventSource(at);
  source.addEventListener('stop', () => {
    isStopped = true;
  });
  return { stopped: () => isStopped, close: () => source.close() };
}
