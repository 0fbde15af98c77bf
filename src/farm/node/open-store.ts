import { badPlace } from '../messages.ts';
import type { Store } from '../store.ts';
import { folderStore } from './folder-store.ts';

const S3 = /^s3:\/\//;
const OTHER = /^[a-z][a-z0-9+.-]+:\/\//i;

/**
 * Opens the store that a text names: a folder, or a bucket as `s3://bucket/prefix`.
 * @param isMade whether it is to be written to: a folder is made where it is missing.
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

/** The folder of the store unless one is named. */
export const STORE = 'reports/store';

/** The store that an option names, or the usual one. @throws ParanoiaError `store-unusable`, `bad-place` */
export const storeOf = (option: string, given: string | true | undefined, isMade = true): Promise<Store> =>
  openStore(option, given === undefined || given === true ? STORE : given, isMade);
