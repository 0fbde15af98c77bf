import { randomUUID } from 'node:crypto';
import { link, open, readdir, readFile, stat, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileReason } from '../../base/node/read-file.ts';
import { makeFolder } from '../../base/node/write-file.ts';
import { badPlace, storeUnusable, storeUnwritable } from '../messages.ts';
import type { Store } from '../queue.ts';

const S3 = /^s3:\/\//;
const OTHER = /^[a-z][a-z0-9+.-]+:\/\//i;

/**
 * Opens the store that a text names: a folder, or a bucket as `s3://bucket/prefix`.
 * @param isMade true if it will be written to: a missing folder is then created
 * @throws ParanoiaError `store-unusable`, `bad-place`, `peer-missing` for the client of S3
 */
export async function openStore(option: string, given: string, isMade = true): Promise<Store> {
  if (S3.test(given)) {
    const { s3Store } = await import('./s3-store.ts');
    return s3Store(option, given, isMade);
  }
  if (OTHER.test(given)) throw badPlace({ option, given, need: 'a folder, or s3://bucket/prefix' });
  return folderStore(given, isMade);
}

/** The default folder of the store. */
const STORE = 'reports/store';

/** Opens the store that an option names, or the default one. @throws ParanoiaError `store-unusable`, `bad-place` */
export const storeOf = (option: string, given: string | true | undefined, isMade = true): Promise<Store> =>
  openStore(option, given === undefined || given === true ? STORE : given, isMade);

const TEMPORARY = '.tmp';
/** Milliseconds after which a half-written file counts as abandoned. */
const STALE = 24 * 3600 * 1000;

/**
 * Opens a store in a folder, which several processes and machines may share. A file is written under a temporary name, synced to
 * disk, and then linked to its place, which only one process can do.
 * @param isMade true to create a missing folder
 * @throws ParanoiaError `store-unusable`
 */
export async function folderStore(given: string, isMade = true): Promise<Store> {
  const folder = resolve(given);
  const unusable = (error: unknown) => storeUnusable({ store: given, why: fileReason(error) }, error);
  try {
    if (isMade) makeFolder(folder);
    await tidy(folder);
  } catch (error) {
    throw unusable(error);
  }
  return {
    where: given,
    async read(name) {
      try {
        return await readFile(join(folder, name));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw unusable(error);
      }
    },
    async add(name, bytes) {
      const temporary = join(folder, `${randomUUID()}${TEMPORARY}`);
      try {
        await writeSynced(temporary, bytes);
        return await linked(temporary, join(folder, name));
      } catch (error) {
        throw storeUnwritable({ store: given, why: whyNot(error) }, error);
      } finally {
        await unlink(temporary).catch(() => {});
      }
    },
    async list(prefix) {
      try {
        const names = await readdir(folder);
        return names.filter((name) => name.startsWith(prefix) && !name.endsWith(TEMPORARY)).sort();
      } catch (error) {
        throw unusable(error);
      }
    },
  };
}

/** Removes abandoned files. @throws Error of the file system if the folder cannot be read */
async function tidy(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(TEMPORARY)) continue;
    const path = join(folder, name);
    // Another process may be tidying too.
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > STALE) await unlink(path).catch(() => {});
  }
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Links a file to its name. @returns true if the name was free */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

const UNLINKABLE: readonly string[] = ['ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EPERM'];

function whyNot(error: unknown): string {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'link' && UNLINKABLE.includes(code))
    return 'its file system has no hard links, which the store needs to write each file once';
  return fileReason(error);
}
