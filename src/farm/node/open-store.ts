import { badPlace } from '../messages.ts';
import type { Store } from '../store.ts';
import { folderStore } from './folder-store.ts';

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
