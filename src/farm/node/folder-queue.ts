import { randomUUID } from 'node:crypto';
import { open, readdir, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileReason } from '../../base/node/read-file.ts';
import { makeFolder } from '../../base/node/write-file.ts';
import { storeUnwritable } from '../messages.ts';
import type { Lease, Queue, QueueState } from '../queue.ts';

/** Suffixes of a queue's files, after the id of their batch. */
const [OFFERED, LEASED, DONE, ENDED] = ['.offered', '.lease', '.done', '.ended-'];
/** Milliseconds that a worker waits if the queue is empty. */
const PAUSE = 500;

/** The state of a campaign's batches, by their ids. */
interface Seen {
  readonly offered: readonly string[];
  readonly leased: ReadonlySet<string>;
  readonly done: ReadonlySet<string>;
  readonly ended: ReadonlyMap<string, number>;
}

/**
 * Opens a queue that needs no broker: files in a folder beside the store, for the processes of one machine, or of several that
 * share the folder. A lease is a file that only one process can create. A lease that is not renewed in time is taken away by
 * renaming it.
 * @param leaseSeconds the duration of a lease that is not renewed
 */
export function folderQueue(store: string, leaseSeconds: number): Queue {
  const folderOf = (campaign: string) => join(resolve(store), `queue-${campaign.slice(0, 16)}`);
  const own = randomUUID();
  return {
    where: store,
    isFed: false,
    async announce() {},
    announced: async () => [],
    async withdraw() {},
    isWithdrawn: async () => false,
    async offer(campaign, batches) {
      const folder = folderOf(campaign);
      await guarded(store, async () => {
        makeFolder(folder);
        const there = new Set(await readdir(folder));
        for (const id of batches) {
          if (!there.has(id + OFFERED)) await writeFile(join(folder, id + OFFERED), '');
          // Its results were removed: the offering process has checked the store.
          if (there.has(id + DONE)) await rm(join(folder, id + DONE), { force: true });
        }
      });
    },
    async take(campaign) {
      const folder = folderOf(campaign);
      const seen = await guarded(store, () => look(folder));
      const free = seen.offered.filter((id) => !seen.done.has(id));
      const begin = free.filter((id) => !seen.leased.has(id));
      // A random start, so that workers do not all try the same batch first.
      const first = Math.floor(Math.random() * Math.min(begin.length, 8));
      for (const id of [...begin.slice(first), ...begin.slice(0, first)]) {
        const lease = await guarded(store, () => claimed(folder, id, own, seen));
        if (lease !== undefined) return lease;
      }
      for (const id of free.filter((one) => seen.leased.has(one))) {
        const wasEnded = await guarded(store, () => takeAway(folder, id, own, leaseSeconds));
        if (wasEnded) return guarded(store, async () => claimed(folder, id, own, await look(folder)));
      }
      await new Promise((done) => setTimeout(done, PAUSE));
      return undefined;
    },
    state: (campaign) => guarded(store, () => stateOf(folderOf(campaign))),
    async close() {},
  };
}

/** Reports errors of the file system as errors of the store, which holds the queue's folder. */
async function guarded<T>(store: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storeUnwritable({ store, why: fileReason(error) }, error);
  }
}

async function look(folder: string): Promise<Seen> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const ended = new Map<string, number>();
  const idsOf = (end: string) =>
    names.filter((name) => name.endsWith(end)).map((name) => name.slice(0, -end.length));
  for (const name of names) {
    const at = name.indexOf(ENDED);
    if (at >= 0) ended.set(name.slice(0, at), (ended.get(name.slice(0, at)) ?? 0) + 1);
  }
  return { offered: idsOf(OFFERED), leased: new Set(idsOf(LEASED)), done: new Set(idsOf(DONE)), ended };
}

/** Takes the lease of a batch, unless another process has it. */
async function claimed(folder: string, id: string, own: string, { ended }: Seen): Promise<Lease | undefined> {
  const path = join(folder, id + LEASED);
  const token = `${own} ${randomUUID()}`;
  try {
    await writeFile(path, token, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  }
  const isMine = async () => (await readFile(path, 'utf8').catch(() => '')) === token;
  const drop = async () => {
    if (await isMine()) await unlink(path);
  };
  return {
    batch: id,
    ended: ended.get(id) ?? 0,
    async renew() {
      if (!(await isMine())) return false;
      // A write instead of a touch: the clock of a shared folder is its server's.
      const file = await open(path, 'r+');
      try {
        await file.write(token, 0);
      } finally {
        await file.close();
      }
      return true;
    },
    async done() {
      await writeFile(join(folder, id + DONE), '');
      await drop();
    },
    release: drop,
    async died() {
      await writeFile(join(folder, `${id}${ENDED}${randomUUID()}`), '');
      await drop();
    },
  };
}

/** Takes away a lease that was not renewed in time. @returns true if this process did */
async function takeAway(folder: string, id: string, own: string, leaseSeconds: number): Promise<boolean> {
  const path = join(folder, id + LEASED);
  const before = await tokenIfLate(path, join(folder, `now-${own}`), leaseSeconds);
  if (before === undefined) return false;
  const moved = join(folder, `${id}${ENDED}${randomUUID()}`);
  try {
    await rename(path, moved);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  if ((await readFile(moved, 'utf8')) === before) return true;
  // Another process has renewed or taken it meanwhile; whichever judges the batch writes the same results.
  await unlink(moved);
  return false;
}

/** The contents of an expired lease; undefined while it holds. */
async function tokenIfLate(path: string, clock: string, leaseSeconds: number): Promise<string | undefined> {
  try {
    const token = await readFile(path, 'utf8');
    const { mtimeMs } = await stat(path);
    await writeFile(clock, '');
    const now = (await stat(clock)).mtimeMs;
    return now - mtimeMs > 1000 * leaseSeconds ? token : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function stateOf(folder: string): Promise<QueueState> {
  const { offered, leased, done } = await look(folder);
  const workers = new Set<string>();
  let oldest: number | undefined;
  for (const id of leased) {
    const path = join(folder, id + LEASED);
    const token = await readFile(path, 'utf8').catch(() => undefined);
    const found = await stat(path).catch(() => undefined);
    if (token === undefined || found === undefined) continue;
    workers.add(token.split(' ')[0]);
    oldest = Math.max(oldest ?? 0, (Date.now() - found.birthtimeMs) / 1000);
  }
  const open = offered.filter((id) => !done.has(id));
  return {
    waiting: open.filter((id) => !leased.has(id)).length,
    ...{ active: leased.size, done: done.size, workers: workers.size, oldest },
  };
}
