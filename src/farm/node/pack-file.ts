import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { z } from 'zod';
import { maskSecrets } from '../../base/node/secrets.ts';
import { formatJson } from '../../base/numbers.ts';
import { describeFirstIssue, describeIssue } from '../../base/plain-words.ts';
import { badStored, newerStored } from '../messages.ts';
import type { Store } from '../queue.ts';

/** The most bytes of an unpacked file: a foreign file may hold anything. */
const MOST = 2 ** 29;
const NOT_CUT = /^(incorrect header check|unknown compression method|invalid (?!distance|stored))/;

const zipped = promisify(gzip);
const unzipped = promisify<Uint8Array, { readonly maxOutputLength: number }, Buffer>(gunzip);

/** Returns the text of a stored file. Numbers that JSON cannot represent are written as in results. */
export const storedText = (value: object): string => maskSecrets(formatJson(value));

/** Packs a stored file: compressed JSON. */
export const packFile = (value: object): Promise<Buffer> => zipped(storedText(value));

/**
 * Reads a file of a store.
 * @returns undefined if there is none
 * @throws ParanoiaError `bad-stored`, `newer-stored`, `store-unusable`
 */
export async function readStoredFile<T extends { readonly schema: string }>(
  store: Store,
  name: string,
  schema: z.ZodType<T>,
  ours: string,
): Promise<T | undefined> {
  const bytes = await store.read(name);
  if (bytes === undefined) return undefined;
  const file = `${store.where}/${name}`;
  const value = await unpacked(bytes, file);
  const found = (value as { readonly schema?: unknown } | null)?.schema;
  if (typeof found === 'string' && found !== ours && kindOf(found) === kindOf(ours))
    throw newerStored({ file, schema: found, ours });
  const read = schema.safeParse(value, { error: describeIssue });
  // The value as written: the parsed one has its keys in another order.
  if (read.success) return value as T;
  throw badStored(
    { file, why: `it does not match its schema (${describeFirstIssue(read.error, value)})` },
    read.error,
  );
}

const kindOf = (schema: string): string => schema.slice(0, schema.lastIndexOf('/'));

async function unpacked(bytes: Uint8Array, file: string): Promise<unknown> {
  let text: string;
  try {
    text = (await unzipped(bytes, { maxOutputLength: MOST })).toString();
  } catch (error) {
    const { message } = error as Error;
    const why = NOT_CUT.test(message)
      ? `it is not compressed by gzip (${message})`
      : `it is truncated or damaged (${message})`;
    throw badStored({ file, why }, error);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badStored({ file, why: 'it is not JSON' }, error);
  }
}
